// SPDX-License-Identifier: MIT
// Host code reads device memory directly.
// expect: byte 12 of the 400-byte
// expect: host_read.cu:@LINE:allocated@
// expect: host_read.cu:@LINE:read@
// expect-not: usable value
// exit: nonzero
#include <stdio.h>

int main()
{
    float *d;
    cudaMalloc(&d, 400); // allocated
    float x = 2 * d[3]; // read
    printf("usable value: %g\n", x);
    return 0;
}
