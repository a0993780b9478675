/* SPDX-License-Identifier: MIT */
/* The translator without a compiler: text in, text out. In every case the line count must stay. */
#include "../../common/sim/xlate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *in, *out; /* out NULL: unchanged */
} translations[] = {
    /* launches: character for character */
    {"launch", "void f(){ k<<<1, 2>>>(p); }", "void f(){ k%$(1, 2)  (p); }"},
    {"launch without a block", "void f(){ k<<<n>>>(p); }", "void f(){ k%$(n)  (p); }"},
    {"four settings", "void f(){ k<<<a, b, c, d>>>(); }", "void f(){ k%$(a, b, c, d)  (); }"},
    {"apart as nvcc allows", "void f(){ k << <1, 2 >> > (p); }", "void f(){ k %$ (1, 2 )    (p); }"},
    {"over several lines", "void f(){ k\n<<< dim3((n+15)/16, std::min(n,3)),\n s >>>\n(d,\n n); }",
     "void f(){ k\n%$( dim3((n+15)/16, std::min(n,3)),\n s )  \n(d,\n n); }"},
    {"comments between tokens", "void f(){ k /* < */ <<< // >>>\n1, 2 /*>>>*/ >>> /**/ (p); }",
     "void f(){ k /* < */ %$( // >>>\n1, 2 /*>>>*/ )   /**/ (p); }"},
    {"comparisons and lambdas",
     "void f(){ k<<<d.g(), (c<2 && 3>1)?32:64>>>(0); k<<<[&]{return n;}(), dim3{2,2}>>>(n); }",
     "void f(){ k%$(d.g(), (c<2 && 3>1)?32:64)  (0); k%$([&]{return n;}(), dim3{2,2})  (n); }"},
    {"a shift", "void f(){ k<<<n>>3, a<b>>>(0); }", "void f(){ k%$(n>>3, a<b)  (0); }"},
    {"templates in the configuration", "void f(){ k<<<1, f<A<B<int>>>()>>>(3); k<<<1, f<A<int>>()>>>(3); }",
     "void f(){ k%$(1, f<A<B<int>>>())  (3); k%$(1, f<A<int>>())  (3); }"},
    {"three templates close", "A<B<C<int>>> x; std::vector<std::vector<std::vector<int>>> y;", NULL},
    {"explicit arguments", "void f(){ kt<float,4><<<1,2>>>(p); n::kt<(a>b)><<<1,2>>>(p); }",
     "void f(){ kt<float,4>%$(1,2)  (p); n::kt<(a>b)>%$(1,2)  (p); }"},
    {"pointers and tables", "void f(){ tab[i]<<<1,2>>>(); (c?k1:k2)<<<1,2>>>(); (*fp)<<<1,2>>>(); }",
     "void f(){ tab[i]%$(1,2)  (); (c?k1:k2)%$(1,2)  (); (*fp)%$(1,2)  (); }"},
    {"operator<<", "std::ostream &operator<<<int>(S s); void f(){ x = operator<< <int>(a); }", NULL},
    {"not in strings and comments",
     "const char *a = \"k<<<1,2>>>(3)\", *b = R\"x(k<<<1>>>\n(\"))x\"; char c = '<'; // <<<\n/* <<<\n*/ int "
     "d = 1'000'000;",
     NULL},
    {"not in what is skipped",
     "#if 0\nk<<<1,\ndon't\n#endif\n#ifdef __CUDA_ARCH__\nasm(\"x\"); k<<<\n#else\nint a;\n#endif", NULL},
    {"in a macro",
     "#define L(K,g,b,...) K<<<g,b>>>(__VA_ARGS__)\n#define C 1,32\nvoid f(){ L(k,1,2,p); k<<<C>>>(p); }",
     "#define L(K,g,b,...) K%$(g,b)  (__VA_ARGS__)\n#define C 1,32\nvoid f(){ L(k,1,2,p); k%$(C)  (p); }"},
    {"in a macro of several lines", "#define L(K) \\\r\n K<<<1, \\\r\n 2>>>()\r\nvoid f(){ L(k); }\r\n",
     "#define L(K) \\\r\n K%$(1, \\\r\n 2)  ()\r\nvoid f(){ L(k); }\r\n"},
    {"brackets by macro", "#define LB <<<\n#define RB >>>\nvoid f(){ k LB 1,2 RB (p); }",
     "#define LB %$(\n#define RB )  \nvoid f(){ k LB 1,2 RB (p); }"},
    {"byte order mark", "\xef\xbb\xbfvoid f(){ k<<<1,2>>>(\"\xc3\xa9\"); }",
     "void f(){ k%$(1,2)  (\"\xc3\xa9\"); }"},

    /* names that the compiler must choose by the arguments */
    {"template",
     "template<class T> __global__ void k(T); void f(){ k<<<1,2>>>(3); a::k<<<1,2>>>(3); k<int><<<1,2>>>(3); "
     "}",
     "template<class T> __global__ void k(T); void f(){ $K(k)%$(1,2)  (3); $K(a::k)%$(1,2)  (3); "
     "k<int>%$(1,2)  (3); }"},
    {"template argument left out",
     "template<int N, class T> __global__ void k(T); void f(){ k<4><<<1,2>>>(3); }",
     "template<int N, class T> __global__ void k(T); void f(){ $K((k<4>))%$(1,2)  (3); }"},
    {"overloads", "__global__ void k(int); __global__ void k(float); void f(){ return k<<<1,2>>>(3); }",
     "__global__ void k(int); __global__ void k(float); void f(){ return $K(k)%$(1,2)  (3); }"},
    {"a host function of the kernel's name", "__global__ void k(int); void f(){ k<<<1,2>>>(3); } void k();",
     "__global__ void k(int); void f(){ $K(k)%$(1,2)  (3); } void k();"},
    {"default argument", "__global__ void k(int a, int b = 1); void f(){ k<<<1,2>>>(3); }",
     "__global__ void k(int a, int b = 1); void f(){ $K(k)%$(1,2)  (3); }"},
    {"prototype and definition",
     "__global__ void k(const int *a); void f(){ k<<<1,2>>>(3); } __global__ void k(const int *b) {}",
     "__global__ void k(const int *a); void f(){ k%$(1,2)  (3); } __global__ void k(const int *b) {} "
     "SIM_KERNEL(k, 0, 0, 1);"},
    {"template given to a macro",
     "#define L(K) K<<<1,2>>>(3)\ntemplate<class T> __global__ void k(T);\nvoid f(){ L(k); }",
     "#define L(K) K%$(1,2)  (3)\ntemplate<class T> __global__ void k(T);\nvoid f(){ L($K(k)); }"},
    {"stringized", "#define C(x) f((x), \"a \" #x \" b\")\nvoid g(){ C((k<<<1,2>>>(3), 0)); }",
     "#define C(x) f((x), $str(\"a \" #x \" b\"))\nvoid g(){ C((k%$(1,2).operator()(3), 0)); }"},
    {"stringized by an inner macro",
     "#define D(x) f(#x)\n#define C(x) D(x)\nvoid g(){ C((k<<<1,2>>>(3), 0)); k<<<1,2>>>(3); }",
     "#define D(x) f($str(#x))\n#define C(x) D(x)\nvoid g(){ C((k%$(1,2).operator()(3), 0)); k%$(1,2)  (3); "
     "}"},
    {"stringized, but no launch", "#define C(x) f((x), #x)\nvoid g(){ C(1); k<<<1,2>>>(3); }",
     "#define C(x) f((x), #x)\nvoid g(){ C(1); k%$(1,2)  (3); }"},

    /* registration */
    {"kernel", "__global__ void k(int *p) { *p = 1; }\n",
     "__global__ void k(int *p) { *p = 1; } SIM_KERNEL(k, 0, 0, 1);\n"},
    {"kernel in namespaces", "namespace a { namespace { inline namespace b {\n__global__ void k() {}\n}}}",
     "namespace a { namespace { inline namespace b {\n__global__ void k() {} SIM_KERNEL(a::b::k, 0, 0, "
     "1);\n}}}"},
    {"launch bounds",
     "__launch_bounds__(N, 2) __global__ void k() {}\n__global__ void __launch_bounds__(f(1, 2)) l() {}",
     "__launch_bounds__(N, 2) __global__ void k() {} SIM_KERNEL(k, (N), (2), 1);\n"
     "__global__ void __launch_bounds__(f(1, 2)) l() {} SIM_KERNEL(l, (f(1, 2)), (0), 2);"},
    {"qualifiers behind macros",
     "#define G __global__\n#define HD __host__ __device__\nHD int h() { return 1; }\nG void k() {}",
     "#define G __global__\n#define HD __host__ __device__\nHD int h() { return 1; }\nG void k() {} "
     "SIM_KERNEL(k, 0, 0, 1);"},
    {"functions made by macros",
     "#define D(T) __device__ void k_##T() {}\n#define K(n) __global__ void n\nD(int) D(char) int main() { "
     "k<<<1, 2>>>(); }\nK(k)(int *p) { __shared__ int a; }",
     "#define D(T) __device__ void k_##T() {}\n#define K(n) __global__ void n\nD(int) D(char) int main() { "
     "k%$(1, 2)  (); }\nK(k)(int *p) {            int &a=$sh<1>([]{}); }"},
    {"a bracket that nothing closes", "__global__ void k() { [f(3); }",
     "__global__ void k() { [f(3); } SIM_KERNEL(k, 0, 0, 1);"},
    {"a kernel with a return", "__global__ void k(int n) { if (n) return; __syncthreads(); }",
     "__global__ void k(int n) { if (n) return; __syncthreads(); } SIM_KERNEL_WITH_RETURN(k, 0, 0, 1);"},
    {"instances of a template",
     "template <class T, int N = f(2), template <class, int> class U, class... A> __global__ void k(A... a) "
     "{}",
     "template <class T, int N = f(2), template <class, int> class U, class... A> __global__ void k(A... a) "
     "{ SIM_INSTANCE((k<T, N, U, A...>), 0, 0, 0);}"},
    {"shared memory of an instance",
     "template<int N> __global__ void k(float *p) { __shared__ float a[N], b; p[0] = a[0]; } void f() { "
     "k<4><<<1, 2>>>(0); }",
     "template<int N> __global__ void k(float *p) { SIM_INSTANCE((k<N>), 0, 0, 0);            float "
     "(&a)[N]=$sh<$me>([]{}), &b=$sh<$me>([]{}); SIM_SHARED_LIMIT(sizeof(a)); p[0] = a[0]; } void f() { "
     "k<4>%$(1, 2)  (0); }"},
    {"limits of shared memory",
     "__device__ int f() { __shared__ int a[2]; return a[0]; }\n__device__ int g() { __shared__ int a[2]; "
     "return a[0]; }\n__global__ void k(int *p) { __shared__ int a[2], b; { __shared__ int c; p[0] = c; } "
     "__shared__ int d; d = a[f()]; b = sizeof(d); }",
     "__device__ int f() {            int (&a)[2]=$sh<1>([]{}); SIM_SHARED_LIMIT(sizeof(a)); return a[0]; }\n"
     "__device__ int g() {            int (&a)[2]=$sh<2>([]{}); return a[0]; }\n"
     "__global__ void k(int *p) {            int (&a)[2]=$sh<3>([]{}), &b=$sh<3>([]{}); "
     "SIM_SHARED_LIMIT(sizeof(a)); {            int &c=$sh<3>([]{}); SIM_SHARED_LIMIT(sizeof(a) + "
     "sizeof(c)); "
     "p[0] = c; }            int &d=$sh<3>([]{}); SIM_SHARED_LIMIT(sizeof(a)); d = a[f()]; b = sizeof(d); } "
     "SIM_KERNEL(k, 0, 0, 3, 1);"},
    {"instances, but not of overloads",
     "template<class T> __global__ void k(T) {}\n__global__ void o(int) {}\n__global__ void o(char) {}",
     "template<class T> __global__ void k(T) { SIM_INSTANCE((k<T>), 0, 0, 0);}\n__global__ void o(int) {}\n"
     "__global__ void o(char) {}"},
    {"symbols",
     "__constant__ float c[4], d;\nnamespace n { static __device__ int x = f(1, 2); }\n__managed__ "
     "__device__ S s;",
     "__constant__ float c[4], d; SIM_SYMBOL(c, SIM_SPACE_CONSTANT); SIM_SYMBOL(d, SIM_SPACE_CONSTANT);\n"
     "namespace n { static __device__ int x = f(1, 2); SIM_SYMBOL(n::x, SIM_SPACE_DEVICE); }\n"
     "__managed__ __device__ S s; SIM_SYMBOL(s, SIM_SPACE_MANAGED);"},
    {"no symbols", "extern __constant__ int c; __device__ int f(int); struct S { static __device__ int x; };",
     "extern __constant__ int c; __device__ int f(int); struct S { static __device__ int x; }; "
     "SIM_TYPE(S);"},
    {"types",
     "namespace n { struct alignas(8) A final { struct B { int b; }; }; } typedef struct { int c; } C;",
     "namespace n { struct alignas(8) A final { struct B { int b; }; }; SIM_TYPE(n::A); } "
     "typedef struct { int c; } C; SIM_TYPE(C);"},
    {"no types", "struct A; template <class T> struct B { T b; }; struct { int c; } c; struct A *f(int) {}",
     NULL},

    /* shared memory */
    {"shared", "__global__ void k(){ __shared__ float a[16][17], b; static __shared__ int *p; }",
     "__global__ void k(){            float (&a)[16][17]=$sh<1>([]{}), &b=$sh<1>([]{});                   "
     "int *&p=$sh<1>([]{}); }"
     " SIM_KERNEL(k, 0, 0, 1);"},
    {"shared types",
     "template<class T> __device__ void f(){ __shared__ P<T, int> a[N]; volatile __shared__ typename T::X "
     "b;\n"
     "__shared__ struct { int i, j; } c; unsigned __shared__ d; __shared__ ::n::T e; __shared__ int (*q)[3]; "
     "}",
     "template<class T> __device__ void f(){            P<T, int> (&a)[N]=$sh<-1>([]{}); volatile            "
     "typename T::X &b=$sh<-1>([]{});\n"
     "           struct { int i, j; } &c=$sh<-1>([]{}); unsigned            &d=$sh<-1>([]{});            "
     "::n::T &e=$sh<-1>([]{});"
     "            int (*&q)[3]=$sh<-1>([]{}); }"},
    {"shared alignment",
     "__device__ void f(){ __shared__ __align__(16) float a[4]; __shared__ alignas(float4) char b; }",
     "__device__ void f(){                          float (&a)[4]=$aligned<(16),decltype(a)>($sh<1>([]{}));  "
     "                          char &b=$aligned<alignof(float4),decltype(b)>($sh<1>([]{})); }"},
    {"alignment in front", "__device__ void f(){ int i; __align__(16) __shared__ float a[4]; }",
     "__device__ void f(){ int i;                          float "
     "(&a)[4]=$aligned<(16),decltype(a)>($sh<1>([]{})); }"},
    {"dynamic shared",
     "extern __shared__ int g[];\n__global__ void k(){ extern __shared__ float f[][4]; extern __shared__ int "
     "s[3]; }",
     "static            int (&g)[]=$dyn;\n__global__ void k(){                   float (&f)[][4]=$dyn;       "
     "            int (&s)[3]=$sh<1>([]{}); }"
     " SIM_KERNEL(k, 0, 0, 1);"},
    {"shared in a lambda", "__global__ void k(){ auto f=[&]{ __shared__ int q[4]; return q[0]; }; f(); }",
     "__global__ void k(){ auto f=[&]{            int (&q)[4]=$sh<1>([]{}); SIM_SHARED_LIMIT(sizeof(q)); "
     "return q[0]; }; f(); } "
     "SIM_KERNEL(k, 0, 0, 1);"},
    {"shared at file scope", "__shared__ int t[4];\n__global__ void k(){ t[0] = 1; }",
     "static     int (&$t())[4]; inline decltype($t()) $t(){return $sh<1>([]{});}\n"
     "__global__ void k(){auto &t[[maybe_unused]]=$t();{ t[0] = 1; }} SIM_KERNEL(k, 0, 0, 2, 1);"},
    {"shared that is reached",
     "__device__ void d(){ __shared__ int a; }\n__device__ void e(){ d(); }\n__global__ void k(){ e(); }",
     "__device__ void d(){            int &a=$sh<1>([]{}); }\n__device__ void e(){ d(); }\n__global__ void "
     "k(){ e(); } SIM_KERNEL(k, 0, 0, 2, 1);"},
    {"shared behind a macro", "#define SH __shared__\n__device__ void d(){ SH int a[2]; }",
     "#define SH           \n__device__ void d(){ SH int (&a)[2]=$sh<2>([]{}); }"},
    {"run-time arrays in host code",
     "void f(int n){\n int a[n];\n}\n__device__ void g(int n){ int a[n]; }\nvoid h(){ int a[3]; }",
     "void f(int n){_Pragma(\"GCC diagnostic push\")_Pragma(\"GCC diagnostic ignored \\\"-Wvla\\\"\")\n int "
     "a[n];\n}"
     "_Pragma(\"GCC diagnostic pop\")\n__device__ void g(int n){ int a[n]; }\nvoid h(){ int a[3]; }"},
    {"arrays whose index only the thread knows",
     "#define TID (threadIdx.x)\n"
     "__global__ void k(const int *in, int n) {\n"
     "int a[4]; a[n] = 1; float b[2][2] = {}, c[3]; b[1][in[0]] = 1; c[TID & 1] = 1;\n"
     "int d[4]; for (int i = 0; i < n; i++) d[i] = 1;\n"
     "int e[4], top = 0; for (int i = 0; i < 4; i++) if (in[i]) e[top++] = 1;\n"
     "int f[4]; const int at = in[3] & 3; f[at] = 1; int g[4], j = 0; while (j < 4) g[j++] = 1;\n"
     "auto l = [&](int m) { int h[4]; h[n & 3] = m; }; }\n"
     "template <class T> __device__ T t(T x) { T a[4] = {}; return a[x]; }",
     "#define TID (threadIdx.x)\n"
     "__global__ void k(const int *in, int n) {\n"
     "int a[4]; SIM_LOCAL(a) a[n] = 1; float b[2][2] = {}, c[3]; SIM_LOCAL(b) SIM_LOCAL(c) b[1][in[0]] = 1; "
     "c[TID & 1] = 1;\n"
     "int d[4]; SIM_LOCAL(d) for (int i = 0; i < n; i++) d[i] = 1;\n"
     "int e[4], top = 0; SIM_LOCAL(e) for (int i = 0; i < 4; i++) if (in[i]) e[top++] = 1;\n"
     "int f[4]; SIM_LOCAL(f) const int at = in[3] & 3; f[at] = 1; int g[4], j = 0; SIM_LOCAL(g) while (j < "
     "4) "
     "g[j++] = 1;\n"
     "auto l = [&](int m) { int h[4]; SIM_LOCAL(h) h[n & 3] = m; }; } SIM_KERNEL(k, 0, 0, 1);\n"
     "template <class T> __device__ T t(T x) { T a[4] = {}; SIM_LOCAL(a) return a[x]; }"},
    {"arrays that registers hold, or that are not the thread's",
     "__device__ void f(const int *in, int n) {\n"
     "int a[9], k = 0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) if (x != y) a[k++] = "
     "in[n];\n"
     "int b[4]; b[0] = n; const int last = 3; b[last] = n; int c[4]; for (int i = 0; i < 4; i++) { c[i] = 1; "
     "in[n]; }\n"
     "static int d[4]; d[n]; const int e[2] = {1, 2}; e[n]; struct S { int a[4]; int g(int i) { return a[i]; "
     "} "
     "} s; s.a[n] = 1;\n"
     "if (n) int h[4]; for (; n & b[0];) g(a[1], &s.a[n]); }\n"
     "constexpr __device__ int c(int n) { int a[2] = {}; return a[n]; } int h(int n) { int a[2]; return "
     "a[n]; }",
     NULL},
    {"noinline", "__noinline__ int f(); __attribute__((__noinline__)) int g();",
     "__attribute__((noinline)) int f(); __attribute__((__noinline__)) int g();"},
};

