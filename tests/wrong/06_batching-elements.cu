/* SPDX-License-Identifier: MIT */
// Mistake: the copies are given lengths in place of bytes.
// expect: block k solves problem k, at x + at[k]
#define enqueue right_enqueue
#include "solutions/06_batching.cu"
#undef enqueue

cudaError_t enqueue(const struct batch *b, cudaStream_t stream)
{
    if (!b->count)
        return cudaSuccess;
    cudaMemcpyAsync(b->d_x, b->x, b->total, cudaMemcpyHostToDevice, stream);
    solve_all<<<b->count, WARP, 0, stream>>>(b->d_n, b->d_at, b->d_x);
    cudaMemcpyAsync(b->x, b->d_x, b->total, cudaMemcpyDeviceToHost, stream);
    return cudaGetLastError();
}
