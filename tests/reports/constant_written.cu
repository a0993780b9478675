// SPDX-License-Identifier: MIT
// A kernel writes to constant memory.
// expect: KERNEL write_constant wrote to the __constant__ variable limit
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__constant__ int limit = 7;

__global__ void write_constant()
{
    limit = 9;
}

int main()
{
    write_constant<<<1, 1>>>();
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
