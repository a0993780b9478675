// SPDX-License-Identifier: MIT
// memcpy instead of cudaMemcpy: the fault is inside libc, the mistake in the caller.
// expect: of the 400-byte
// expect: host_memcpy.cu:@LINE:allocated@
// expect: host_memcpy.cu:@LINE:copy@
// exit: nonzero
#include <stdio.h>
#include <string.h>

int main(int argc, char **)
{
    float *d, h[100] = {0};
    cudaMalloc(&d, 400); // allocated
    memcpy(d, h, argc * sizeof h); // copy
    printf("went on\n");
    return 0;
}
