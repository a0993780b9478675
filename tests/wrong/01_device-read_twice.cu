/* SPDX-License-Identifier: MIT */
// Mistake: an error that cudaGetLastError() has read away is taken for healed.
// expect: reading the error does not heal the device
#define classify right_classify
#include "solutions/01_device.cu"
#undef classify

error_kind classify(cudaError_t *error)
{
    cudaDeviceSynchronize();
    *error = cudaGetLastError();
    if (*error == cudaSuccess)
        return NO_ERROR;
    return cudaGetLastError() == cudaSuccess ? PASSING : STICKY;
}
