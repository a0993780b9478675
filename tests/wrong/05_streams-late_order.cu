/* SPDX-License-Identifier: MIT */
// Mistake: the order comes after the launch that needs it; only the free is behind it.
// expect: each waits for the one before it
#define twice right_twice
#include "solutions/05_streams.cu"
#undef twice

cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e)
{
    unsigned *scratch;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaMallocAsync(&scratch, n * sizeof *scratch, a);
    work<<<blocks, BLOCK, 0, a>>>(in, scratch, n, 1);
    work<<<blocks, BLOCK, 0, b>>>(scratch, out, n, 1);
    order(a, b, e);
    return cudaFreeAsync(scratch, b);
}
