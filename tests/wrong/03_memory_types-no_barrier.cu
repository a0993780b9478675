/* SPDX-License-Identifier: MIT */
// Mistake: the tile is read before all threads have filled it.
// expect: __syncthreads() between filling the tile and reading it
#define filter_shared right_filter_shared
#include "solutions/03_memory_types.cu"
#undef filter_shared

__global__ void filter_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = threadIdx.x; t < BLOCK + 2 * RADIUS; t += BLOCK)
        tile[t] = in[clamp(i - (int)threadIdx.x + t - RADIUS, n)];
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tile[threadIdx.x + k];
    out[i] = sum;
}
