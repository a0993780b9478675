// SPDX-License-Identifier: MIT
// The error read after a good launch is an older one: the text says from which call it came.
// expect: launch_stale_error.cu:@LINE:failed@
// expect: cudaMalloc
// expect: 1152921504606846976
// expect: answer cudaErrorMemoryAllocation, ran 1
#include <stdio.h>

__global__ void fill(int *p)
{
    *p = 1;
}

int main()
{
    void *p;
    int *d, h = 0;
    cudaMalloc(&d, 4);
    cudaMalloc(&p, (size_t)1 << 60); // failed
    fill<<<1, 1>>>(d);
    cudaError_t error = cudaGetLastError();
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("answer %s, ran %d\n", cudaGetErrorName(error), h);
    cudaFree(d);
    return 0;
}
