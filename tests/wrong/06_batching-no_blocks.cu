/* SPDX-License-Identifier: MIT */
// Mistake: a grid of no blocks is launched when there are no problems.
// expect: 0 problems: a call in between is wrong
#define enqueue right_enqueue
#include "solutions/06_batching.cu"
#undef enqueue

cudaError_t enqueue(const struct batch *b, cudaStream_t stream)
{
    size_t bytes = b->total * sizeof *b->x;
    cudaMemcpyAsync(b->d_x, b->x, bytes, cudaMemcpyHostToDevice, stream);
    solve_all<<<b->count, WARP, 0, stream>>>(b->d_n, b->d_at, b->d_x);
    cudaMemcpyAsync(b->x, b->d_x, bytes, cudaMemcpyDeviceToHost, stream);
    return cudaGetLastError();
}
