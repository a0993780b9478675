/* SPDX-License-Identifier: MIT */
// Mistake: each thread takes the problem of its own number.
// expect: block k solves problem k, at x + at[k]
#define solve_all right_solve_all
#define enqueue right_enqueue
#include "solutions/06_batching.cu"
#undef solve_all
#undef enqueue

__global__ void solve_all(const int *n, const size_t *at, unsigned *x)
{
    int k = (blockIdx.x * blockDim.x + threadIdx.x) % gridDim.x;
    solve(n[k], x + at[k]);
}

cudaError_t enqueue(const struct batch *b, cudaStream_t stream)
{
    if (!b->count)
        return cudaSuccess;
    cudaMemcpyAsync(b->d_x, b->x, b->total * sizeof *b->x, cudaMemcpyHostToDevice, stream);
    solve_all<<<b->count, WARP, 0, stream>>>(b->d_n, b->d_at, b->d_x);
    cudaMemcpyAsync(b->x, b->d_x, b->total * sizeof *b->x, cudaMemcpyDeviceToHost, stream);
    return cudaGetLastError();
}
