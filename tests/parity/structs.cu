// SPDX-License-Identifier: MIT
// Structs, copied whole and read by a field; 2- and 16-byte elements; vectors that straddle.
#include "parity.h"
#include <cuda_fp16.h>

struct F3 {
    float x, y, z;
};
struct F4 {
    float x, y, z, w;
};
struct alignas(16) A4 {
    float x, y, z, w;
};
struct F5 {
    float v[5];
};
struct F8 {
    float x, y, z, w, a, b, c, d;
};
struct Bytes3 {
    unsigned char r, g, b;
};

#define COPY(name, type)                                                                                     \
    KERNEL name(const type *in, type *out)                                                                   \
    {                                                                                                        \
        out[THREAD] = in[THREAD];                                                                            \
    }
COPY(k_struct12, F3)
COPY(k_float3, float3)
COPY(k_struct16, F4)
COPY(k_struct16_aligned, A4)
COPY(k_struct20, F5)
COPY(k_struct32, F8)
COPY(k_struct_bytes3, Bytes3)
COPY(k_float2, float2)
COPY(k_double, double)
COPY(k_double2, double2)
COPY(k_char, char)
COPY(k_char4, char4)
COPY(k_half, __half)
COPY(k_half2, __half2)

KERNEL k_float3_fields(const float3 *in, float *out)
{
    float3 v = in[THREAD];
    out[THREAD] = v.x + v.y + v.z;
}
KERNEL k_float4_fields(const float4 *in, float *out)
{
    float4 v = in[THREAD];
    out[THREAD] = v.x + v.y + v.z + v.w;
}
KERNEL k_struct32_last(F8 *bodies)
{
    bodies[THREAD].d += 1;
}
KERNEL k_struct32_two(F8 *bodies, float *out)
{
    out[THREAD] = bodies[THREAD].x * bodies[THREAD].d;
}
KERNEL k_char_stride3(const unsigned char *in, unsigned char *out)
{
    out[THREAD] = in[3 * THREAD + 1];
}
KERNEL k_float4_stride2(const float4 *in, float4 *out)
{
    out[THREAD] = in[2 * THREAD];
}
KERNEL k_float4_offset1(const float4 *in, float4 *out)
{
    out[THREAD] = in[THREAD + 1];
}
KERNEL k_float4_backward(const float4 *in, float4 *out)
{
    out[THREAD] = in[N - 1 - THREAD];
}
KERNEL k_float4_broadcast(const float4 *in, float4 *out)
{
    out[THREAD] = in[blockIdx.x];
}
KERNEL k_float4_pairs(const float4 *in, float4 *out)
{
    out[THREAD] = in[THREAD / 2];
}
KERNEL k_double_stride3(const double *in, double *out)
{
    out[THREAD] = in[3 * THREAD];
}
KERNEL k_double_broadcast(const double *in, double *out)
{
    out[THREAD] = in[blockIdx.x];
}

int main()
{
    char *in = zeros<char>(64 * N), *out = zeros<char>(64 * N);
#define RUN_COPY(name, type) RUN(name, GRID, BLOCK, (type *)in, (type *)out)
    RUN_COPY(k_struct12, F3);
    RUN_COPY(k_float3, float3);
    RUN_COPY(k_struct16, F4);
    RUN_COPY(k_struct16_aligned, A4);
    RUN_COPY(k_struct20, F5);
    RUN_COPY(k_struct32, F8);
    RUN_COPY(k_struct_bytes3, Bytes3);
    RUN_COPY(k_float2, float2);
    RUN_COPY(k_double, double);
    RUN_COPY(k_double2, double2);
    RUN_COPY(k_char, char);
    RUN_COPY(k_char4, char4);
    RUN_COPY(k_half, __half);
    RUN_COPY(k_half2, __half2);
    RUN(k_float3_fields, GRID, BLOCK, (float3 *)in, (float *)out);
    RUN(k_float4_fields, GRID, BLOCK, (float4 *)in, (float *)out);
    RUN(k_struct32_last, GRID, BLOCK, (F8 *)in);
    RUN(k_struct32_two, GRID, BLOCK, (F8 *)in, (float *)out);
    RUN(k_char_stride3, GRID, BLOCK, (unsigned char *)in, (unsigned char *)out);
    RUN(k_float4_stride2, GRID, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_float4_offset1, GRID, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_float4_backward, GRID, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_float4_broadcast, GRID, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_float4_pairs, GRID, BLOCK, (float4 *)in, (float4 *)out);
    RUN(k_double_stride3, GRID, BLOCK, (double *)in, (double *)out);
    RUN(k_double_broadcast, GRID, BLOCK, (double *)in, (double *)out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
