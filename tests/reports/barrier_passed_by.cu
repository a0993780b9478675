// SPDX-License-Identifier: MIT
// Even threads wait at a barrier that odd threads pass by on their way to the end of the kernel.
// expect: divergent barrier
// expect: barrier_passed_by.cu:@LINE:even@
// expect: 32 threads (1, 3, 5, 7, ...) left the kernel
// expect: sync cudaErrorLaunchFailure
#include <stdio.h>

__global__ void half_wait(int *p)
{
    p[threadIdx.x] = 1;
    if (threadIdx.x % 2 == 0)
        __syncthreads(); // even
}

int main()
{
    int *d;
    cudaMalloc(&d, 400);
    half_wait<<<1, 64>>>(d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(d);
    return 0;
}
