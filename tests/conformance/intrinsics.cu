/* SPDX-License-Identifier: MIT */
/* Intrinsics: bits, roundings and conversions as one hash each; warp operations and atomics as numbers. */
#include "probe.h"

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t e_ = (call);                                                           \
        if (e_ != cudaSuccess) {                                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_));                       \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

enum { N = 1 << 16 };
typedef unsigned long long u64;

__device__ static u64 bits(float v) { return isnan(v) ? 0x7fffffff : __float_as_uint(v); }
__device__ static u64 bits(double v) { return isnan(v) ? ~0ull : (u64)__double_as_longlong(v); }

#define FOUR(X, name, args) X(name##_rn args) X(name##_rz args) X(name##_rd args) X(name##_ru args)
#define INTEGERS(X)                                                                                      \
    X(__popc(a)) X(__popcll(l)) X(__clz(a >> (b & 31))) X(__clz(0)) X(__clzll(l >> (a & 63))) X(__clzll(0)) \
    X(__ffs(a << (b & 31))) X(__ffs(0)) X(__ffsll(l << (a & 63))) X(__brev(a)) X(__brevll(l))            \
    X(__byte_perm(a, b, c)) X(__funnelshift_l(a, b, c)) X(__funnelshift_lc(a, b, c & 63))                \
    X(__funnelshift_r(a, b, c)) X(__funnelshift_rc(a, b, c & 63)) X(__mulhi((int)a, (int)b))             \
    X(__umulhi(a, b)) X(__mul64hi(l, m)) X(__umul64hi(l, m)) X(__mul24(a, b)) X(__umul24(a, b))          \
    X(__sad((int)a, (int)b, c)) X(__usad(a, b, c)) X(__hadd((int)a, (int)b)) X(__rhadd((int)a, (int)b))  \
    X(__uhadd(a, b)) X(__urhadd(a, b)) X(__dp4a((int)a, (int)b, (int)c)) X(__dp4a(a, b, c))              \
    X(__fns(a, b & 31, (int)(c & 15) - 7)) X(__double2hiint(d)) X(__double2loint(d))                     \
    X(min((int)a, (int)b)) X(min(a, (int)b)) X(min((int)a, b)) X(max((int)a, b)) X(max((long long)l, m)) \
    X(min((long long)l, (long long)m)) X(max((long)l, (long)m)) X(umin(a, b)) X(ullmax(l, m))            \
    X(llmin((long long)l, (long long)m))
#define REALS(X)                                                                                         \
    FOUR(X, __fadd, (f, g)) FOUR(X, __fsub, (f, g)) FOUR(X, __fmul, (f, g)) FOUR(X, __fdiv, (f, g))      \
    FOUR(X, __fmaf, (f, g, h)) FOUR(X, __frcp, (f)) FOUR(X, __fsqrt, (f)) FOUR(X, __dadd, (d, e))        \
    FOUR(X, __dmul, (d, e)) FOUR(X, __ddiv, (d, e)) FOUR(X, __fma, (d, e, d)) FOUR(X, __drcp, (d))       \
    FOUR(X, __dsqrt, (d)) FOUR(X, __double2float, (d)) FOUR(X, __int2float, ((int)a))                    \
    FOUR(X, __uint2float, (a)) FOUR(X, __ll2float, ((long long)l)) FOUR(X, __ull2float, (l))             \
    FOUR(X, __ll2double, ((long long)l)) FOUR(X, __ull2double, (l)) X(__frsqrt_rn(f))                    \
    X(__saturatef(f)) X(min(f, g)) X(max(f, g)) X(min(f, d)) X(max(d, g)) X(__hiloint2double(a, b))
#define CONVERSIONS(X)                                                                                   \
    FOUR(X, __float2int, (f)) FOUR(X, __float2uint, (f)) FOUR(X, __float2ll, (f))                        \
    FOUR(X, __float2ull, (f)) FOUR(X, __double2int, (d)) FOUR(X, __double2uint, (d))                     \
    FOUR(X, __double2ll, (d)) FOUR(X, __double2ull, (d))

#define NAME(e) #e,
#define WHOLE(e) case __COUNTER__ - first: return (u64)(e);
#define REAL(e) case __COUNTER__ - first: return bits(e);
static const char *const names[] = {INTEGERS(NAME) REALS(NAME) CONVERSIONS(NAME)};
enum { COUNT = sizeof names / sizeof *names };

enum { first = __COUNTER__ + 1 };
__device__ static u64 value(int op, unsigned i)
{
    const unsigned a = mixed(i), b = mixed(i + N), c = mixed(i + 2 * N);
    const u64 l = (u64)b << 32 | a, m = (u64)c << 32 | b;
    const bool near = i & 1; // of the size of integers, or any float at all
    const float f = near ? (float)((int)a >> (c & 31)) * 0.37f : __uint_as_float(a);
    const float g = near ? (float)((int)b >> (a & 31)) * 0.5f : __uint_as_float(b);
    const float h = __uint_as_float(c);
    const double d = near ? (double)(long long)l / 1000 : __longlong_as_double((long long)l);
    const double e = near ? f * 1.25 : __longlong_as_double((long long)m);
    switch (op) {
        INTEGERS(WHOLE)
        REALS(REAL)
        CONVERSIONS(WHOLE)
    }
    return h > 0;
}

__global__ void table(int op, u64 *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = value(op, i);
}

enum { SHUFFLES = 6 * 4, WARP = SHUFFLES + 14 };

