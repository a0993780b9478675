// SPDX-License-Identifier: MIT
// An integer division by zero in a kernel.
// expect: KERNEL divide divided an integer by zero
// expect: divide_by_zero.cu:@LINE:division@
// expect: thread (3,0,0)
// expect: sync cudaErrorLaunchFailure
#include <stdio.h>

__global__ void divide(int *p)
{
    p[threadIdx.x] = 12 / (3 - (int)threadIdx.x); // division
}

int main()
{
    int *d;
    cudaMalloc(&d, 32);
    divide<<<1, 8>>>(d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
