/* SPDX-License-Identifier: MIT */
// Mistake: threads without an element leave before they have loaded what others read.
// expect: must still help to fill the tile
#define filter_shared right_filter_shared
#include "solutions/03_memory_types.cu"
#undef filter_shared

__global__ void filter_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int t = threadIdx.x; t < BLOCK + 2 * RADIUS; t += BLOCK)
        tile[t] = in[clamp(i - (int)threadIdx.x + t - RADIUS, n)];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tile[threadIdx.x + k];
    out[i] = sum;
}
