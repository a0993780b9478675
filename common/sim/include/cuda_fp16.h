/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Half precision: `__half`, `half2` and their functions.
 *
 * 5 bits of exponent, 10 of mantissa: 65504 at most, 2^-24 at least.
 * Conversions, sums, products, quotients and fused multiply-adds have an H200's bits, NaNs included.
 */
#ifndef SIM_CUDA_FP16_H
#define SIM_CUDA_FP16_H

#include <sim/numeric.h>
#ifdef __CUDACC__
#include <sim/atomic.h>
#include <sim/warp.h>
#endif

struct __half_raw {
    unsigned short x;
};
struct __nv_bfloat16;

namespace sim {

/* By exponent: subnormal, infinite or NaN (the GPU has one), everything else. */
SIM_INLINE float widen(__half_raw v)
{
    const unsigned sign = (unsigned)(v.x & 0x8000) << 16, magnitude = v.x & 0x7fff;
    if (magnitude < 0x400)
        return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, (float)magnitude * 0x1p-24f));
    if (magnitude >= 0x7c00)
        return __builtin_bit_cast(float, magnitude == 0x7c00 ? sign | 0x7f800000 : 0x7fffffff);
    return __builtin_bit_cast(float, sign | ((magnitude << 13) + (112u << 23)));
}

} // namespace sim

#define SIM_T __half
#define SIM_RAW __half_raw
#define SIM_OTHER __nv_bfloat16
#define SIM_T2 __half2
#define SIM_RAW2 __half2_raw
#define SIM_EXPONENT 5
#define SIM_MANTISSA 10
#define SIM_N(a, b) a##half##b
#define SIM_NN(a, b, c) a##half##b##half##c
#include <sim/half.inc>
#undef SIM_NN
#undef SIM_N
#undef SIM_MANTISSA
#undef SIM_EXPONENT
#undef SIM_RAW2
#undef SIM_T2
#undef SIM_OTHER
#undef SIM_RAW
#undef SIM_T

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#ifdef SIM_CUDA_BF16_H // whichever comes second knows both
inline __half::__half(__nv_bfloat16 v) : __half(sim::widen(v)) {}
inline __nv_bfloat16::__nv_bfloat16(__half v) : __nv_bfloat16(sim::widen(v)) {}
#endif

#endif
