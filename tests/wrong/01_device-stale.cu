/* SPDX-License-Identifier: MIT */
// Mistake: the last error is taken for the answer of this call.
// expect: this error is older than your call
#define try_alloc right_try_alloc
#include "solutions/01_device.cu"
#undef try_alloc

cudaError_t try_alloc(size_t bytes)
{
    void *block;
    if (cudaMalloc(&block, bytes) == cudaSuccess)
        cudaFree(block);
    return cudaGetLastError();
}
