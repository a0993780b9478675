/* SPDX-License-Identifier: MIT */
// Mistake: one of the two buffers is never freed.
// expect: bytes still allocated
#define reverse_on_device right_reverse_on_device
#include "solutions/02_copy.cu"
#undef reverse_on_device

cudaError_t reverse_on_device(const double *h_in, double *h_out, size_t n)
{
    double *d_in = NULL, *d_out = NULL;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMalloc(&d_in, n * sizeof *d_in);
    if (error == cudaSuccess)
        error = cudaMalloc(&d_out, n * sizeof *d_in);
    if (error == cudaSuccess)
        error = upload(d_in, h_in, n);
    if (error == cudaSuccess) {
        reverse_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>(d_in, d_out, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = download(h_out, d_out, n);
    cudaFree(d_in);
    return error;
}