/* out[k * 32 + lane] for each warp operation k */
__global__ void warp(u64 *out)
{
    const unsigned lane = threadIdx.x, all = 0xffffffff, x = mixed(lane), few = x % 5;
    int k = 0, same = 0;
    for (int width = 1; width <= 32; width *= 2) {
        u64 sum[4] = {};
        for (int by = 0; by < 36; by++) {
            sum[0] = sum[0] * 33 + __shfl_sync(all, (int)lane, by, width);
            sum[1] = sum[1] * 33 + __shfl_up_sync(all, (u64)lane, by, width);
            sum[2] = sum[2] * 33 + (u64)__shfl_down_sync(all, (float)lane, by, width);
            sum[3] = sum[3] * 33 + (u64)__shfl_xor_sync(all, (double)lane, by, width);
        }
        for (int way = 0; way < 4; way++)
            out[k++ * 32 + lane] = sum[way];
    }
    out[k++ * 32 + lane] = __ballot_sync(all, x & 4);
    out[k++ * 32 + lane] = __any_sync(all, lane == 7) | __all_sync(all, lane < 31) << 1;
    out[k++ * 32 + lane] = __match_any_sync(all, few);
    out[k++ * 32 + lane] = __match_any_sync(all, (double)few);
    out[k * 32 + lane] = __match_all_sync(all, 5, &same);
    out[k++ * 32 + lane] |= (u64)same << 32;
    out[k * 32 + lane] = __match_all_sync(all, (u64)lane / 31, &same);
    out[k++ * 32 + lane] |= (u64)same << 32;
    out[k++ * 32 + lane] = __reduce_add_sync(all, (int)x) ^ (u64)__reduce_xor_sync(all, x) << 32;
    out[k++ * 32 + lane] = __reduce_min_sync(all, (int)x) ^ (u64)__reduce_max_sync(all, x) << 32;
    out[k++ * 32 + lane] = __reduce_and_sync(all, x | 6) ^ (u64)__reduce_or_sync(all, x & 0xff0) << 32;
    const unsigned odd = 0xaaaaaaaa;
    u64 part[5] = {};
    if (lane & 1) { // only these lanes, in a mask of their own
        part[0] = __ballot_sync(odd, x & 2);
        part[1] = __shfl_down_sync(odd, lane, 2, 16);
        part[2] = __match_any_sync(odd, few);
        part[3] = __reduce_add_sync(odd, lane);
        part[4] = __all_sync(odd, lane & 1);
    }
    for (int i = 0; i < 5; i++)
        out[k++ * 32 + lane] = part[i];
}

#define KEEP(e) out[k++] = (u64)(e);
/* One thread, so that each old value is known. */
__global__ void atomics(int *i, unsigned *u, u64 *l, float *f, double *d, u64 *out)
{
    int k = 0;
    KEEP(atomicAdd(i, 5)) KEEP(atomicSub(i, 9)) KEEP(atomicMin(i, -7)) KEEP(atomicMax(i, 3))
    KEEP(atomicExch(i, -1)) KEEP(atomicCAS(i, -1, 12)) KEEP(atomicCAS(i, 0, 1)) KEEP(*i)
    KEEP(atomicAnd(i, 6)) KEEP(atomicOr(i, 9)) KEEP(atomicXor(i, -1)) KEEP(*i)
    for (int n = 0; n < 4; n++)
        KEEP(atomicInc(u, 2))
    for (int n = 0; n < 4; n++)
        KEEP(atomicDec(u, 2))
    *u = 9;
    KEEP(atomicInc(u, 2))
    *u = 9;
    KEEP(atomicDec(u, 2)) KEEP(*u)
    KEEP(atomicMax(u, 0xfffffff0u)) KEEP(atomicMin_block(u, 4u)) KEEP(atomicAdd_system(u, 3u))
    KEEP(atomicAdd(l, ~0ull)) KEEP(atomicMax((long long *)l, 0ll)) KEEP(atomicMin(l, 77ull))
    KEEP(atomicExch(l, 1ull << 40)) KEEP(atomicCAS(l, 1ull << 40, 3ull)) KEEP(atomicXor(l, 1ull))
    KEEP(bits(atomicAdd(f, 0.1f))) KEEP(bits(atomicAdd(f, 1e10f))) KEEP(bits(atomicExch(f, -2.0f)))
    KEEP(bits(atomicAdd(d, 0.1))) KEEP(bits(atomicAdd(d, 0.2))) KEEP(bits(*d))
    KEEP(*i) KEEP(*u) KEEP(*l) KEEP(bits(*f))
}

static u64 out[N];

int main()
{
    u64 *d_out;
    CHECK(cudaMalloc(&d_out, sizeof out));
    for (int op = 0; op < COUNT; op++) {
        table<<<N / 256, 256>>>(op, d_out);
        CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
        u64 hash = 0xcbf29ce484222325;
        for (int i = 0; i < N; i++)
            hash = (hash ^ out[i]) * 0x100000001b3;
        printf("%s %016llx\n", names[op], hash);
    }
    warp<<<1, 32>>>(d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int k = 0; k < WARP; k++)
        for (int lane = 0; lane < 32; lane++)
            printf("%s%llx%s", lane ? " " : k < SHUFFLES ? "shuffle " : "warp ", out[k * 32 + lane],
                   lane < 31 ? "" : "\n");
    CHECK(cudaMemset(d_out, 0, sizeof out));
    u64 *p = d_out;
    atomics<<<1, 1>>>((int *)p, (unsigned *)(p + 1), p + 2, (float *)(p + 3), (double *)(p + 4), p + 8);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int k = 8; k < 50; k++)
        printf("atomic %llx\n", out[k]);
    CHECK(cudaFree(d_out));
    return 0;
}
