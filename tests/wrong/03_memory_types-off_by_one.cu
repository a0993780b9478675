/* SPDX-License-Identifier: MIT */
// Mistake: the guard lets one thread too many pass.
// sim: out of bounds at tests/wrong/03_memory_types-off_by_one.cu:17
// cuda: no guard `if (i < n)`
#define filter_global right_filter_global
#include "solutions/03_memory_types.cu"
#undef filter_global

__global__ void filter_global(const float *in, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += weight[k] * in[clamp(i + k - RADIUS, n)];
    out[i] = sum;
}
