// SPDX-License-Identifier: MIT
// The second free of a block names where it was allocated and first freed.
// expect: free_twice.cu:@LINE:allocated@
// expect: free_twice.cu:@LINE:first@
// expect: free_twice.cu:@LINE:second@
// expect: second cudaErrorInvalidValue
#include <stdio.h>

int main()
{
    float *d;
    cudaMalloc(&d, 400); // allocated
    cudaFree(d); // first
    cudaError_t error = cudaFree(d); // second
    printf("second %s\n", cudaGetErrorName(error));
    return 0;
}
