// SPDX-License-Identifier: MIT
// Threads go round a loop with a barrier a different number of times; the rest wait elsewhere.
// expect: barrier_in_loop.cu:@LINE:inside@
// expect: barrier_in_loop.cu:@LINE:after@
// exit: any
#include <stdio.h>

__global__ void uneven(int *p)
{
    for (int i = 0; i < 1 + (int)threadIdx.x / 32; i++) {
        p[threadIdx.x] += i;
        __syncthreads(); // inside
    }
    p[threadIdx.x]++;
    __syncthreads(); // after
}

int main()
{
    int *d;
    cudaMalloc(&d, 400);
    cudaMemset(d, 0, 400);
    uneven<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
