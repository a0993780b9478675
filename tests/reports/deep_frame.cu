// SPDX-License-Identifier: MIT
// A local array larger than a thread's stack and the guard below it: the threads beside it keep theirs.
// expect: KERNEL uneven overflowed its stack
// expect: deep_frame.cu:
// expect: thread (20,0,0)
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__device__ __noinline__ int deep(int i)
{
    volatile char frame[500000];
    frame[i] = 1; // far above the end of the array, where another thread's stack is
    return frame[i];
}

__global__ void uneven(int *out)
{
    volatile int mine = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = threadIdx.x == 20 ? deep(50000) : mine;
}

int main()
{
    int *d;
    cudaMalloc(&d, 1024 * sizeof(int));
    uneven<<<1, 1024>>>(d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
