// SPDX-License-Identifier: MIT
// An explicit specialisation of a kernel is a function of its own, and ends where its body ends.
#include <stdio.h>

template <class T, int N> __global__ void add(T *p)
{
    p[0] += N;
}

template <> __global__ void add<int, 5>(int *p)
{
    p[0] += 50;
}

__device__ int square(int x)
{
    return x * x;
}

__global__ void store(int *p)
{
    p[0] = square(3);
}

int main()
{
    int *d, h = 0;
    cudaFuncAttributes a;
    cudaMalloc(&d, sizeof h);
    store<<<1, 1>>>(d);
    add<int, 1><<<1, 1>>>(d);
    add<int, 5><<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    bool known = !cudaFuncGetAttributes(&a, add<int, 5>) && !cudaFuncGetAttributes(&a, add<int, 1>);
    cudaFree(d);
    printf("%d %d\n", h, known);
    return h != 60 || !known;
}
