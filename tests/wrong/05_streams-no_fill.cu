/* SPDX-License-Identifier: MIT */
// Mistake: the kernel does not wait until its chunk is there.
// sim: unordered work
// expect: kernel 0 does not wait for its chunk
#define pipeline right_pipeline
#include "solutions/05_streams.cu"
#undef pipeline

cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds)
{
    cudaError_t error = cudaSuccess;
    for (int k = 0; k * chunk < n && error == cudaSuccess; k++) {
        int count = n - k * chunk < chunk ? n - k * chunk : chunk, blocks = (count + BLOCK - 1) / BLOCK;
        error = copy_chunk(p, h_in, n, chunk, k);
        work<<<blocks, BLOCK, 0, p->compute>>>(p->d[k % 2], d_out + k * chunk, count, rounds);
        if (error == cudaSuccess)
            error = order(p->compute, p->copy, p->event);
    }
    return error;
}
