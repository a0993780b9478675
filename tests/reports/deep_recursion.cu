// SPDX-License-Identifier: MIT
// A recursion that is too deep for a thread's stack.
// expect: KERNEL descend overflowed its stack
// expect: deep_recursion.cu:
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__device__ int depth(int n)
{
    volatile int frame[1000];
    frame[n % 1000] = n;
    return n ? depth(n - 1) + frame[n % 1000] : 0;
}

__global__ void descend(int *p)
{
    *p = depth(100000);
}

int main()
{
    int *d;
    cudaMalloc(&d, 4);
    descend<<<1, 1>>>(d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
