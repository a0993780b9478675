// SPDX-License-Identifier: MIT
// The direction contradicts the pointers: refused, explained, and nothing is copied.
// expect: cudaMemcpyHostToDevice
// expect: cudaMemcpyDeviceToHost
// expect: copy_direction.cu:@LINE:allocated@
// expect: copy_direction.cu:@LINE:copy@
// expect: answer cudaErrorInvalidValue, h[0] 7
#include <stdio.h>

int main()
{
    float h[100] = {7}, *d;
    cudaMalloc(&d, 400); // allocated
    cudaMemset(d, 0, 400);
    cudaError_t error = cudaMemcpy(h, d, 400, cudaMemcpyHostToDevice); // copy
    printf("answer %s, h[0] %g\n", cudaGetErrorName(error), h[0]);
    cudaFree(d);
    return 0;
}
