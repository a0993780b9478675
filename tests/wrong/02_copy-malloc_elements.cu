/* SPDX-License-Identifier: MIT */
// Mistake: n elements are allocated as n bytes.
// expect: does cudaMalloc get n * sizeof(double) bytes?
#define reverse_on_device right_reverse_on_device
#include "solutions/02_copy.cu"
#undef reverse_on_device

cudaError_t reverse_on_device(const double *h_in, double *h_out, size_t n)
{
    double *d_in = NULL, *d_out = NULL;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMalloc(&d_in, n);
    if (error == cudaSuccess)
        error = cudaMalloc(&d_out, n);
    if (error == cudaSuccess)
        error = upload(d_in, h_in, n);
    if (error == cudaSuccess) {
        reverse_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>(d_in, d_out, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = download(h_out, d_out, n);
    cudaFree(d_out);
    cudaFree(d_in);
    return error;
}
