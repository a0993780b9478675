// SPDX-License-Identifier: MIT
// A size that overflowed to 0: the call succeeds with a null pointer, the kernel that uses it fails.
// expect: overflow_zero.cu:@LINE:malloc@
// expect: overflow_zero.cu:@LINE:write@
// expect: null
// expect: malloc cudaSuccess, p null
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__global__ void fill(char *p)
{
    p[threadIdx.x] = 1; // write
}

int main(int argc, char **)
{
    char *p;
    unsigned w = (unsigned)argc << 16;
    cudaError_t error = cudaMalloc(&p, w * w); // malloc
    printf("malloc %s, p %s\n", cudaGetErrorName(error), p ? "not null" : "null");
    fill<<<1, 32>>>(p);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
