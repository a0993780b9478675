/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief bfloat16: `__nv_bfloat16`, `__nv_bfloat162` and their functions.
 *
 * The upper half of a float: its range, and 8 significant bits.
 * Conversions, sums, products, quotients and fused multiply-adds have an H200's bits, NaNs included.
 */
#ifndef SIM_CUDA_BF16_H
#define SIM_CUDA_BF16_H

#include <sim/numeric.h>
#ifdef __CUDACC__
#include <sim/atomic.h>
#include <sim/warp.h>
#endif

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __half;

namespace sim {

SIM_INLINE float widen(__nv_bfloat16_raw v) { return __builtin_bit_cast(float, (unsigned)v.x << 16); }

} // namespace sim

#define SIM_T __nv_bfloat16
#define SIM_RAW __nv_bfloat16_raw
#define SIM_OTHER __half
#define SIM_T2 __nv_bfloat162
#define SIM_RAW2 __nv_bfloat162_raw
#define SIM_EXPONENT 8
#define SIM_MANTISSA 7
#define SIM_N(a, b) a##bfloat16##b
#define SIM_NN(a, b, c) a##bfloat16##b##bfloat16##c
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

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#ifdef SIM_CUDA_FP16_H // whichever comes second knows both
inline __half::__half(__nv_bfloat16 v) : __half(sim::widen(v)) {}
inline __nv_bfloat16::__nv_bfloat16(__half v) : __nv_bfloat16(sim::widen(v)) {}
#endif

#endif
