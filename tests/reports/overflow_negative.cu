// SPDX-License-Identifier: MIT
// A size that overflowed int, became negative and then huge.
// expect: 18446744065119617024
// expect: 8589934592
// expect: overflow_negative.cu:@LINE:malloc@
// expect: answer cudaErrorMemoryAllocation
#include <stdio.h>

int main(int argc, char **)
{
    double *p;
    int n = argc << 30, parts = (int)(3u * n);
    cudaError_t error = cudaMalloc(&p, parts * sizeof(double)); // malloc
    printf("answer %s\n", cudaGetErrorName(error));
    return 0;
}
