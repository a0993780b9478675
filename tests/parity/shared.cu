// SPDX-License-Identifier: MIT
// Shared memory: which lanes meet in a bank, for elements of 1 to 16 bytes.
#include "parity.h"

/* Each thread writes what it can reach plainly, then reads element `where`. */
#define READ(name, type, count, where)                                                                       \
    KERNEL name(const type *in, type *out)                                                                   \
    {                                                                                                        \
        __shared__ type s[count];                                                                            \
        unsigned t = threadIdx.x;                                                                            \
        for (unsigned i = t; i < count; i += BLOCK)                                                          \
            s[i] = in[i];                                                                                    \
        __syncthreads();                                                                                     \
        out[THREAD] = s[where];                                                                              \
    }
READ(k_shared_same_word, float, BLOCK, t / 32)
READ(k_shared_stride3, float, 1024, 3 * t)
READ(k_shared_stride4, float, 1024, 4 * t)
READ(k_shared_stride32, float, 8192, 32 * t)
READ(k_shared_hash, float, 2048, hash(t) % 2048)
READ(k_shared_pairs, float, 256, t / 2)
READ(k_shared_halves, float, 256, t % 16)
READ(k_shared_char, char, 256, t)
READ(k_shared_char_stride4, char, 1024, 4 * t)
READ(k_shared_char_stride8, char, 2048, 8 * t)
READ(k_shared_short_backward, short, 256, 255 - t)
READ(k_shared_float2, float2, 256, t)
READ(k_shared_float2_stride2, float2, 512, 2 * t)
READ(k_shared_double, double, 256, t)
READ(k_shared_double_stride2, double, 512, 2 * t)
READ(k_shared_double_stride3, double, 768, 3 * t)
READ(k_shared_double_stride16, double, 4096, 16 * t)
READ(k_shared_double_same, double, 256, t / 32)
READ(k_shared_double_halves, double, 256, t % 16)
READ(k_shared_double_far_halves, double, 1024, t % 16 * 2 + t / 16 * 32)
READ(k_shared_double_hash, double, 1024, hash(t) % 1024)
READ(k_shared_float4, float4, 256, t)
READ(k_shared_float4_backward, float4, 256, 255 - t)
READ(k_shared_float4_stride2, float4, 512, 2 * t)
READ(k_shared_float4_stride3, float4, 768, 3 * t)
READ(k_shared_float4_stride8, float4, 2048, 8 * t)
READ(k_shared_float4_same, float4, 256, t / 32)
READ(k_shared_float4_pairs, float4, 256, t / 2)
READ(k_shared_float4_quarters, float4, 256, t % 8)
READ(k_shared_float4_hash, float4, 1024, hash(t) % 1024)

struct F3 {
    float x, y, z;
};
KERNEL k_shared_struct12(const F3 *in, F3 *out)
{
    __shared__ F3 s[BLOCK];
    s[threadIdx.x] = in[THREAD];
    __syncthreads();
    out[THREAD] = s[BLOCK - 1 - threadIdx.x];
}

/* A tile is written by rows and read by columns, or the other way. */
#define TILE(name, type, width, write, read)                                                                 \
    KERNEL name(const type *in, type *out)                                                                   \
    {                                                                                                        \
        __shared__ type s[32][width];                                                                        \
        unsigned x = threadIdx.x, y = threadIdx.y;                                                           \
        write = in[32 * y + x];                                                                              \
        __syncthreads();                                                                                     \
        out[32 * y + x] = read;                                                                              \
    }
TILE(k_tile_store_column, float, 32, s[x][y], s[y][x])
TILE(k_tile_double_column, double, 32, s[y][x], s[x][y])
TILE(k_tile_double_pad, double, 33, s[y][x], s[x][y])
TILE(k_tile_double_store, double, 32, s[x][y], s[y][x])
TILE(k_tile_float4_column, float4, 32, s[y][x], s[x][y])
TILE(k_tile_float4_pad, float4, 33, s[y][x], s[x][y])
TILE(k_tile_float4_store, float4, 32, s[x][y], s[y][x])

