// SPDX-License-Identifier: MIT
// Elapsed time of an event that was never recorded.
// expect: event_misuse.cu:@LINE:elapsed@
// expect: answer cudaErrorInvalidResourceHandle
#include <stdio.h>

int main()
{
    float ms;
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    cudaError_t error = cudaEventElapsedTime(&ms, a, b); // elapsed
    printf("answer %s\n", cudaGetErrorName(error));
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return 0;
}
