/* SPDX-License-Identifier: MIT */
// Mistake: the block that was there after all is not given back.
// expect: bytes still allocated
#define try_alloc right_try_alloc
#include "solutions/01_device.cu"
#undef try_alloc

cudaError_t try_alloc(size_t bytes)
{
    void *block;
    cudaError_t answer = cudaMalloc(&block, bytes);
    cudaGetLastError();
    return answer;
}
