// SPDX-License-Identifier: MIT
// A kernel writes through a null pointer: named by kernel, block, thread and line; sticky for the program.
// expect: null
// expect: put
// expect: block (1,0,0)
// expect: thread (5,0,0)
// expect: kernel_null_pointer.cu:@LINE:write@
// expect: sync cudaErrorIllegalAddress
// expect: malloc cudaErrorIllegalAddress
#include <stdio.h>

__global__ void put(float *p)
{
    if (blockIdx.x == 1 && threadIdx.x == 5)
        p[0] = 1; // write
}

int main()
{
    void *d;
    put<<<2, 32>>>(NULL);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("malloc %s\n", cudaGetErrorName(cudaMalloc(&d, 4)));
    return 0;
}
