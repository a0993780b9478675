// SPDX-License-Identifier: MIT
// A kind that does not exist.
// expect: answer cudaErrorInvalidMemcpyDirection
#include <stdio.h>

int main()
{
    float h[100], *d;
    cudaMalloc(&d, 400);
    cudaError_t error = cudaMemcpy(d, h, 400, (cudaMemcpyKind)7);
    printf("answer %s\n", cudaGetErrorName(error));
    cudaFree(d);
    return 0;
}
