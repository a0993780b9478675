/* SPDX-License-Identifier: MIT */
// Mistake: the tile ends where the block ends.
// expect: the tile needs a halo
#define filter_shared right_filter_shared
#include "solutions/03_memory_types.cu"
#undef filter_shared

__global__ void filter_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[clamp(i, n)];
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tile[clamp((int)threadIdx.x + k - RADIUS, BLOCK)];
    out[i] = sum;
}
