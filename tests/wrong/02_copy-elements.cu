/* SPDX-License-Identifier: MIT */
// Mistake: n elements are copied as n bytes.
// expect: n bytes arrived, not n doubles
#define upload right_upload
#include "solutions/02_copy.cu"
#undef upload

cudaError_t upload(double *d, const double *h, size_t n)
{
    return cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
}
