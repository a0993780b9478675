/* SPDX-License-Identifier: MIT */
// Mistake: the error is read before the kernel has run.
// expect: a fault shows at the next synchronisation
#define classify right_classify
#include "solutions/01_device.cu"
#undef classify

error_kind classify(cudaError_t *error)
{
    *error = cudaGetLastError();
    if (*error == cudaSuccess)
        return NO_ERROR;
    return cudaFree(NULL) == cudaSuccess ? PASSING : STICKY;
}
