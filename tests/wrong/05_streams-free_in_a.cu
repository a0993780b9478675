/* SPDX-License-Identifier: MIT */
// Mistake: the memory is freed in the stream that allocated it, while the other still uses it.
// sim: unordered free
// expect: freed while the kernel in b may read it
#define twice right_twice
#include "solutions/05_streams.cu"
#undef twice

cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e)
{
    unsigned *scratch;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaMallocAsync(&scratch, n * sizeof *scratch, a);
    work<<<blocks, BLOCK, 0, a>>>(in, scratch, n, 1);
    order(a, b, e);
    work<<<blocks, BLOCK, 0, b>>>(scratch, out, n, 1);
    return cudaFreeAsync(scratch, a);
}
