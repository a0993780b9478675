/* SPDX-License-Identifier: MIT */
// Mistake: neighbours outside of the array are read.
// sim: out of bounds at tests/wrong/03_memory_types-no_clamp.cu:16
// cuda: only the ends are wrong
#define filter_global right_filter_global
#include "solutions/03_memory_types.cu"
#undef filter_global

__global__ void filter_global(const float *in, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += weight[k] * in[i + k - RADIUS];
    out[i] = sum;
}
