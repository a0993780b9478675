/* SPDX-License-Identifier: MIT */
// Mistake: counted from 1: everything lies one element too far.
// sim: out of bounds at tests/wrong/02_copy-shifted.cu:14
// cuda: wrote out[1009]: one too far, and none wrote out[0]
// cuda: got the poison: nobody wrote it
#define reverse_kernel right_reverse_kernel
#include "solutions/02_copy.cu"
#undef reverse_kernel

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - i] = in[i];
}
