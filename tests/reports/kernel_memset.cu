// SPDX-License-Identifier: MIT
// A kernel faults inside a function of the C library: the line is the kernel's.
// expect: KERNEL clear wrote to
// expect: kernel_memset.cu:@LINE:far@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>
#include <string.h>

__global__ void clear(char *p, size_t bytes)
{
    memset(p + (1ull << 30), 1, bytes); // far
}

int main()
{
    char *d;
    cudaMalloc(&d, 64);
    clear<<<1, 1>>>(d, 100000);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