static const struct {
    const char *name, *in, *where, *says;
} refusals[] = {
    {"blanks in a launch", "void f(){\n k< < <1, 2> > >(p); }", "2:3", "a launch needs <<< >>>"},
    {"half a blank", "void f(){ k< <<1, 2>>>(p); }", "1:12", "a launch needs <<< >>>"},
    {"no close", "void f(){ k<<<1, 2>>(p); }", "1:12", "has no >>>"},
    {"no settings", "void f(){ k<<<>>>(p); }", "1:12", "at least the number of blocks"},
    {"five settings", "void f(){ k<<<1,2,3,4,5>>>(p); }", "1:12", "at most four settings"},
    {"no arguments", "void f(){ k<<<1,2>>>; }", "1:12", "needs its arguments"},
    {"unterminated comment", "int a; /* b\n", "1:8", "comment has no end"},
    {"unterminated raw string", "const char *a = R\"x(b)y\";", "1:17", "raw string has no end"},
    {"unterminated string", "int a;\nconst char *b = \"c;\n", "2:17", "no closing"},
    {"shared initialiser", "__global__ void k(){ __shared__ int t = 3; }", "1:39",
     "cannot have an initialiser"},
    {"shared braces", "__global__ void k(){ __shared__ int a, t{}; }", "1:41", "cannot have an initialiser"},
    {"library header", "#include <thrust/sort.h>\n", "1:10", "does not support <thrust/sort.h>"},
    {"two dynamic arrays", "__global__ void k(){ extern __shared__ int a[], b[]; }", "1:49",
     "'b' is the same memory as 'a'"},
    {"a dynamic array beside the file's",
     "extern __shared__ int a[];\n__global__ void j(){ extern __shared__ float b[]; }\n"
     "__global__ void k(){ extern __shared__ float b[]; a[0] = 1; }",
     "3:46", "'b' is the same memory as 'a'"},
};

