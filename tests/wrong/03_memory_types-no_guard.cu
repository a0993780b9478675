/* SPDX-License-Identifier: MIT */
// Mistake: threads beyond the last element write too.
// sim: out of bounds at tests/wrong/03_memory_types-no_guard.cu:15
// cuda: no guard `if (i < n)`
#define filter_global right_filter_global
#include "solutions/03_memory_types.cu"
#undef filter_global

__global__ void filter_global(const float *in, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += weight[k] * in[clamp(i + k - RADIUS, n)];
    out[i] = sum;
}
