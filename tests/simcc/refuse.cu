/* SPDX-License-Identifier: MIT */
/* What must not compile, one mistake a case: `simcc -DCASE=n`. The line that says HERE is the line to be
 * named, and the text after the colon is part of the message. nvcc 13.0 refuses every one of them too
 * (checked), but for those marked "sim only": they work on a GPU and not on the simulated device. */
#include <cstdio>
#include <cstdlib>
#if CASE == 1 // host calls device: host code calls 'f'
__device__ int f() { return 1; }
int main() { return f(); } // HERE
#elif CASE == 2 // device calls host: device code calls 'f'
int f() { return 1; }
__global__ void k(int *p) { *p = f(); } // HERE
#elif CASE == 3 // device function calls host: device code calls 'f'
static inline int f() { return 1; }
__device__ int g()
{
    return 2 + f(); // HERE
}
#elif CASE == 4 // used template calls host: device code calls 'f'
int f() { return 1; }
template <class T> __global__ void k(T *p)
{
    *p = f(); // HERE
}
int main() { k<<<1, 1>>>((int *)0); }
#elif CASE == 5 // cout in a kernel: std::cout
#include <iostream>
__global__ void k(int a) { std::cout << a; } // HERE
#elif CASE == 6 // cout by using: std::cout
#include <iostream>
using namespace std;
__global__ void k(int a) { cout << a; } // HERE
#elif CASE == 7 // vector in a kernel: std::vector
#include <vector>
__global__ void k(int *p)
{
    std::vector<int> v; // HERE
    p[0] = v.size();
}
#elif CASE == 8 // string in a kernel: std::string
#include <string>
__global__ void k(int *p) { std::string s; p[0] = s.size(); } // HERE
#elif CASE == 9 // kernel called as a function: call it with a configuration
__global__ void k(int *p) { *p = 1; }
int main() { k(nullptr); } // HERE
#elif CASE == 10 // template kernel called as a function: call it with a configuration
template <class T> __global__ void k(T *p) { *p = 1; }
int main() { k<int>(nullptr); } // HERE
#elif CASE == 11 // kernel that calls itself: call it with a configuration
__global__ void k(int n)
{
    if (n)
        k(n - 1); // HERE
}
#elif CASE == 12 // kernel returns int: must return void
__global__ int k(int a) { return a; } // HERE
#elif CASE == 13 // kernel returns a pointer: must return void
template <class T> __global__ void *k(T a) { return 0; } // HERE
#elif CASE == 14 // shared initialiser: cannot have an initialiser
__global__ void k(int *p) { __shared__ int t = 3; p[0] = t; } // HERE
#elif CASE == 15 // shared initialised by constructor: cannot have an initialiser
__global__ void k(int *p) { __shared__ int t(3); p[0] = t; } // HERE
#elif CASE == 16 // run-time array: variable length
__global__ void k(int n, float *p)
{
    float a[n]; // HERE
    a[0] = 1, p[0] = a[0];
}
#elif CASE == 17 // threadIdx assigned: 'threadIdx' cannot be assigned to
__global__ void k() { threadIdx.x = 3; } // HERE
#elif CASE == 18 // threadIdx added to: 'threadIdx' cannot be assigned to
__global__ void k() { threadIdx.x += 3; } // HERE
#elif CASE == 19 // blockIdx stepped: 'blockIdx' cannot be assigned to
__global__ void k() { --blockIdx.y; } // HERE
#elif CASE == 20 // gridDim stepped: 'gridDim' cannot be assigned to
__device__ void k() { gridDim.x++; } // HERE
#elif CASE == 21 // static member kernel: is a member of a class
struct S {
    static __global__ void k(int *p) { *p = 1; } // HERE
};
#elif CASE == 22 // device lambda: needs the flag --extended-lambda
int main()
{
    auto f = [=] __device__(int a) { return a; }; // HERE
    (void)f;
}
#elif CASE == 23 // device lambda in a kernel: needs the flag --extended-lambda
__global__ void k(int *p)
{
    auto f = [=] __host__ __device__(int a) { return a; }; // HERE
    *p = f(1);
}
#elif CASE == 24 // exit in a kernel: calls 'exit'
__global__ void k(int *p)
{
    if (!p)
        exit(1); // HERE
}
#elif CASE == 25 // rand in a kernel: calls 'rand'
__global__ void k(int *p) { *p = rand(); } // HERE
#elif CASE == 26 // fprintf in a kernel: calls 'fprintf'
__global__ void k(int *p) { fprintf(stderr, "%p\n", p); } // HERE
#elif CASE == 27 // getenv in a device function: calls 'getenv'
__device__ bool k() { return getenv("HOME") != nullptr; } // HERE
#elif CASE == 28 // time in a kernel: calls 'time'
#include <ctime>
__global__ void k(long *p) { *p = time(nullptr); } // HERE
#elif CASE == 29 // fopen in a kernel: calls 'fopen'
__global__ void k(FILE **p) { *p = std::fopen("a", "r"); } // HERE
#elif CASE == 30 // cudaDeviceSynchronize in a kernel: no runtime API in kernels
__global__ void k(int *p) { cudaDeviceSynchronize(); } // HERE
#elif CASE == 31 // 64 KiB of static shared memory: more than 48 KiB
__global__ void k(char *p)
{
    __shared__ char a[65536]; // HERE
    a[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = a[1023 - threadIdx.x];
}
#elif CASE == 32 // 70000 bytes of constant memory: more than 64 KiB
__constant__ char a[70000]; // HERE
#elif CASE == 33 // cudaMalloc of an int pointer: no matching function
int main()
{
    int *p = nullptr;
    cudaMalloc(p, 4); // HERE
}
#elif CASE == 34 // blanks in a launch: a launch needs <<< >>>
__global__ void k(int a) {}
int main() { k< < <1, 2> > >(3); } // HERE
#elif CASE == 35 // blank in an opening bracket: a launch needs <<< >>>
__global__ void k(int a) {}
int main() { k< <<1, 2>>>(3); } // HERE
#elif CASE == 36 // blank in a closing bracket: has no >>>
__global__ void k(int a) {}
int main() { k<<<1, 2> >>(3); } // HERE
#elif CASE == 37 // five settings: at most four settings
__global__ void k(int a) {}
int main() { k<<<1, 2, 3, 0, 0>>>(3); } // HERE
#elif CASE == 38 // no settings: at least the number of blocks
__global__ void k(int a) {}
int main() { k<<<>>>(3); } // HERE
#elif CASE == 39 // no arguments: needs its arguments in parentheses
__global__ void k() {}
int main() { k<<<1, 2>>>; } // HERE
#elif CASE == 40 // shared memory in host code: in host code
int main() { __shared__ int a; a = 1; } // HERE
#elif CASE == 41 // launch in a kernel: a launch from device code
__global__ void k() {}
__global__ void l() { k<<<1, 1>>>(); } // HERE
#elif CASE == 42 // host lambda calls device: host code calls 'f'
__device__ int f() { return 1; }
int main() { return [] { return f(); }(); } // HERE
#elif CASE == 43 // kernel that deduces its type: must return void
__global__ auto k(int *p) { *p = 1; } // HERE
#elif CASE == 44 // host and device function calls device: host code calls 'f'
__device__ int f() { return 1; }
__host__ __device__ int g() { return f(); } // HERE
int main() { return g(); }
#elif CASE == 45 // device function in a namespace: host code calls 'f'
namespace n {
__device__ int f() { return 1; }
}
int main() { return n::f(); } // HERE
#elif CASE == 46 // wrong number of arguments: another number of arguments than the kernel
__global__ void k(int a, int b) {}
int main() { k<<<1, 1>>>(1); } // HERE
#elif CASE == 47 // PTX: does not support PTX (sim only)
__global__ void k(int *p) { asm volatile("mov.u32 %0, %%laneid;" : "=r"(p[0])); } // HERE
#elif CASE == 48 // library header: does not support <thrust/sort.h> (sim only)
#include <thrust/sort.h> // HERE
#elif CASE == 49 // matrix header: does not support <mma.h> (sim only)
#include <mma.h> // HERE
#elif CASE == 50 // barrier header: does not support <cuda/barrier> (sim only)
#include <cuda/barrier> // HERE
#elif CASE == 51 // cudaMalloc in a kernel: no runtime API in kernels (sim only)
__global__ void k() { void *p; cudaMalloc(&p, 4); } // HERE
#elif CASE == 52 // a host function launched: 'k' is launched with <<<...>>> but is not a __global__ function
void k(int *d) { d[0] = 1; }
int main() { k<<<1, 1>>>((int *)0); } // HERE
#elif CASE == 53 // device function launched: is launched with <<<...>>> but is not a __global__
__device__ void k(int *d) { d[0] = 1; }
int main() { k<<<1, 1>>>((int *)0); } // HERE
#elif CASE == 54 // an exception: does not support exception handling
__global__ void k(int *d) { if (d[0]) throw 1; } // HERE
#elif CASE == 55 // a caught exception: does not support exception handling
__global__ void k(int *d)
{
    try { // HERE
        d[0] = 1;
    } catch (...) {
    }
}
#elif CASE == 56 // dynamic_cast: 'dynamic_cast' in device code
struct B {
    virtual __device__ ~B() {}
};
struct D : B {};
__global__ void k(B *b, bool *d) { d[0] = dynamic_cast<D *>(b); } // HERE
#elif CASE == 57 // typeid: does not support run-time type information
#include <typeinfo>
__device__ bool k() { return typeid(int) == typeid(char); } // HERE
#elif CASE == 58 // qualified host function launched: is not a __global__ function
namespace a { namespace b { void k(int *d) { d[0] = 1; } } }
int main() { a::b::k<<<1, 1>>>((int *)0); } // HERE
#elif CASE == 59 // missing semicolon: expected ';' after the shared variable 't', before 't'
__global__ void k()
{
    __shared__ float t[16][16]
    t[0][0] = 1; // HERE
}
#elif CASE == 60 // two constant arrays: together more than 64 KiB
__constant__ char a[40000];
namespace {
__constant__ double b[4000]; // HERE
}
__global__ void k(char *p) { *p = a[threadIdx.x] + b[threadIdx.x]; }
#elif CASE == 61 // kernel returns an int by another name: must return void
using R = int;
__global__ R k(int a) { return a; } // HERE
#elif CASE == 62 // kernel with a trailing return type: must return void
__global__ auto k(int a) -> int { return a; } // HERE
#elif CASE == 63 // variadic kernel: cannot have a variable number of parameters
__global__ void k(int a, ...) {} // HERE
#elif CASE == 64 // rvalue reference: cannot have: take it by value
__global__ void k(int &&a) {} // HERE
#elif CASE == 65 // noexcept kernel: cannot be noexcept
__global__ void k(int a) noexcept {} // HERE
#elif CASE == 66 // barrier in host code: host code calls '__syncthreads'
int main() { __syncthreads(); } // HERE
#elif CASE == 67 // atomic in host code: host code calls 'atomicAdd'
static void f(int *p)
{
    atomicAdd(p, 1); // HERE
}
#elif CASE == 68 // intrinsic on both sides: host code calls '__popc'
__host__ __device__ int f(int a)
{
    return __popc(a); // HERE
}
#elif CASE == 69 // barrier in a host lambda: host code calls '__syncwarp'
int main() { return [](auto a) { __syncwarp(); return a; }(1); } // HERE
#elif CASE == 70 // host calls device member: host code calls 'S::f'
struct S {
    int v;
    __device__ int f() { return v; }
};
int main()
{
    S s = {1};
    return s.f(); // HERE
}
#elif CASE == 71 // member calls device member: host code calls 'S::f'
struct S {
    int v;
    __device__ int f();
    int g() { return this->f(); } // HERE
};
__device__ int S::f() { return v; }
#elif CASE == 72 // kernel calls host member: device code calls 'S::f'
template <class T> struct S {
    T v;
    T f() const { return v; }
};
__global__ void k(const S<int> &s, int *p)
{
    *p = s.f(); // HERE
}
#elif CASE == 73 // kernel calls static host member: device code calls 'S::f'
struct S {
    static int f() { return 1; }
};
__global__ void k(int *p) { *p = S::f(); } // HERE
#elif CASE == 74 // constant variable in a kernel: declared inside a function
__global__ void k(int *p)
{
    __constant__ int a[2] = {1, 2}; // HERE
    *p = a[threadIdx.x];
}
#elif CASE == 75 // device variable in host code: declared inside a function
int main()
{
    int i = 0;
    __device__ int a; // HERE
    return i;
}
#elif CASE == 76 // static device variable in host code: a static __managed__ variable in host code
int main()
{
    static __managed__ int a; // HERE
}
#elif CASE == 77 // kernel reads a host variable: device code uses 'n'
int n = 4;
__global__ void k(int *p)
{
    if (threadIdx.x < n) // HERE
        p[threadIdx.x] = 1;
}
#elif CASE == 78 // kernel writes a host array: device code uses 'sum'
namespace a {
static float sum[4];
__global__ void k(float *p) { atomicAdd(&sum[1], p[0]); } // HERE
}
#elif CASE == 79 // kernel reads a const host array: a const array of the host
const float weights[3] = {1, 2, 1};
__global__ void k(float *p) { *p = weights[threadIdx.x]; } // HERE
#elif CASE == 80 // device function uses a host pointer: device code uses 'data'
float *data;
__device__ float f(int i)
{
    return data[i]; // HERE
}
#elif CASE == 81 // address of threadIdx: the address of 'threadIdx' cannot be taken
__device__ unsigned sum(const unsigned *p) { return p[0] + p[1]; }
__global__ void k(unsigned *p) { *p = sum(&threadIdx.x); } // HERE
#elif CASE == 82 // address of blockDim: the address of 'blockDim' cannot be taken
__global__ void k(const dim3 **p)
{
    *p = &(blockDim); // HERE
}
#elif CASE == 83 // shared variables together: more than 48 KiB
__global__ void k(float *p)
{
    __shared__ float a[64][64], b[64][64];
    __shared__ float c[64][64], d[64][64]; // HERE
    int i = threadIdx.x, j = 63 - i;
    a[i][j] = p[0], b[i][j] = p[1], c[i][j] = p[2], d[i][j] = p[3];
    __syncthreads();
    p[4] = a[j][i] + b[j][i] + c[j][i] + d[j][i];
}
#elif CASE == 84 // shared variables of an instance: more than 48 KiB
template <class T, int N> __global__ void k(T *p)
{
    __shared__ T a[N];
    if (N > 1) {
        __shared__ T b[N]; // HERE
        a[threadIdx.x] = p[0], b[threadIdx.x] = p[1];
        __syncthreads();
        p[2] = a[1] + b[1];
    }
}
int main() { k<double, 4096><<<1, 1>>>(nullptr); }
#elif CASE == 85 // wrong argument of a launch in a macro: does not fit the kernel's parameter
#define LAUNCH(K, g, b, ...) K<<<g, b>>>(__VA_ARGS__)
__global__ void k(int *p) {}
int main()
{
    LAUNCH(k, 1, 2, 3.0f); // HERE
}
#elif CASE == 86 // a name that is not there, in a macro of several lines: nowhere
#define LAUNCH(K, g) \
    K<<<g, \
        32>>>(nowhere)
__global__ void k(int *p) {}
int main()
{
    LAUNCH(k, 1); // HERE
}
#endif
