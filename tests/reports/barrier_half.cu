// SPDX-License-Identifier: MIT
// Even threads wait at a barrier that odd threads do not reach: they wait at the next one.
// expect: barrier_half.cu:@LINE:even@
// expect: barrier_half.cu:@LINE:all@
// expect: __syncthreads
// exit: any
#include <stdio.h>

__global__ void half_wait(int *p)
{
    if (threadIdx.x % 2 == 0)
        __syncthreads(); // even
    p[threadIdx.x] = 1;
    __syncthreads(); // all
}

int main()
{
    int *d;
    cudaMalloc(&d, 400);
    half_wait<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
