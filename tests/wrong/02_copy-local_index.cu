/* SPDX-License-Identifier: MIT */
// Mistake: the index in the block is taken for the index in the grid.
// expect: is i the index in the grid?
#define reverse_kernel right_reverse_kernel
#include "solutions/02_copy.cu"
#undef reverse_kernel

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    size_t i = threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}
