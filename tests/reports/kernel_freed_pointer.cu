// SPDX-License-Identifier: MIT
// A kernel gets a pointer that was freed in an earlier round of the loop.
// expect: freed
// expect: kernel_freed_pointer.cu:@LINE:allocated@
// expect: kernel_freed_pointer.cu:@LINE:free@
// expect: kernel_freed_pointer.cu:@LINE:launch@
// exit: any
#include <stdio.h>

__global__ void scale(float *p)
{
    p[threadIdx.x] *= 2;
}

int main()
{
    float *d;
    cudaMalloc(&d, 400); // allocated
    for (int round = 0; round < 2; round++) {
        scale<<<1, 100>>>(d); // launch
        cudaDeviceSynchronize();
        cudaFree(d); // free
    }
    return 0;
}
