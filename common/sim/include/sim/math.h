/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The functions that CUDA adds to C's mathematics, and the integer and rounding intrinsics.
 *
 * The approximate intrinsics (`__expf` and its like) answer as exactly as the C library; a GPU's differ in
 * the last bits. Conversions to integers saturate and give NaN the GPU's value, unlike a C cast.
 */
#ifndef SIM_MATH_H
#define SIM_MATH_H

#include <fenv.h>
#include <sim/numeric.h>

/* ---- min and max ---- */

#define SIM_EXTREMES(result, ta, tb)                                                                      \
    SIM_INLINE constexpr result min(ta a, tb b) { return (result)a < (result)b ? (result)a : (result)b; } \
    SIM_INLINE constexpr result max(ta a, tb b) { return (result)a > (result)b ? (result)a : (result)b; }
#define SIM_EXTREMES_MIXED(s, u) \
    SIM_EXTREMES(s, s, s)        \
    SIM_EXTREMES(u, u, u)        \
    SIM_EXTREMES(u, s, u)        \
    SIM_EXTREMES(u, u, s)
/* NaN gives way to a number, and -0 is below +0; the C library leaves both open. */
#define SIM_EXTREMES_REAL(result, ta, tb)                                                                   \
    SIM_INLINE constexpr result min(ta a, tb b)                                                             \
    {                                                                                                       \
        return b != b || a < b || ((result)a == (result)b && __builtin_signbit(a)) ? (result)a : (result)b; \
    }                                                                                                       \
    SIM_INLINE constexpr result max(ta a, tb b)                                                             \
    {                                                                                                       \
        return b != b || a > b || ((result)a == (result)b && __builtin_signbit(b)) ? (result)a : (result)b; \
    }

SIM_EXTREMES_MIXED(int, unsigned)
SIM_EXTREMES_MIXED(long, unsigned long)
SIM_EXTREMES_MIXED(long long, unsigned long long)
SIM_EXTREMES_REAL(float, float, float)
SIM_EXTREMES_REAL(double, double, double)
SIM_EXTREMES_REAL(double, float, double)
SIM_EXTREMES_REAL(double, double, float)
SIM_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SIM_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
SIM_INLINE long long llmin(long long a, long long b) { return min(a, b); }
SIM_INLINE long long llmax(long long a, long long b) { return max(a, b); }
SIM_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SIM_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#undef SIM_EXTREMES_REAL
#undef SIM_EXTREMES_MIXED
#undef SIM_EXTREMES

/* ---- bits and their meaning ---- */

#define SIM_BITS_AS(name, to, from) \
    SIM_INLINE to name(from v) { return __builtin_bit_cast(to, v); }

SIM_BITS_AS(__float_as_int, int, float)
SIM_BITS_AS(__float_as_uint, unsigned, float)
SIM_BITS_AS(__int_as_float, float, int)
SIM_BITS_AS(__uint_as_float, float, unsigned)
SIM_BITS_AS(__double_as_longlong, long long, double)
SIM_BITS_AS(__longlong_as_double, double, long long)
#undef SIM_BITS_AS

SIM_INLINE int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
SIM_INLINE int __double2loint(double v) { return (int)__double_as_longlong(v); }
SIM_INLINE double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}

/* ---- integer intrinsics ---- */

SIM_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
SIM_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
SIM_INLINE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
SIM_INLINE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
SIM_INLINE int __ffs(int v) { return __builtin_ffs(v); }
SIM_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
SIM_INLINE unsigned __brev(unsigned v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}
SIM_INLINE unsigned long long __brevll(unsigned long long v)
{
    return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}

SIM_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= (unsigned)(bytes >> (s >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
SIM_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
SIM_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
SIM_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n)
{
    return n < 32 ? __funnelshift_l(lo, hi, n) : lo;
}
SIM_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n)
{
    return n < 32 ? __funnelshift_r(lo, hi, n) : hi;
}
/* Position of the offset-th set bit from `base` on, upwards or (negative offset) downwards; -1 if none. */
inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> base & 1 ? base : 0xffffffff;
    int left = offset < 0 ? -offset : offset;
    for (int i = (int)base; i >= 0 && i < 32; i += offset < 0 ? -1 : 1)
        if (mask >> i & 1 && --left == 0)
            return (unsigned)i;
    return 0xffffffff;
}

