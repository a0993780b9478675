// SPDX-License-Identifier: MIT
// Two barriers in two branches are two barriers.
// expect: barrier_branches.cu:@LINE:low@
// expect: barrier_branches.cu:@LINE:high@
// expect: __syncthreads
// exit: any
#include <stdio.h>

__global__ void branches(int *p)
{
    if (threadIdx.x < 16) {
        p[threadIdx.x] = 1;
        __syncthreads(); // low
    } else {
        p[threadIdx.x] = 2;
        __syncthreads(); // high
    }
}

int main()
{
    int *d;
    cudaMalloc(&d, 400);
    branches<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
