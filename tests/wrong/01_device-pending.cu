/* SPDX-License-Identifier: MIT */
// Mistake: the refusal is returned but never read away.
// expect: the refusal is left pending
#define try_alloc right_try_alloc
#include "solutions/01_device.cu"
#undef try_alloc

cudaError_t try_alloc(size_t bytes)
{
    void *block;
    cudaError_t answer = cudaMalloc(&block, bytes);
    if (answer == cudaSuccess)
        answer = cudaFree(block);
    return answer;
}