SIM_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
SIM_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
SIM_INLINE long long __mul64hi(long long a, long long b)
{
    __extension__ typedef __int128 wide;
    return (long long)((wide)a * b >> 64);
}
SIM_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    __extension__ typedef unsigned __int128 wide;
    return (unsigned long long)((wide)a * b >> 64);
}
SIM_INLINE int __mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}
SIM_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
SIM_INLINE unsigned __sad(int a, int b, unsigned c)
{
    return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
SIM_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
SIM_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
SIM_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
SIM_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
SIM_INLINE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

SIM_INLINE int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8)
        c = (int)((unsigned)c + (unsigned)((signed char)(a >> i) * (signed char)(b >> i)));
    return c;
}
SIM_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}
SIM_INLINE int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
SIM_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

/* Two halfwords of a by two bytes of b, the low ones or the high ones. */
SIM_INLINE int __dp2a_lo(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((short)a * (signed char)b) +
                 (unsigned)((short)(a >> 16) * (signed char)(b >> 8)));
}
SIM_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
SIM_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
SIM_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
SIM_INLINE int __dp2a_lo(short2 a, char4 b, int c)
{
    return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
SIM_INLINE int __dp2a_hi(short2 a, char4 b, int c)
{
    return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
SIM_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
SIM_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

SIM_INLINE unsigned short __nv_bswap16(unsigned short v) { return __builtin_bswap16(v); }
SIM_INLINE unsigned __nv_bswap32(unsigned v) { return __builtin_bswap32(v); }
SIM_INLINE unsigned long long __nv_bswap64(unsigned long long v) { return __builtin_bswap64(v); }

/* ---- arithmetic with a chosen rounding ---- */

namespace sim {

/* Volatile operands and result keep the operation between the two changes of mode. */
template <class R, class T, class Op>
__attribute__((noinline)) R rounded(int mode, Op op, T a, T b = 0, T c = 0)
{
    volatile T x = a, y = b, z = c;
    fesetround(mode);
    volatile R result = op(x, y, z);
    fesetround(FE_TONEAREST);
    return result;
}

} // namespace sim

#define SIM_ROUNDED_ONE(name, mode, result, type, expression, params, args)                             \
    SIM_INLINE result name params                                                                       \
    {                                                                                                   \
        return sim::rounded<result, type>(                                                              \
            mode, [](type a, type b, type c) -> result { return (void)b, (void)c, expression; }, args); \
    }
#define SIM_ROUNDED(name, result, type, expression, params, ...)                                       \
    SIM_INLINE result name##_rn params { return expression; }                                          \
    SIM_ROUNDED_ONE(name##_rz, FE_TOWARDZERO, result, type, expression, params, SIM_PACK(__VA_ARGS__)) \
    SIM_ROUNDED_ONE(name##_rd, FE_DOWNWARD, result, type, expression, params, SIM_PACK(__VA_ARGS__))   \
    SIM_ROUNDED_ONE(name##_ru, FE_UPWARD, result, type, expression, params, SIM_PACK(__VA_ARGS__))
#define SIM_PACK(...) __VA_ARGS__
#define SIM_ARITHMETIC(type, prefix, fma_name, fma_function, sqrt_function) \
    SIM_ROUNDED(prefix##add, type, type, a + b, (type a, type b), a, b)     \
    SIM_ROUNDED(prefix##sub, type, type, a - b, (type a, type b), a, b)     \
    SIM_ROUNDED(prefix##mul, type, type, a * b, (type a, type b), a, b)      \
    SIM_ROUNDED(prefix##div, type, type, a / b, (type a, type b), a, b)     \
    SIM_ROUNDED(prefix##rcp, type, type, 1 / a, (type a), a)                \
    SIM_ROUNDED(prefix##sqrt, type, type, sqrt_function(a), (type a), a)    \
    SIM_ROUNDED(fma_name, type, type, fma_function(a, b, c), (type a, type b, type c), a, b, c)

SIM_ARITHMETIC(float, __f, __fmaf, fmaf, sqrtf)
SIM_ARITHMETIC(double, __d, __fma, ::fma, ::sqrt)
/* Never flushes to zero, whatever a program is compiled with; nor does the other here. */
SIM_INLINE float __fmaf_ieee_rn(float a, float b, float c) { return __fmaf_rn(a, b, c); }
SIM_INLINE float __fmaf_ieee_rz(float a, float b, float c) { return __fmaf_rz(a, b, c); }
SIM_INLINE float __fmaf_ieee_rd(float a, float b, float c) { return __fmaf_rd(a, b, c); }
SIM_INLINE float __fmaf_ieee_ru(float a, float b, float c) { return __fmaf_ru(a, b, c); }
SIM_INLINE float __frsqrt_rn(float a) { return (float)(1 / ::sqrt((double)a)); }

#define SIM_FROM_INTEGER(name, result, type) SIM_ROUNDED(name, result, type, (result)a, (type a), a)
SIM_FROM_INTEGER(__int2float, float, int)
SIM_FROM_INTEGER(__uint2float, float, unsigned)
SIM_FROM_INTEGER(__ll2float, float, long long)
SIM_FROM_INTEGER(__ull2float, float, unsigned long long)
SIM_FROM_INTEGER(__ll2double, double, long long)
SIM_FROM_INTEGER(__ull2double, double, unsigned long long)
SIM_FROM_INTEGER(__double2float, float, double)
SIM_INLINE double __int2double_rn(int a) { return a; }
SIM_INLINE double __uint2double_rn(unsigned a) { return a; }

#undef SIM_FROM_INTEGER
#undef SIM_ARITHMETIC
#undef SIM_PACK
#undef SIM_ROUNDED
#undef SIM_ROUNDED_ONE

#define SIM_TO_INTEGER(name, type, from)                                                      \
    SIM_INLINE type name##_rn(from v) { return sim::to_integer<type>((from)::nearbyint(v)); } \
    SIM_INLINE type name##_rz(from v) { return sim::to_integer<type>((from)::trunc(v)); }     \
    SIM_INLINE type name##_rd(from v) { return sim::to_integer<type>((from)::floor(v)); }     \
    SIM_INLINE type name##_ru(from v) { return sim::to_integer<type>((from)::ceil(v)); }

SIM_TO_INTEGER(__float2int, int, float)
SIM_TO_INTEGER(__float2uint, unsigned, float)
SIM_TO_INTEGER(__float2ll, long long, float)
SIM_TO_INTEGER(__float2ull, unsigned long long, float)
SIM_TO_INTEGER(__double2int, int, double)
SIM_TO_INTEGER(__double2uint, unsigned, double)
SIM_TO_INTEGER(__double2ll, long long, double)
SIM_TO_INTEGER(__double2ull, unsigned long long, double)
#undef SIM_TO_INTEGER

/* ---- fast forms ---- */

SIM_INLINE float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1) : 0; }
SIM_INLINE float __fdividef(float a, float b) { return a / b; }
SIM_INLINE float fdividef(float a, float b) { return a / b; }
/* glibc declares these names and does not define them: here they get the C functions' symbols. */
extern "C" {
float __expf(float) noexcept __asm__("expf");
float __exp10f(float) noexcept __asm__("exp10f");
float __logf(float) noexcept __asm__("logf");
float __log2f(float) noexcept __asm__("log2f");
float __log10f(float) noexcept __asm__("log10f");
float __sinf(float) noexcept __asm__("sinf");
float __cosf(float) noexcept __asm__("cosf");
float __tanf(float) noexcept __asm__("tanf");
float __tanhf(float) noexcept __asm__("tanhf");
float __powf(float, float) noexcept __asm__("powf");
void __sincosf(float, float *, float *) noexcept __asm__("sincosf");
}

/* ---- functions that C lacks; each has a double, an f-suffixed and an overloaded float form ---- */

namespace sim {

/* sin and cos of pi*v, exact at multiples of a half */
inline double sinpi_(double v)
{
    const double r = remainder(v, 2), a = fabs(r);
    if (a == 0 || a == 1)
        return copysign(0.0, v);
    return a <= 0.25 ? ::sin(M_PI * r)
                     : copysign(a <= 0.75 ? ::cos(M_PI * (0.5 - a)) : ::sin(M_PI * (1 - a)), r);
}
inline double cospi_(double v)
{
    const double a = fabs(remainder(v, 2));
    return a <= 0.25 ? ::cos(M_PI * a) : a <= 0.75 ? ::sin(M_PI * (0.5 - a)) + 0.0 : -::cos(M_PI * (1 - a));
}

/* A first guess good to three digits (Hastings), then Halley's steps on erfc. */
inline double erfcinv_(double x)
{
    if (!(x > 0 && x < 2))
        return x == 0 ? HUGE_VAL : x == 2 ? -HUGE_VAL : NAN;
    const double p = x < 1 ? x : 2 - x, t = ::sqrt(-2 * ::log(p / 2));
    double y = M_SQRT1_2 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 3; i++) {
        const double error = erfc(y) - p;
        y += error / (M_2_SQRTPI * ::exp(-y * y) - y * error);
    }
    return x < 1 ? y : -y;
}
inline double erfinv_(double x)
{
    if (fabs(x) > 0.5 || x != x)
        return x < 0 ? -erfcinv_(1 + x) : erfcinv_(1 - x);
    double y = x / M_2_SQRTPI;
    for (int i = 0; i < 4; i++) {
        const double error = erf(y) - x;
        y -= error / (M_2_SQRTPI * ::exp(-y * y) + y * error);
    }
    return y;
}
inline double erfcx_(double x)
{
    if (x < 25)
        return ::exp(x * x) * erfc(x);
    double series = 1;
    for (int k = 8; k > 0; k--)
        series = 1 - (2 * k - 1) / (2 * x * x) * series;
    return M_2_SQRTPI / 2 / x * series;
}

/* The modified Bessel function of the first kind by its power series: its terms are all positive. */
inline double bessel_i(int order, double x)
{
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; fabs(term) > fabs(sum) * 1e-17; k++)
        sum += term *= x * x / 4 / k / (k + order);
    return sum;
}

} // namespace sim

/* With C's linkage, since newer C libraries declare some of them: glibc 2.41 sinpi, 2.42 rsqrt. */
#define SIM_FUNCTION1(name, expression)                                                  \
    extern "C" {                                                                         \
    SIM_EXTERN_INLINE double name(double v) noexcept { return expression; }              \
    SIM_EXTERN_INLINE float name##f(float x) noexcept { return (float)name((double)x); } \
    }                                                                                    \
    SIM_INLINE float name(float x) { return name##f(x); }

SIM_FUNCTION1(rsqrt, 1 / ::sqrt(v))
SIM_FUNCTION1(rcbrt, 1 / ::cbrt(v))
SIM_FUNCTION1(sinpi, sim::sinpi_(v))
SIM_FUNCTION1(cospi, sim::cospi_(v))
SIM_FUNCTION1(tanpi, sim::sinpi_(v) / sim::cospi_(v))
SIM_FUNCTION1(erfinv, sim::erfinv_(v))
SIM_FUNCTION1(erfcinv, sim::erfcinv_(v))
SIM_FUNCTION1(erfcx, sim::erfcx_(v))
SIM_FUNCTION1(normcdf, 0.5 * ::erfc(-v * M_SQRT1_2))
SIM_FUNCTION1(normcdfinv, -M_SQRT2 * sim::erfcinv_(2 * v))
SIM_FUNCTION1(cyl_bessel_i0, sim::bessel_i(0, v))
SIM_FUNCTION1(cyl_bessel_i1, sim::bessel_i(1, v))
#undef SIM_FUNCTION1

SIM_INLINE float exp10(float v) { return exp10f(v); }
SIM_INLINE void sincos(float v, float *s, float *c) { *s = sinf(v), *c = cosf(v); }
SIM_INLINE void sincospi(double v, double *s, double *c) { *s = sinpi(v), *c = cospi(v); }
SIM_INLINE void sincospif(float v, float *s, float *c) { *s = sinpif(v), *c = cospif(v); }
SIM_INLINE void sincospi(float v, float *s, float *c) { sincospif(v, s, c); }

/* Lengths: of two, three, four or `n` components, and their reciprocals (rhypot, rnorm...). */
SIM_INLINE double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
SIM_INLINE double norm4d(double a, double b, double c, double d)
{
    return ::hypot(::hypot(a, b), ::hypot(c, d));
}
SIM_INLINE double rhypot(double a, double b) { return 1 / ::hypot(a, b); }
SIM_INLINE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
SIM_INLINE double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
SIM_INLINE double norm(int n, const double *v)
{
    double length = 0;
    while (n-- > 0)
        length = ::hypot(length, *v++);
    return length;
}
SIM_INLINE double rnorm(int n, const double *v) { return 1 / norm(n, v); }
SIM_INLINE float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
SIM_INLINE float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
SIM_INLINE float rhypotf(float a, float b) { return (float)rhypot((double)a, b); }
SIM_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }
SIM_INLINE float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
SIM_INLINE float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
SIM_INLINE float normf(int n, const float *v)
{
    double length = 0;
    while (n-- > 0)
        length = ::hypot(length, (double)*v++);
    return (float)length;
}
SIM_INLINE float rnormf(int n, const float *v) { return 1 / normf(n, v); }

#endif
