// SPDX-License-Identifier: MIT
// Warps that are not full, and blocks whose rows are narrower than a warp.
#include "parity.h"

enum { SIDE = 128 };
#define COLUMN (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)

KERNEL k_tail(const float *in, float *out, unsigned n)
{
    if (THREAD < n)
        out[THREAD] = in[THREAD];
}
KERNEL k_block48(const float *in, float *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_block40(const float *in, float *out)
{
    out[THREAD] = in[2 * THREAD];
}
KERNEL k_block1(const float *in, float *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_block33_float4(const float4 *in, float4 *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_block100_shared(const float *in, float *out)
{
    __shared__ float s[200];
    s[2 * threadIdx.x] = in[THREAD];
    __syncthreads();
    out[THREAD] = s[198 - 2 * threadIdx.x];
}
KERNEL k_block16x16(const float *in, float *out)
{
    out[ROW * SIDE + COLUMN] = in[ROW * SIDE + COLUMN];
}
KERNEL k_block8x8(const float *in, float *out)
{
    out[ROW * SIDE + COLUMN] = in[ROW * SIDE + COLUMN];
}
KERNEL k_block4x4x4(const float *in, float *out)
{
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z, i = (z * SIDE + ROW) * SIDE + COLUMN;
    out[i] = in[i];
}
KERNEL k_block5x7(const float *in, float *out)
{
    out[ROW * SIDE + COLUMN] = in[ROW * SIDE + COLUMN];
}
KERNEL k_block16x16_transpose(const float *in, float *out)
{
    out[COLUMN * SIDE + ROW] = in[ROW * SIDE + COLUMN];
}
KERNEL k_block16x16_matmul(const float *a, const float *b, float *c)
{
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += a[ROW * SIDE + k] * b[k * SIDE + COLUMN];
    c[ROW * SIDE + COLUMN] = sum;
}
KERNEL k_block16x16_tiled(const float *a, const float *b, float *c)
{
    __shared__ float as[16][16], bs[16][16];
    unsigned x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int t = 0; t < SIDE; t += 16) {
        as[y][x] = a[ROW * SIDE + t + x];
        bs[x][y] = b[(t + y) * SIDE + COLUMN];
        __syncthreads();
        ROLLED
        for (int k = 0; k < 16; k++)
            sum += as[y][k] * bs[x][k];
        __syncthreads();
    }
    c[ROW * SIDE + COLUMN] = sum;
}
KERNEL k_block8x8_guard(const float *in, float *out, unsigned side)
{
    if (ROW < side && COLUMN < side)
        out[ROW * SIDE + COLUMN] = in[ROW * SIDE + COLUMN];
}

int main()
{
    enum { FLOATS = 64 * SIDE * SIDE };
    float *in = zeros<float>(FLOATS), *out = zeros<float>(FLOATS);
    RUN(k_tail, 4, 256, in, out, 1000);
    RUN(k_block48, 100, 48, in, out);
    RUN(k_block40, 100, 40, in, out);
    RUN(k_block1, 100, 1, in, out);
    RUN(k_block33_float4, 100, 33, (float4 *)in, (float4 *)out);
    RUN(k_block100_shared, 50, 100, in, out);
    RUN(k_block16x16, dim3(8, 8), dim3(16, 16), in, out);
    RUN(k_block8x8, dim3(16, 16), dim3(8, 8), in, out);
    RUN(k_block4x4x4, dim3(8, 8, 4), dim3(4, 4, 4), in, out);
    RUN(k_block5x7, dim3(10, 10), dim3(5, 7), in, out);
    RUN(k_block16x16_transpose, dim3(8, 8), dim3(16, 16), in, out);
    RUN(k_block16x16_matmul, dim3(8, 8), dim3(16, 16), in, in, out);
    RUN(k_block16x16_tiled, dim3(8, 8), dim3(16, 16), in, in, out);
    RUN(k_block8x8_guard, dim3(13, 13), dim3(8, 8), in, out, 100);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
