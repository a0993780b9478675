/* SPDX-License-Identifier: MIT */
// Mistake: threads beyond the last element write too.
// sim: out of bounds at tests/wrong/02_copy-no_guard.cu:12
// cuda: threads that have no element
#define reverse_kernel right_reverse_kernel
#include "solutions/02_copy.cu"
#undef reverse_kernel

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[n - 1 - i] = in[i];
}
