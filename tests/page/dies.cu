// SPDX-License-Identifier: MIT
// Host code reads device memory, which ends the program; the page comes all the same.
#include <cstdio>

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 4000);
    printf("%d\n", d_x[1]); // dies
}
