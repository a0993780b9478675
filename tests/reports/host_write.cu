// SPDX-License-Identifier: MIT
// Host code writes device memory directly.
// expect: byte 12 of the 400-byte
// expect: host_write.cu:@LINE:allocated@
// expect: host_write.cu:@LINE:write@
// expect-not: went on
// exit: nonzero
#include <stdio.h>

int main()
{
    float *d;
    cudaMalloc(&d, 400); // allocated
    d[3] = 1; // write
    printf("went on\n");
    return 0;
}