static int passed, failed;

static void report(const char *name, int ok, const char *wanted, const char *got)
{
    if (ok)
        printf("ok xlate: %s\n", name);
    else
        printf("FAIL xlate: %s: wanted\n%s\ngot\n%s\n", name, wanted, got);
    passed += ok;
    failed += !ok;
}

static int count_lines(const char *text, size_t n)
{
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static void check_translation(const char *name, const char *in, const char *out)
{
    static const char head[] = "#line 1 \"t.cu\"\n";
    xlate *unit = xlate_create(NULL, NULL, 0);
    xlate_read(unit, "t.cu", in, strlen(in));
    int findings;
    const xlate_finding *f = xlate_findings(unit, &findings);
    size_t n;
    const char *got = xlate_file_write(unit, 0, &n), *wanted = out ? out : in;
    size_t skip = sizeof head - 1, length = strlen(wanted);
    int ok = !findings && n == skip + length && !memcmp(got, head, skip) &&
             !memcmp(got + skip, wanted, length) && xlate_file_changed(unit, 0) == (out != NULL) &&
             count_lines(got, n) == count_lines(in, strlen(in)) + 1;
    char *copy = malloc(n + 1);
    memcpy(copy, got, n);
    copy[n] = 0;
    report(name, ok, wanted, findings ? f[0].text : copy + skip);
    free(copy);
    xlate_destroy(unit);
}

static void check_refusal(const char *name, const char *in, const char *where, const char *says)
{
    xlate *unit = xlate_create(NULL, NULL, 0);
    xlate_read(unit, "t.cu", in, strlen(in));
    int findings;
    const xlate_finding *f = xlate_findings(unit, &findings);
    char got[600] = "nothing", place[32];
    if (findings) {
        snprintf(place, sizeof place, "%d:%d", f->line, f->column);
        snprintf(got, sizeof got, "%s %s", place, f->text);
    }
    report(name, findings == 1 && !strcmp(place, where) && strstr(f->text, says), says, got);
    xlate_destroy(unit);
}

int main(void)
{
    for (size_t i = 0; i < sizeof translations / sizeof *translations; i++)
        check_translation(translations[i].name, translations[i].in, translations[i].out);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        check_refusal(refusals[i].name, refusals[i].in, refusals[i].where, refusals[i].says);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
