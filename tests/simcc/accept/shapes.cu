/* SPDX-License-Identifier: MIT */
/* Declarations of many shapes: each must be taken for what it is. */
#include <cstdio>
struct S {
    int a, b;
    __host__ __device__ S(int x = 0, int y = 0) : a{x}, b(y)
    {
        if (a) {
            b += 0;
        }
    }
    __host__ __device__ operator float() const
    {
        return a;
    }
    __device__ int operator()(int i) const noexcept
    {
        return i + a;
    }
};
__host__ __device__ S operator+(S l, S r)
{
    return S(l.a + r.a);
}
[[nodiscard]] __device__ int f(int i)
{
    return i;
}
__device__ auto g() -> decltype(f(1))
{
    return f(2);
}
__device__ int (*fp)(int) = nullptr;
__device__ const char msg[] = "x;{";
__constant__ struct {
    int a;
    float b[3];
} cs;
__device__ int arr[2][2] = {{1, 2}, {3}}, one{1}, *ptr;
constexpr __device__ int tab[] = {1, 2};
static __constant__ const float cf = 1.f;
extern "C" {
__global__ void ec(int *p)
{
    *p = cs.a;
}
__device__ int ecv;
}
extern "C" __global__ void ec2(int *p)
{
    *p = tab[0];
}
template <class T> struct Q {
    static __device__ T get(T v)
    {
        __shared__ T s;
        s = v;
        return s;
    }
    template <class U> __device__ U h(U u)
    {
        return u;
    }
};
template <class T> __global__ void kt(T *p)
{
    Q<T> q;
    *p = Q<T>::get(3) + q.template h<T>(1);
}
template <> __global__ void kt<char>(char *p)
{
    *p = 1;
}
template __global__ void kt<int>(int *);
namespace
{
__global__ void anon(int *p, const S s = S(1, 2))
{
    *p = s.a;
}
} // namespace
namespace n
{
namespace n
{
__global__ void k(int *p)
{
    *p = 1;
}
__device__ int sym;
} // namespace n
} // namespace n
enum E { A, B };
enum class F : int { C };
typedef void (*kernel_t)(int *);
using kk = void (*)(int *);
__global__ void __launch_bounds__(A + 32) lb(int *p);
__global__ void lb(int *p)
{
    p[0] = f(1), p[1] = g();
}
__global__ static void ks(int *__restrict__ p)
{
    int x = threadIdx.x;
    if (x < 3 && 2 > x)
        p[x] = x;
    for (int i = 0; i < 3; ++i)
        p[i] += i;
}
inline __device__ int rec(int n)
{
    return n ? rec(n - 1) : 0;
}
struct Base {
    virtual ~Base()
    {
    }
    virtual void run() = 0;
};
struct Derived : public Base {
    int n = 3;
    void run() override
    {
        ec<<<1, 1>>>(p);
    }
    int *p;
};
#define KERNEL(name) __global__ void name
KERNEL(macro_kernel)(int *p)
{
    __shared__ int s[2];
    s[0] = rec(1);
    *p = s[0];
}
#define DEF(T)                                                                                               \
    __global__ void k_##T(T *p)                                                                              \
    {                                                                                                        \
        __shared__ T s;                                                                                      \
        s = 1;                                                                                               \
        *p = s;                                                                                              \
    }
DEF(int) DEF(float) int main()
{
    int *p;
    cudaMalloc(&p, 64);
    kernel_t t[] = {ec, lb};
    kk alias = ks;
    for (auto k : t)
        k<<<1, 1>>>(p);
    alias<<<1, 1>>>(p);
    kt<<<1, 1>>>(p);
    kt<char><<<1, 1>>>((char *)p);
    anon<<<1, 1>>>(p);
    macro_kernel<<<1, 1>>>(p);
    k_int<<<1, 1>>>(p);
    k_float<<<1, 1>>>((float *)p);
    if (p) {
        ec2<<<1, 1>>>(p);
    } else
        ec<<<dim3(1, 1), 1, 0, 0>>>(p);
    Derived derived;
    derived.p = p;
    derived.run();
    auto launch = [&](auto kernel, auto... args) { kernel<<<1, 1>>>(args...); };
    launch(lb, p);
    switch (1) {
    case 1:
        lb<<<1, 1>>>(p);
        break;
    default:
        lb<<<2, 1>>>(p);
    }
    int a = 1 << 2 >> 1;
    int c = 3;
    bool b = a < c && a > c;
    (void)b;
    const char *s = "é"
                    "<<<";
    char quote = '\'';
    (void)s, (void)quote;
    (void)cudaGetLastError();
    return cudaFree(p);
}
