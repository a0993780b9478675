// SPDX-License-Identifier: MIT
// A kernel shall set a variable of the host by reference. What arrives is the variable's address, and no GPU
// reaches that.
// expect: argument 1 of count is a host pointer
// expect: kernel_reference.cu:@LINE:launch@
// expect: sync cudaErrorIllegalAddress, still 0
#include <stdio.h>

__global__ void count(int &total)
{
    atomicAdd(&total, 1);
}

int main()
{
    int total = 0;
    count<<<1, 32>>>(total); // launch
    cudaError_t e = cudaDeviceSynchronize();
    printf("sync %s, still %d\n", cudaGetErrorName(e), total);
    return 0;
}
