/* SPDX-License-Identifier: MIT */
// Mistake: only the left halo is filled.
// expect: the tile needs a halo
#define filter_shared right_filter_shared
#include "solutions/03_memory_types.cu"
#undef filter_shared

__global__ void filter_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + RADIUS] = in[clamp(i, n)];
    if (threadIdx.x < RADIUS) {
        tile[threadIdx.x] = in[clamp(i - RADIUS, n)];
        tile[BLOCK + RADIUS + threadIdx.x] = 0;
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tile[threadIdx.x + k];
    out[i] = sum;
}
