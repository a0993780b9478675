// SPDX-License-Identifier: MIT
// Copying from a block that is gone.
// expect: freed
// expect: copy_freed.cu:@LINE:allocated@
// expect: copy_freed.cu:@LINE:free@
// expect: copy_freed.cu:@LINE:copy@
// expect: answer cudaErrorInvalidValue
#include <stdio.h>

int main()
{
    float h[100], *d;
    cudaMalloc(&d, 400); // allocated
    cudaFree(d); // free
    cudaError_t error = cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost); // copy
    printf("answer %s\n", cudaGetErrorName(error));
    return 0;
}
