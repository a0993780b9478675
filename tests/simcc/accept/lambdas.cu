/* SPDX-License-Identifier: MIT */
// flags: --extended-lambda
/* What a __device__ lambda in host code may call is what device code may call. */
#include <cstdio>

__device__ int one()
{
    return 1;
}

template <class F> __global__ void apply(F f, int *p)
{
    f(p);
}

int main()
{
    int *p, h, many = 2;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    apply<<<1, 4>>>([=] __device__(int *q) { atomicAdd(q, one() * many + (int)threadIdx.x); }, p);
    auto twice = [] __host__ __device__(int a) { return 2 * a; };
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(p);
    if (twice(h) != 28)
        printf("%d\n", h);
    return twice(h) != 28;
}
