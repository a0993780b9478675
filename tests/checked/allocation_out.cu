// SPDX-License-Identifier: MIT
// The pointer is cast in place of its address being taken: cudaMalloc writes through what it holds.
//
// run: null
// expect: cudaMalloc was given a null pointer
// expect: @null@
// expect: answer cudaErrorInvalidValue
// exit: 0
// run: device
// finding: host access @device@ @first@
// expect: HOST code
// exit: signal
#include <stdio.h>
#include <string.h>

int main(int, char **argv)
{
    int *p = NULL;
    cudaError_t e = cudaSuccess;
    if (!strcmp(argv[1], "null"))
        e = cudaMalloc((void **)p, 4); // null
    if (!strcmp(argv[1], "device")) {
        cudaMalloc(&p, 64);        // first
        cudaMalloc((void **)p, 4); // device
    }
    printf("answer %s\n", cudaGetErrorName(e));
    return 0;
}
