// SPDX-License-Identifier: MIT
// A shuffle names all 32 lanes, but half of them are at a barrier and will never come.
// expect: warp_deadlock.cu:@LINE:shuffle@
// expect: warp_deadlock.cu:@LINE:barrier@
// exit: any
#include <stdio.h>

__global__ void half_shuffle(int *p)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0xffffffff, v, 1); // shuffle
    __syncthreads(); // barrier
    p[threadIdx.x] = v;
}

int main()
{
    int *d;
    cudaMalloc(&d, 400);
    half_shuffle<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
