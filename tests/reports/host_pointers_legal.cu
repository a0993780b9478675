// SPDX-License-Identifier: MIT
// Computing with device pointers, comparing and printing them is legal on the host.
// expect: equal 1 distance 7
// expect-not: [sim]
#include <stdio.h>

int main()
{
    float *d, *past;
    cudaMalloc(&d, 400);
    float *q = &d[3];
    past = d + 100;
    q = d + 7;
    if (q == d || q > past)
        return 1;
    printf("%p equal %d distance %d\n", (void *)q, q == &d[7], (int)(q - d));
    cudaFree(d);
    return 0;
}
