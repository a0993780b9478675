/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief C's mathematics and exact conversion of formats: what math.h and the 16-bit types share.
 */
#ifndef SIM_NUMERIC_H
#define SIM_NUMERIC_H

/* libstdc++'s <cmath> spends half its parse time on C++17's special functions (std::beta and others). */
#include <stdlib.h>
#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <math.h>
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#else
#include <math.h>
#endif

#include "vector_types.h"

namespace sim {

/* `v` is integral, infinite or NaN. The GPU saturates; its NaN is 0, or with 64 bits the top bit alone. */
template <class I, class F> SIM_INLINE I to_integer(F v)
{
    constexpr int bits = sizeof(I) * 8;
    constexpr bool is_signed = I(-1) < I(0);
    constexpr I top = I(1ull << (bits - 1)), low = is_signed ? top : I(0), high = I(~low);
    const F limit = F(1ull << (bits - 1)) * (is_signed ? 1 : 2);
    if (v != v)
        return sizeof(F) == 8 || sizeof(I) == 8 ? top : I(0);
    return v >= limit ? high : v < (F)low ? low : (I)v;
}

enum rounding { to_nearest, to_zero, down, up };

/* From a format of SE exponent and SM mantissa bits to one of E and M, all IEEE-like. */
template <int E, int M, int SE, int SM>
inline unsigned short narrow_bits(unsigned long long bits, rounding mode)
{
    constexpr unsigned long long infinite = ((1ull << E) - 1) << M;
    constexpr unsigned long long source_infinite = ((1ull << SE) - 1) << SM;
    const bool negative = bits >> (SE + SM) & 1;
    const unsigned long long magnitude = bits & ((1ull << (SE + SM)) - 1);
    if (magnitude > source_infinite)
        return 0x7fff;
    unsigned long long mantissa = magnitude & ((1ull << SM) - 1);
    int exponent = (int)(magnitude >> SM);
    if (exponent)
        mantissa |= 1ull << SM;
    else
        exponent = 1;
    exponent += (1 << (E - 1)) - (1 << (SE - 1));
    int shift = SM - M;
    if (exponent < 1) { // subnormal here
        shift = 1 - exponent > M + 2 ? SM + 2 : shift + 1 - exponent;
        exponent = 1;
    }
    const unsigned long long rest = mantissa & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    unsigned long long value = ((unsigned long long)(exponent - 1) << M) + (mantissa >> shift);
    value += mode == to_nearest ? rest > tie || (rest == tie && (value & 1))
                                : rest && mode == (negative ? down : up);
    if (value >= infinite) {
        const bool away = mode == to_nearest || mode == (negative ? down : up) ||
                          magnitude == source_infinite;
        value = away ? infinite : infinite - 1;
    }
    return (unsigned short)(value | (negative ? 0x8000 : 0));
}

template <int E, int M> SIM_INLINE unsigned short narrow(float v, rounding mode)
{
    return narrow_bits<E, M, 8, 23>(__builtin_bit_cast(unsigned, v), mode);
}
template <int E, int M> SIM_INLINE unsigned short narrow(double v, rounding mode)
{
    return narrow_bits<E, M, 11, 52>(__builtin_bit_cast(unsigned long long, v), mode);
}

/* A conversion from double keeps what fits of a NaN; everything else gives the one NaN, 0x7fff. */
template <int E, int M> SIM_INLINE unsigned short from_double(double v)
{
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
    if (v != v)
        return (unsigned short)((bits >> 48 & 0x8000) | ((2u << E) - 1) << (M - 1) |
                                (bits >> (52 - M) & ((1 << M) - 1)));
    return narrow_bits<E, M, 11, 52>(bits, to_nearest);
}

/* An integer as a double that narrows as the integer would: bits beyond 53 leave a trace in the last. */
SIM_INLINE double sticky(unsigned long long v)
{
    return v >> 53 ? (double)(v >> 11 | ((v & 0x7ff) != 0)) * 2048 : (double)v;
}
SIM_INLINE double sticky(long long v)
{
    return v < 0 ? -sticky(0 - (unsigned long long)v) : sticky((unsigned long long)v);
}

/* a * b + c of 16-bit operands, rounded to odd, so that narrowing it rounds once. The product is exact. */
inline double fused(float a, float b, float c)
{
    const double product = (double)a * b, sum = product + c;
    const double other = sum - product, error = (product - (sum - other)) + (c - other);
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
    if (!(error > 0 || error < 0) || (bits & 1)) // exact, infinite, NaN, or odd already
        return sum;
    return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

} // namespace sim

#endif
