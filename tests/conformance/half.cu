/* SPDX-License-Identifier: MIT */
/* Half and bfloat16: the bits of every conversion and of arithmetic, as one hash for each function. */
#include "probe.h"
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t e_ = (call);                                                           \
        if (e_ != cudaSuccess) {                                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_));                       \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

enum { N = 1 << 18 };

__device__ static unsigned bits(half v) { return __half_as_ushort(v); }
__device__ static unsigned bits(__nv_bfloat16 v) { return __bfloat16_as_ushort(v); }
__device__ static unsigned bits(half2 v) { return bits(__low2half(v)) | bits(__high2half(v)) << 16; }
__device__ static unsigned bits(__nv_bfloat162 v)
{
    return bits(__low2bfloat16(v)) | bits(__high2bfloat16(v)) << 16;
}
__device__ static unsigned bits(float v) { return __float_as_uint(v); }
__device__ static unsigned bits(float2 v) { return bits(v.x) ^ bits(v.y) * 3; }

/* Floats of all sizes, and those on and beside the middle between two 16-bit values. */
__device__ static float a_float(unsigned i)
{
    const unsigned near_tie[8] = {0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001};
    if (i < N / 4)
        return __uint_as_float(mixed(i));
    if (i < N / 2)
        return __uint_as_float((mixed(i) & 0x8fffffff) | 0x30000000); // where half has subnormals and normals
    return __uint_as_float((mixed(i) & 0xffff0000) + ((i >> 3 & 3) << 13) + near_tie[i & 7]);
}

