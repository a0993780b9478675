/* SPDX-License-Identifier: MIT */
/* SIMD in a word, dot products, 16-byte atomics, scopes of atomics, kinds of addresses. */
#include "probe.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 1 << 16 };
typedef unsigned long long u64;

#define BOTH(X, name, args) X(name##2 args) X(name##4 args)
#define SIGNS(X, name, args) BOTH(X, name##s, args) BOTH(X, name##u, args)
#define COMPARES(X, name)                                                                                    \
    BOTH(X, name##eq, (a, b)) BOTH(X, name##ne, (a, b)) SIGNS(X, name##lt, (a, b))                           \
    SIGNS(X, name##le, (a, b)) SIGNS(X, name##gt, (a, b)) SIGNS(X, name##ge, (a, b))
#define EXTREMES(X, way)                                                                                     \
    X(__vi##way##3_s32((int)a, (int)b, (int)c)) X(__vi##way##3_u32(a, b, c)) X(__vi##way##3_s16x2(a, b, c))  \
    X(__vi##way##3_u16x2(a, b, c)) X(__vi##way##_s32_relu((int)a, (int)b)) X(__vi##way##_s16x2_relu(a, b))   \
    X(__vi##way##3_s32_relu((int)a, (int)b, (int)c)) X(__vi##way##3_s16x2_relu(a, b, c))                     \
    X(__viadd##way##_s32((int)a, (int)b, (int)c)) X(__viadd##way##_u32(a, b, c))                             \
    X(__viadd##way##_s16x2(a, b, c)) X(__viadd##way##_u16x2(a, b, c))                                        \
    X(__viadd##way##_s32_relu((int)a, (int)b, (int)c)) X(__viadd##way##_s16x2_relu(a, b, c))                 \
    X(__vib##way##_s32((int)a, (int)b, &p) + 3u * p) X(__vib##way##_u32(a, b, &p) + 3u * p)                  \
    X(__vib##way##_s16x2(a, b, &p, &q) + 3u * p + 7u * q)                                                    \
    X(__vib##way##_u16x2(a, b, &p, &q) + 3u * p + 7u * q)
#define ALL(X)                                                                                               \
    BOTH(X, __vadd, (a, b)) BOTH(X, __vsub, (a, b)) BOTH(X, __vaddss, (a, b)) BOTH(X, __vsubss, (a, b))      \
    BOTH(X, __vaddus, (a, b)) BOTH(X, __vsubus, (a, b)) BOTH(X, __vneg, (a)) BOTH(X, __vnegss, (a))          \
    BOTH(X, __vabs, (a)) BOTH(X, __vabsss, (a)) SIGNS(X, __vabsdiff, (a, b)) SIGNS(X, __vmax, (a, b))        \
    SIGNS(X, __vmin, (a, b)) SIGNS(X, __vavg, (a, b)) BOTH(X, __vhaddu, (a, b)) SIGNS(X, __vsad, (a, b))     \
    COMPARES(X, __vcmp) COMPARES(X, __vset) EXTREMES(X, max) EXTREMES(X, min)                                \
    X(__dp4a((int)a, (int)b, (int)c)) X(__dp4a(a, b, c)) X(__dp2a_lo((int)a, (int)b, (int)c))                \
    X(__dp2a_lo(a, b, c)) X(__dp2a_hi((int)a, (int)b, (int)c)) X(__dp2a_hi(a, b, c))                         \
    X(__dp2a_hi(make_short2(a, b), make_char4(c, b, a, c), 5))                                               \
    X(__dp2a_lo(make_ushort2(a, b), make_uchar4(c, b, a, c), 5u))                                            \
    X(__dp4a(make_char4(a, b, c, 7), make_char4(c, b, a, c), 5))                                             \
    X(__nv_bswap16((unsigned short)a)) X(__nv_bswap32(a)) X((unsigned)(__nv_bswap64(a * 77ull) >> 13))       \
    X(__float_as_uint(__fmaf_ieee_rz(__uint_as_float(a & 0x7effffff), __uint_as_float(b & 0x3fffffff),       \
                                     __uint_as_float(c & 0x7effffff))))

#define NAME(e) #e,
#define VALUE(e) case __COUNTER__ - first: return (unsigned)(e);
static const char *const names[] = {ALL(NAME)};
enum { COUNT = sizeof names / sizeof *names };
enum { first = __COUNTER__ + 1 };

__device__ static unsigned value(int op, unsigned a, unsigned b, unsigned c)
{
    bool p = false, q = false;
    switch (op) {
        ALL(VALUE)
    }
    return p + q;
}

/* Words at random, with the edges of halfwords and bytes among them. */
__device__ static unsigned word(unsigned i)
{
    const unsigned v = mixed(i), w = mixed(i + 0x10000000);
    const unsigned edges[] = {0x80007fff, 0x0000ffff, 0x7f80ff00, 0x80808080};
    return w & 3 ? v : w & 4 ? edges[w >> 3 & 3] : (v & 0xffff00ff) | (edges[w >> 3 & 3] & 0xff00);
}

__global__ void table(int op, unsigned *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = value(op, word(i), word(i + N), word(i + 2 * N));
}

static u64 hash_of(const unsigned *v, int n)
{
    u64 hash = 0xcbf29ce484222325;
    for (int i = 0; i < n; i++)
        hash = (hash ^ v[i]) * 0x100000001b3;
    return hash;
}

static void words()
{
    static unsigned back[N];
    unsigned *d;
    ASK(cudaMalloc(&d, sizeof back));
    for (int op = 0; op < COUNT; op++) {
        table<<<N / 256, 256>>>(op, d);
        if (cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost))
            SAY("%s", cudaGetErrorName(cudaGetLastError()));
        SAY("%s %016llx", names[op], hash_of(back, N));
    }
    ASK(cudaFree(d));
}

/* The rounded average of signed parts, where it is negative. */
__global__ void averages(unsigned *out)
{
    const unsigned a[] = {0xffff0001, 0xfffffffe, 0x8000fffd, 0x7fff8000, 0x00010002, 0xfffe0003};
    const unsigned b[] = {0x0000fffe, 0xfffefffe, 0x80000001, 0x7ffe8001, 0xfffcfffd, 0x0001fffe};
    out[threadIdx.x] = __vavgs2(a[threadIdx.x], b[threadIdx.x]);
    out[threadIdx.x + 6] = __vavgs4(a[threadIdx.x], b[threadIdx.x]);
}

static void signed_averages()
{
    unsigned *d, back[12];
    ASK(cudaMalloc(&d, sizeof back));
    averages<<<1, 6>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (unsigned v : back)
        SAY("%08x", v);
}

struct alignas(16) pair {
    u64 key, count;
};

__global__ void sixteen(pair *p, unsigned *swapped)
{
    pair mine = {5, threadIdx.x + 1}, seen = *p;
    for (;;) { // the maximum of all, by compare and swap
        if (seen.count >= mine.count)
            break;
        const pair before = atomicCAS(p, seen, mine);
        if (before.key == seen.key && before.count == seen.count)
            break;
        seen = before;
    }
    const pair wrong = {1, 2};
    atomicCAS_block(p + 1, wrong, mine);
    atomicCAS_system(p + 2, pair{0, 0}, pair{8, 9});
    const pair old = atomicExch(p + 3, pair{threadIdx.x, threadIdx.x * 3});
    atomicAdd(swapped, old.count != old.key * 3);
}

static void wide_atomics()
{
    pair *d, back[4];
    unsigned *bad, count = 0;
    ASK(cudaMalloc(&d, sizeof back));
    ASK(cudaMalloc(&bad, sizeof *bad));
    ASK(cudaMemset(d, 0, sizeof back));
    ASK(cudaMemset(bad, 0, sizeof *bad));
    sixteen<<<1, 100>>>(d, bad);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(&count, bad, sizeof count, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++)
        SAY("%llu %llu", back[i].key, back[i].count);
    SAY("torn: %d %u", back[3].count != back[3].key * 3, count);
}

/* Each kind in each scope: the sum of what they leave. */
__global__ void scopes(u64 *u, int *n, unsigned *w, float *f, double *d, float4 *v, half *h, half2 *h2,
                       __nv_bfloat16 *b, __nv_bfloat162 *b2)
{
    const unsigned t = threadIdx.x;
#define THREE(name, ...)                                                                                     \
    atomic##name(__VA_ARGS__), atomic##name##_block(__VA_ARGS__), atomic##name##_system(__VA_ARGS__)
    THREE(Add, u, 3ull << 32 | t), THREE(Min, u + 1, (u64)t), THREE(Max, u + 2, (u64)t);
    THREE(Or, u + 3, 1ull << t), THREE(And, u + 4, ~(1ull << t)), THREE(Xor, u + 5, 1ull << t);
    THREE(Add, n, -3), THREE(Sub, n + 1, 5), THREE(Min, n + 2, -(int)t), THREE(Max, n + 3, (int)t);
    THREE(Inc, w, 40u), THREE(Dec, w + 1, 40u), THREE(Xor, w + 2, t), THREE(Sub, w + 3, t);
    THREE(Add, f, 0.5f), THREE(Add, d, 0.25);
    THREE(Add, v, make_float4(1, 2, 3, 4)), THREE(Add, (float2 *)(v + 1), make_float2(5, 6));
    atomicAdd(h, __float2half(0.5f)), atomicAdd(h2, __floats2half2_rn(1, 2));
    atomicAdd(b, __float2bfloat16(0.5f)), atomicAdd(b2, __floats2bfloat162_rn(1, 2));
#undef THREE
}

static void atomic_scopes()
{
    char *d;
    static unsigned back[128];
    ASK(cudaMalloc(&d, sizeof back));
    ASK(cudaMemset(d, 0, sizeof back));
    scopes<<<1, 32>>>((u64 *)d, (int *)(d + 64), (unsigned *)(d + 96), (float *)(d + 112),
                      (double *)(d + 120), (float4 *)(d + 128), (half *)(d + 160), (half2 *)(d + 164),
                      (__nv_bfloat16 *)(d + 168), (__nv_bfloat162 *)(d + 172));
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 44; i += 4)
        SAY("%08x %08x %08x %08x", back[i], back[i + 1], back[i + 2], back[i + 3]);
}

__constant__ int in_constant[4];
__device__ int in_device[4];

__device__ static unsigned kinds(const void *p)
{
    return (__isGlobal(p) != 0) | (__isShared(p) != 0) << 1 | (__isConstant(p) != 0) << 2 |
           (__isLocal(p) != 0) << 3;
}

__global__ void addresses(unsigned *out, int *pinned, int n)
{
    __shared__ int in_shared[4];
    extern __shared__ int in_dynamic[];
    int local[4] = {n, n, n, n};
    in_shared[n] = n;
    in_dynamic[n] = n;
    out[0] = kinds(out), out[1] = kinds(pinned), out[2] = kinds(in_device + n), out[3] = kinds(in_shared + n);
    out[4] = kinds(in_dynamic + n), out[5] = kinds(in_constant + n), out[6] = kinds(local + n);
    out[7] = *(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(in_shared + n));
    out[8] = *(int *)__cvta_global_to_generic(__cvta_generic_to_global(in_device + n));
    out[9] = *(int *)__cvta_local_to_generic(__cvta_generic_to_local(local + n));
    out[10] = *(const int *)__cvta_constant_to_generic(__cvta_generic_to_constant(in_constant + n));
    out[11] = __ldg(out + 17) + __ldca(out + 1) + __ldcg(out + 2) + __ldcs(out + 3) + __ldlu(out + 4) +
              __ldcv(out + 5);
    __stcg(out + 12, 1u), __stcs(out + 13, 2u), __stwb(out + 14, 3u), __stwt(out + 15, 4u);
    const long long start = clock64();
    __nanosleep(100);
    out[16] = clock64() > start;
}

static void address_kinds()
{
    unsigned *d, back[18];
    int *pinned, one[4] = {11, 12, 13, 14};
    ASK(cudaMalloc(&d, sizeof back));
    ASK(cudaMallocHost(&pinned, sizeof *pinned));
    ASK(cudaMemcpyToSymbol(in_constant, one, sizeof one));
    ASK(cudaMemcpyToSymbol(in_device, one, sizeof one));
    ASK(cudaMemset(d, 0, sizeof back));
    addresses<<<1, 1, 64>>>(d, pinned, 1);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (unsigned v : back)
        SAY("%u", v);
}

int main()
{
    CASE(words);
    CASE(signed_averages);
    CASE(wide_atomics);
    CASE(atomic_scopes);
    CASE(address_kinds);
    return 0;
}
