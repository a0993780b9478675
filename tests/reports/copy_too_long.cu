// SPDX-License-Identifier: MIT
// One element more than the block holds.
// expect: 404
// expect: 400-byte
// expect: copy_too_long.cu:@LINE:allocated@
// expect: copy_too_long.cu:@LINE:copy@
// expect: answer cudaErrorInvalidValue
#include <stdio.h>

int main()
{
    float h[101] = {0}, *d;
    cudaMalloc(&d, 400); // allocated
    cudaError_t error = cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); // copy
    printf("answer %s\n", cudaGetErrorName(error));
    cudaFree(d);
    return 0;
}
