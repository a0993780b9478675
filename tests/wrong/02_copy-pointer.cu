/* SPDX-License-Identifier: MIT */
// Mistake: sizeof a pointer is copied.
// expect: 8 bytes arrived: sizeof of a pointer
#define download right_download
#include "solutions/02_copy.cu"
#undef download

cudaError_t download(double *h, const double *d, size_t n)
{
    return n ? cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) : cudaSuccess;
}
