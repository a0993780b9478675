/* SPDX-License-Identifier: MIT */
// Mistake: the guard lets one thread too many pass.
// sim: out of bounds at tests/wrong/02_copy-off_by_one.cu:13
// cuda: threads that have no element
#define reverse_kernel right_reverse_kernel
#include "solutions/02_copy.cu"
#undef reverse_kernel

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[n - 1 - i] = in[i];
}
