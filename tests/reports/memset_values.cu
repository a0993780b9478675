// SPDX-License-Identifier: MIT
// cudaMemset fills bytes, whatever the type of the array.
// expect: float -5.96541e+29
// expect: int 16843009
// expect: answer cudaErrorInvalidValue
// expect: memset_values.cu:@LINE:long@
// expect: 404
// expect: 400-byte
#include <stdio.h>

int main()
{
    float *d, f;
    int i;
    cudaMalloc(&d, 400);
    cudaMemset(d, (int)-10000.0f, 400);
    cudaMemcpy(&f, d, 4, cudaMemcpyDeviceToHost);
    cudaMemset(d, 1, 400);
    cudaMemcpy(&i, d, 4, cudaMemcpyDeviceToHost);
    printf("float %g\nint %d\n", f, i);
    cudaError_t error = cudaMemset(d, 0, 404); // long
    printf("answer %s\n", cudaGetErrorName(error));
    cudaFree(d);
    return 0;
}
