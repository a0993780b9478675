/* SPDX-License-Identifier: MIT */
// Mistake: the texture is trusted to clamp.
// expect: tex1Dfetch() answers 0
#define filter_texture right_filter_texture
#include "solutions/03_memory_types.cu"
#undef filter_texture

__global__ void filter_texture(cudaTextureObject_t in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tex1Dfetch<float>(in, i + k - RADIUS);
    out[i] = sum;
}
