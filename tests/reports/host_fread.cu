// SPDX-License-Identifier: MIT
// Reading a file straight into device memory: the fault is deep inside libc.
// expect: of the 400-byte
// expect: host_fread.cu:@LINE:allocated@
// expect: host_fread.cu:@LINE:read@
// exit: nonzero
#include <stdio.h>

int main()
{
    char *d;
    FILE *zeros = fopen("/dev/zero", "rb");
    if (!zeros || cudaMalloc(&d, 400)) // allocated
        return 0;
    size_t got = fread(d, 1, 100, zeros); // read
    printf("read %zu bytes\n", got);
    return 0;
}
