/* SPDX-License-Identifier: MIT */
// Mistake: the upload names the direction of a download.
// expect: wrong direction? To the device is HostToDevice
#define upload right_upload
#include "solutions/02_copy.cu"
#undef upload

cudaError_t upload(double *d, const double *h, size_t n)
{
    return cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyDeviceToHost);
}
