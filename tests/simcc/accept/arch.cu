/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__ in device code, in code for both, and around device functions. */
#include <cstdio>
#define KERNEL __global__

#if __CUDA_ARCH__ >= 700
__device__ int newer(int a) { return a + 1; }
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *p, double v);
#endif
#ifdef __CUDA_ARCH__
__device__ int which() { return 1; }
#else
__device__ int which() { return 2; }
#endif
#ifndef __CUDA_ARCH__
static int host_side() { return 3; }
#endif

__host__ __device__ int both()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

struct Part {
    int v;
    __device__ int old() const
    {
#if __CUDA_ARCH__ < 800
        return 0;
#elif __CUDA_ARCH__ == 900 && defined(__CUDA_ARCH__) && defined __CUDA_ARCH__
        return v;
#else
        return 0;
#endif
    }
};

/* PTX is not simulated: the branch that does without. */
__device__ int lane()
{
#if __CUDA_ARCH__ >= 800
    int l;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
#else
    return threadIdx.x % 32;
#endif
}

KERNEL void k(int *p)
{
#if __CUDA_ARCH__ >= 700
    if (threadIdx.x < 40)
        p[0] = newer(which());
#endif
    p[1] = Part{5}.old() + lane();
#ifdef __CUDA_ARCH__
    p[2] = __CUDA_ARCH__ == 900 ? 900 : 0;
#endif
    auto in_lambda = [] {
#ifdef __CUDA_ARCH__
        return __CUDA_ARCH__ / 100;
#else
        return 0;
#endif
    };
    p[3] = in_lambda();
}

template <class T> __global__ void generic(T *p)
{
#ifndef __CUDA_ARCH__
    *p = 0;
#else
    *p = 7;
#endif
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 5 * sizeof *p);
    k<<<1, 1>>>(p);
    generic<<<1, 1>>>(p + 4);
    cudaDeviceSynchronize();
    int wanted[] = {2, 5, 900, 9, 7}, wrong = both() != 0;
#ifndef __CUDA_ARCH__
    wrong += host_side() != 3;
#endif
    for (int i = 0; i < 5; i++)
        if (p[i] != wanted[i] && ++wrong)
            printf("%d: %d, not %d\n", i, p[i], wanted[i]);
    cudaFree(p);
    return wrong;
}
