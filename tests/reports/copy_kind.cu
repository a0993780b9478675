// SPDX-License-Identifier: MIT
// A kind that does not exist.
// expect: copy_kind.cu:@LINE:copy@
// expect: 7
// expect: answer cudaErrorInvalidMemcpyDirection
#include <stdio.h>

int main()
{
    float h[100], *d;
    cudaMalloc(&d, 400);
    cudaError_t error = cudaMemcpy(d, h, 400, (cudaMemcpyKind)7); // copy
    printf("answer %s\n", cudaGetErrorName(error));
    cudaFree(d);
    return 0;
}
