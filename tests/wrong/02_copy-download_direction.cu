/* SPDX-License-Identifier: MIT */
// Mistake: the download names the direction of an upload.
// expect: wrong direction? To the host is DeviceToHost
#define download right_download
#include "solutions/02_copy.cu"
#undef download

cudaError_t download(double *h, const double *d, size_t n)
{
    return cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyHostToDevice);
}
