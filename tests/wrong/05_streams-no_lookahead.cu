/* SPDX-License-Identifier: MIT */
// Mistake: the next copy is given after the kernel, and waits for all that the other stream has by then.
// expect: copy 1 waits for kernel 0
#define pipeline right_pipeline
#include "solutions/05_streams.cu"
#undef pipeline

cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds)
{
    cudaError_t error = cudaSuccess;
    for (int k = 0; k * chunk < n && error == cudaSuccess; k++) {
        int count = n - k * chunk < chunk ? n - k * chunk : chunk, blocks = (count + BLOCK - 1) / BLOCK;
        error = copy_chunk(p, h_in, n, chunk, k);
        if (error == cudaSuccess)
            error = order(p->copy, p->compute, p->event);
        work<<<blocks, BLOCK, 0, p->compute>>>(p->d[k % 2], d_out + k * chunk, count, rounds);
        if (error == cudaSuccess)
            error = order(p->compute, p->copy, p->event);
    }
    return error;
}
