// SPDX-License-Identifier: MIT
// The pointer is cast in place of its address being taken. It holds NULL.
// expect: cudaMalloc was given a null pointer
// expect: allocation_out_null.cu:@LINE:malloc@
// expect: cudaMallocHost was given a null pointer
// expect: allocation_out_null.cu:@LINE:host@
// expect: answers cudaErrorInvalidValue cudaErrorInvalidValue, p is NULL
#include <stdio.h>

int main()
{
    int *p = NULL;
    cudaError_t e = cudaMalloc((void **)p, 4); // malloc
    cudaError_t h = cudaMallocHost((void **)p, 4); // host
    printf("answers %s %s, p is %s\n", cudaGetErrorName(e), cudaGetErrorName(h), p ? "set" : "NULL");
    return 0;
}
