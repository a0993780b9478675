/* SPDX-License-Identifier: MIT */
// Mistake: every error is taken for the end.
// expect: expected PASSING, got STICKY
// expect: a refused launch harms nothing
#define classify right_classify
#include "solutions/01_device.cu"
#undef classify

error_kind classify(cudaError_t *error)
{
    cudaDeviceSynchronize();
    *error = cudaGetLastError();
    return *error == cudaSuccess ? NO_ERROR : STICKY;
}
