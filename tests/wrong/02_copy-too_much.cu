/* SPDX-License-Identifier: MIT */
// Mistake: one element more than there is, as if counting to n.
// sim: range at tests/wrong/02_copy-too_much.cu:12
// cuda: more than n doubles were copied
#define copy_on_device right_copy_on_device
#include "solutions/02_copy.cu"
#undef copy_on_device

cudaError_t copy_on_device(double *d_to, const double *d_from, size_t n)
{
    right_copy_on_device(d_to, d_from, n);
    return cudaMemset(d_to + n, 0, sizeof *d_to);
}
