// SPDX-License-Identifier: MIT
// Dynamic shared memory used by a launch that gives none.
// expect: dynamic shared memory; the launch gave a block 0 bytes
// expect: shared_forgotten.cu:@LINE:use@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__global__ void reverse(int *p)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = p[threadIdx.x]; // use
    __syncthreads();
    p[threadIdx.x] = tile[31 - threadIdx.x];
}

int main()
{
    int *d;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    reverse<<<1, 32>>>(d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
