// SPDX-License-Identifier: MIT
// Access patterns that a course on memory begins with. 65,536 threads each.
#include "parity.h"

enum { ALL = 65536, BLOCKS = ALL / BLOCK, SIDE = 256, TILE = 32, ROWS = 8 };
struct Body {
    float x, y, z, vx, vy, vz, mass, charge;
};

KERNEL k_coalesced(const float *in, float *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_stride2(const float *in, float *out)
{
    out[THREAD] = in[2 * THREAD];
}
KERNEL k_stride8(const float *in, float *out)
{
    out[THREAD] = in[8 * THREAD];
}
KERNEL k_stride32(const float *in, float *out)
{
    out[THREAD] = in[32 * THREAD];
}
KERNEL k_offset1(const float *in, float *out)
{
    out[THREAD] = in[THREAD + 1];
}
KERNEL k_float4(const float4 *in, float4 *out)
{
    out[THREAD] = in[THREAD];
}

KERNEL k_transpose_naive(const float *in, float *out)
{
    unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[x * SIDE + y + j] = in[(y + j) * SIDE + x];
}
#define TRANSPOSE(name, width)                                                                               \
    KERNEL name(const float *in, float *out)                                                                 \
    {                                                                                                        \
        __shared__ float tile[TILE][width];                                                                  \
        unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE, column = blockIdx.x * TILE;      \
        for (int j = 0; j < TILE; j += ROWS)                                                                 \
            tile[y + j][x] = in[(row + y + j) * SIDE + column + x];                                          \
        __syncthreads();                                                                                     \
        for (int j = 0; j < TILE; j += ROWS)                                                                 \
            out[(column + y + j) * SIDE + row + x] = tile[x][y + j];                                         \
    }
TRANSPOSE(k_transpose_tile, TILE)
TRANSPOSE(k_transpose_pad, TILE + 1)

KERNEL k_stencil(const float *in, float *out)
{
    int i = (int)THREAD, left = i > 0 ? i - 1 : 0, right = i < ALL - 1 ? i + 1 : ALL - 1;
    out[i] = in[left] + in[i] + in[right];
}
KERNEL k_aos(const Body *in, float *out)
{
    out[THREAD] = in[THREAD].y;
}
KERNEL k_half_pair(const short *in, short *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_smem_stride2(float *out)
{
    __shared__ float s[2 * BLOCK];
    s[threadIdx.x] = s[threadIdx.x + BLOCK] = (float)threadIdx.x;
    __syncthreads();
    out[THREAD] = s[2 * threadIdx.x];
}
KERNEL k_smem_double(double *out)
{
    __shared__ double s[BLOCK];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[THREAD] = s[BLOCK - 1 - threadIdx.x];
}
KERNEL k_broadcast(const float *in, float *out)
{
    out[THREAD] = in[blockIdx.x];
}
KERNEL k_partial(const float *in, float *out, unsigned n)
{
    if (THREAD < n)
        out[THREAD] = in[THREAD];
}
KERNEL k_atomic(const int *in, int *counters)
{
    atomicAdd(&counters[in[THREAD] & 15], 1);
}

int main()
{
    float *in = zeros<float>(32 * ALL), *out = zeros<float>(8 * ALL);
    dim3 tiles(SIDE / TILE, SIDE / TILE), threads(TILE, ROWS);
    RUN(k_coalesced, BLOCKS, BLOCK, in, out);
    RUN(k_stride2, BLOCKS, BLOCK, in, out);
    RUN(k_stride8, BLOCKS, BLOCK, in, out);
    RUN(k_stride32, BLOCKS, BLOCK, in, out);
    RUN(k_offset1, BLOCKS, BLOCK, in, out);
    RUN(k_float4, BLOCKS, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_transpose_naive, tiles, threads, in, out);
    RUN(k_transpose_tile, tiles, threads, in, out);
    RUN(k_transpose_pad, tiles, threads, in, out);
    RUN(k_stencil, BLOCKS, BLOCK, in, out);
    RUN(k_aos, BLOCKS, BLOCK, (Body *)in, out);
    RUN(k_half_pair, BLOCKS, BLOCK, (short *)in, (short *)out);
    RUN(k_smem_stride2, BLOCKS, BLOCK, out);
    RUN(k_smem_double, BLOCKS, BLOCK, (double *)out);
    RUN(k_broadcast, BLOCKS, BLOCK, in, out);
    RUN(k_partial, BLOCKS, BLOCK, in, out, 65459);
    int *index = values(ALL, [](unsigned i) { return i; });
    RUN(k_atomic, BLOCKS, BLOCK, index, (int *)out);
    CHECK(cudaFree(index));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