KERNEL k_shared_dynamic(const float *in, float *out)
{
    extern __shared__ float window[];
    window[threadIdx.x * 2] = in[THREAD];
    __syncthreads();
    out[THREAD] = window[2 * (BLOCK - 1 - threadIdx.x)];
}
/* A block's sum: `steps` of the loop, in each the threads that `take`, and the element they add to. */
#define REDUCE(name, steps, take, element)                                                                   \
    KERNEL name(const float *in, float *out)                                                                 \
    {                                                                                                        \
        __shared__ float s[BLOCK];                                                                           \
        unsigned t = threadIdx.x;                                                                            \
        s[t] = in[THREAD];                                                                                   \
        __syncthreads();                                                                                     \
        ROLLED                                                                                               \
        for (steps) {                                                                                        \
            if (take)                                                                                        \
                s[element] += s[element + step];                                                             \
            __syncthreads();                                                                                 \
        }                                                                                                    \
        if (t == 0)                                                                                          \
            out[blockIdx.x] = s[0];                                                                          \
    }
#define UP unsigned step = 1; step < BLOCK; step *= 2
#define DOWN unsigned step = BLOCK / 2; step > 0; step /= 2
REDUCE(k_reduce_interleaved, UP, 2 * step * t < BLOCK, 2 * step * t)
REDUCE(k_reduce_modulo, UP, t % (2 * step) == 0, t)
REDUCE(k_reduce_sequential, DOWN, t < step, t)
KERNEL k_shuffle(const float *in, float *out)
{
    float x = in[THREAD];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0)
        out[THREAD / 32] = x;
}

int main()
{
    char *in = zeros<char>(1 << 20), *out = zeros<char>(1 << 20);
#define RUN_READ(name, type) RUN(name, GRID, BLOCK, (type *)in, (type *)out)
    RUN_READ(k_shared_same_word, float);
    RUN_READ(k_shared_stride3, float);
    RUN_READ(k_shared_stride4, float);
    RUN_READ(k_shared_stride32, float);
    RUN_READ(k_shared_hash, float);
    RUN_READ(k_shared_pairs, float);
    RUN_READ(k_shared_halves, float);
    RUN_READ(k_shared_char, char);
    RUN_READ(k_shared_char_stride4, char);
    RUN_READ(k_shared_char_stride8, char);
    RUN_READ(k_shared_short_backward, short);
    RUN_READ(k_shared_float2, float2);
    RUN_READ(k_shared_float2_stride2, float2);
    RUN_READ(k_shared_double, double);
    RUN_READ(k_shared_double_stride2, double);
    RUN_READ(k_shared_double_stride3, double);
    RUN_READ(k_shared_double_stride16, double);
    RUN_READ(k_shared_double_same, double);
    RUN_READ(k_shared_double_halves, double);
    RUN_READ(k_shared_double_far_halves, double);
    RUN_READ(k_shared_double_hash, double);
    RUN_READ(k_shared_float4, float4);
    RUN_READ(k_shared_float4_backward, float4);
    RUN_READ(k_shared_float4_stride2, float4);
    RUN_READ(k_shared_float4_stride3, float4);
    RUN_READ(k_shared_float4_stride8, float4);
    RUN_READ(k_shared_float4_same, float4);
    RUN_READ(k_shared_float4_pairs, float4);
    RUN_READ(k_shared_float4_quarters, float4);
    RUN_READ(k_shared_float4_hash, float4);
    RUN_READ(k_shared_struct12, F3);
#define RUN_TILE(name, type) RUN(name, 16, dim3(32, 32), (type *)in, (type *)out)
    RUN_TILE(k_tile_store_column, float);
    RUN_TILE(k_tile_double_column, double);
    RUN_TILE(k_tile_double_pad, double);
    RUN_TILE(k_tile_double_store, double);
    RUN_TILE(k_tile_float4_column, float4);
    RUN_TILE(k_tile_float4_pad, float4);
    RUN_TILE(k_tile_float4_store, float4);
    k_shared_dynamic<<<GRID, BLOCK, 2 * BLOCK * sizeof(float)>>>((float *)in, (float *)out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    RUN_READ(k_reduce_interleaved, float);
    RUN_READ(k_reduce_modulo, float);
    RUN_READ(k_reduce_sequential, float);
    RUN_READ(k_shuffle, float);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
