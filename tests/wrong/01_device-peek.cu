/* SPDX-License-Identifier: MIT */
// Mistake: the error is looked at and left where it is.
// expect: the error is left pending
#define classify right_classify
#include "solutions/01_device.cu"
#undef classify

error_kind classify(cudaError_t *error)
{
    cudaDeviceSynchronize();
    *error = cudaPeekAtLastError();
    if (*error == cudaSuccess)
        return NO_ERROR;
    return cudaFree(NULL) == cudaSuccess ? PASSING : STICKY;
}
