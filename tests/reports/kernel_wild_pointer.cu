// SPDX-License-Identifier: MIT
// A kernel writes far past its allocation.
// expect: put
// expect: block (0,0,0)
// expect: thread (3,0,0)
// expect: kernel_wild_pointer.cu:@LINE:write@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__global__ void put(float *p, long long i)
{
    if (threadIdx.x == 3)
        p[i] = 1; // write
}

int main()
{
    float *d;
    cudaMalloc(&d, 400);
    put<<<1, 32>>>(d, 1LL << 36);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