/* P: prefix of the operands; M(before, after): a function's name, the type's name between its parts */
#define OPS(X, P, M)                                                                                      \
    X(P##_widen, bits(M(__, 2float)(o.P##x)))                                                             \
    X(P##_rn, bits(M(__float2, _rn)(o.f))) X(P##_rz, bits(M(__float2, _rz)(o.f)))                         \
    X(P##_rd, bits(M(__float2, _rd)(o.f))) X(P##_ru, bits(M(__float2, _ru)(o.f)))                         \
    X(P##_default, bits(M(__float2, )(o.f))) X(P##_double, bits(M(__double2, )(o.d)))                     \
    X(P##_int_rn, bits(M(__int2, _rn)(o.n))) X(P##_int_rz, bits(M(__int2, _rz)(o.n)))                     \
    X(P##_int_rd, bits(M(__int2, _rd)(o.n))) X(P##_int_ru, bits(M(__int2, _ru)(o.n)))                     \
    X(P##_uint_rn, bits(M(__uint2, _rn)((unsigned)o.n)))                                                  \
    X(P##_short_rn, bits(M(__short2, _rn)((short)o.n)))                                                   \
    X(P##_ll_rn, bits(M(__ll2, _rn)(o.w))) X(P##_ll_rz, bits(M(__ll2, _rz)(o.w)))                         \
    X(P##_ull_ru, bits(M(__ull2, _ru)((unsigned long long)o.w)))                                          \
    X(P##_to_int_rn, M(__, 2int_rn)(o.P##x)) X(P##_to_int_rz, M(__, 2int_rz)(o.P##x))                     \
    X(P##_to_int_rd, M(__, 2int_rd)(o.P##x)) X(P##_to_int_ru, M(__, 2int_ru)(o.P##x))                     \
    X(P##_to_uint_rn, M(__, 2uint_rn)(o.P##x)) X(P##_to_short_rz, M(__, 2short_rz)(o.P##x))               \
    X(P##_to_ushort_rd, M(__, 2ushort_rd)(o.P##x)) X(P##_to_ll_rz, M(__, 2ll_rz)(o.P##x))                 \
    X(P##_to_ull_ru, M(__, 2ull_ru)(o.P##x)) X(P##_to_char, M(__, 2char_rz)(o.P##x))                      \
    X(P##_add, bits(__hadd(o.P##x, o.P##y))) X(P##_sub, bits(__hsub(o.P##x, o.P##y)))                     \
    X(P##_mul, bits(__hmul(o.P##x, o.P##y))) X(P##_fma, bits(__hfma(o.P##x, o.P##y, o.P##z)))             \
    X(P##_fma_cancel, bits(__hfma(o.P##x, o.P##y, __hneg(__hmul(o.P##x, o.P##y)))))                       \
    X(P##_add_sat, bits(__hadd_sat(o.P##x, o.P##y)))                                                      \
    X(P##_mul_sat, bits(__hmul_sat(o.P##x, o.P##y)))                                                      \
    X(P##_fma_sat, bits(__hfma_sat(o.P##x, o.P##y, o.P##z)))                                              \
    X(P##_fma_relu, bits(__hfma_relu(o.P##x, o.P##y, o.P##z)))                                            \
    X(P##_neg, bits(__hneg(o.P##x))) X(P##_abs, bits(__habs(o.P##x)))                                     \
    X(P##_min, bits(__hmin(o.P##x, o.P##y))) X(P##_max, bits(__hmax(o.P##x, o.P##y)))                     \
    X(P##_min_nan, bits(__hmin_nan(o.P##x, o.P##y)))                                                      \
    X(P##_max_nan, bits(__hmax_nan(o.P##x, o.P##y)))                                                      \
    X(P##_ordered, __heq(o.P##x, o.P##y) | __hne(o.P##x, o.P##y) << 1 | __hlt(o.P##x, o.P##y) << 2 |      \
                       __hle(o.P##x, o.P##y) << 3 | __hgt(o.P##x, o.P##y) << 4 |                          \
                       __hge(o.P##x, o.P##y) << 5)                                                        \
    X(P##_unordered, __hequ(o.P##x, o.P##y) | __hneu(o.P##x, o.P##y) << 1 | __hltu(o.P##x, o.P##y) << 2 | \
                       __hleu(o.P##x, o.P##y) << 3 | __hgtu(o.P##x, o.P##y) << 4 |                        \
                       __hgeu(o.P##x, o.P##y) << 5)                                                       \
    X(P##_classes, __hisnan(o.P##x) | (__hisinf(o.P##x) + 1) << 1)                                        \
    X(P##_whole, bits(hfloor(o.P##x)) ^ bits(hceil(o.P##x)) * 3 ^ bits(htrunc(o.P##x)) * 5 ^              \
                   bits(hrint(o.P##x)) * 7)                                                               \
    X(P##_pair, bits(__hfma2(o.P##v, o.P##u, __hadd2(o.P##u, o.P##u))))                                   \
    X(P##_pair_compare, __hlt2_mask(o.P##v, o.P##u) ^ bits(__hgeu2(o.P##v, o.P##u)))                      \
    X(P##_pair_bool, __hbeq2(o.P##v, o.P##v) | __hbltu2(o.P##v, o.P##u) << 1 | (o.P##v > o.P##u) << 2)    \
    X(P##_pair_float, bits(M(__, 22float2)(o.P##v)))                                                      \
    X(P##_pair_parts, bits(M(__lows2, 2)(o.P##v, o.P##u)) ^ bits(__lowhigh2highlow(o.P##v)) * 3)          \
    X(P##_pair_make, bits(M(__floats2, 2_rn)(o.f, (float)o.d)) ^                                          \
                         bits(M(__float22, 2_rn)(make_float2(o.f, 1.0f))) * 3)

#define HALF(a, b) a##half##b
#define BFLOAT(a, b) a##bfloat16##b
#define ALL(X) OPS(X, h, HALF) OPS(X, b, BFLOAT)

struct operands {
    float f;
    double d;
    int n;
    long long w;
    half hx, hy, hz;
    __nv_bfloat16 bx, by, bz;
    half2 hv, hu;
    __nv_bfloat162 bv, bu;
};

__device__ static operands make_operands(unsigned i)
{
    operands o;
    const unsigned short x = i, y = mixed(i) >> 8, z = mixed(i + N) >> 8;
    o.f = a_float(i);
    o.d = (double)o.f * (1 + (double)((int)(mixed(i) & 3) - 1) * 0x1p-45);
    o.n = (int)mixed(i) >> (mixed(i + N) & 31);
    o.w = (long long)((unsigned long long)mixed(i) << 32 | mixed(~i)) >> (mixed(i + N) & 63);
    o.hx = __ushort_as_half(x), o.hy = __ushort_as_half(y), o.hz = __ushort_as_half(z);
    o.bx = __ushort_as_bfloat16(x), o.by = __ushort_as_bfloat16(y), o.bz = __ushort_as_bfloat16(z);
    o.hv = __halves2half2(o.hx, o.hy), o.hu = __halves2half2(o.hz, o.hx);
    o.bv = __halves2bfloat162(o.bx, o.by), o.bu = __halves2bfloat162(o.bz, o.bx);
    return o;
}

#define KERNEL(name, expression)                                       \
    __global__ void name(unsigned long long *out)                      \
    {                                                                  \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;      \
        const operands o = make_operands(i);                           \
        out[i] = (unsigned long long)(expression);                     \
    }
ALL(KERNEL)

struct table {
    const char *name;
    void (*kernel)(unsigned long long *out);
};
#define TABLE(name, expression) {#name, name},
static const table tables[] = {ALL(TABLE)};

__global__ void accumulate(half *h, __nv_bfloat16 *b, half2 *p, int n)
{
    for (int i = 0; i < n; i++) {
        atomicAdd(h, __float2half(0.1f));
        atomicAdd(b, __float2bfloat16(0.1f));
        atomicAdd(p, __floats2half2_rn(1.0f, -0.5f));
    }
}

int main()
{
    unsigned long long *d_out, *h_out = (unsigned long long *)malloc(N * sizeof *h_out);
    CHECK(cudaMalloc(&d_out, N * sizeof *d_out));
    for (const table &t : tables) {
        t.kernel<<<N / 256, 256>>>(d_out);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(h_out, d_out, N * sizeof *d_out, cudaMemcpyDeviceToHost));
        unsigned long long hash = 0xcbf29ce484222325;
        for (int i = 0; i < N; i++)
            hash = (hash ^ h_out[i]) * 0x100000001b3;
        printf("%s %016llx\n", t.name, hash);
    }
    CHECK(cudaMemset(d_out, 0, 8));
    accumulate<<<1, 1>>>((half *)d_out, (__nv_bfloat16 *)d_out + 1, (half2 *)d_out + 1, 4096);
    CHECK(cudaMemcpy(h_out, d_out, 8, cudaMemcpyDeviceToHost));
    printf("accumulated %016llx\n", h_out[0]);
    CHECK(cudaFree(d_out));
    free(h_out);
    return 0;
}
