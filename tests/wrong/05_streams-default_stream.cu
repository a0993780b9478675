/* SPDX-License-Identifier: MIT */
// Mistake: the launch names no stream, so it goes to the legacy default stream, for which all others wait.
// expect: that is the legacy default stream
#define pipeline right_pipeline
#include "solutions/05_streams.cu"
#undef pipeline

cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds)
{
    cudaError_t error = cudaSuccess;
    for (int k = 0; k * chunk < n && error == cudaSuccess; k++) {
        int count = n - k * chunk < chunk ? n - k * chunk : chunk, blocks = (count + BLOCK - 1) / BLOCK;
        error = copy_chunk(p, h_in, n, chunk, k);
        work<<<blocks, BLOCK>>>(p->d[k % 2], d_out + k * chunk, count, rounds);
    }
    return error;
}
