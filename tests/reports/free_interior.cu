// SPDX-License-Identifier: MIT
// A pointer into a block is not the block; the block stays usable.
// expect: 400-byte
// expect: free_interior.cu:@LINE:allocated@
// expect: free_interior.cu:@LINE:interior@
// expect: interior cudaErrorInvalidValue
// expect: whole cudaSuccess
#include <stdio.h>

int main()
{
    float *d;
    cudaMalloc(&d, 400); // allocated
    cudaError_t error = cudaFree(d + 1); // interior
    printf("interior %s\n", cudaGetErrorName(error));
    error = cudaMemset(d, 0, 400);
    printf("whole %s\n", cudaGetErrorName(cudaFree(d)));
    return error != cudaSuccess;
}
