/* SPDX-License-Identifier: MIT */
// Mistake: cudaMalloc and cudaFree in between: the free waits for the whole device.
// expect: the host waits, or calls cudaMalloc or cudaFree, in the middle
#define twice right_twice
#include "solutions/05_streams.cu"
#undef twice

cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e)
{
    unsigned *scratch;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaError_t error = cudaMalloc(&scratch, n * sizeof *scratch);
    if (error != cudaSuccess)
        return error;
    work<<<blocks, BLOCK, 0, a>>>(in, scratch, n, 1);
    order(a, b, e);
    work<<<blocks, BLOCK, 0, b>>>(scratch, out, n, 1);
    return cudaFree(scratch);
}
