/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Two halfwords or four bytes of a word at once (`__vadd2`, `__vcmpeq4`, ...), min and max of three.
 *
 * An `s` in the name takes the parts as signed, a `u` as unsigned, `ss` and `us` saturate.
 */
#ifndef SIM_SIMD_H
#define SIM_SIMD_H

#include <sim/math.h>

namespace sim {

/* f(x, y) of each part of the words, which are of type T; its low bits are the part of the result. */
template <class T, class F> SIM_INLINE unsigned by_parts(unsigned a, unsigned b, F f)
{
    constexpr unsigned width = sizeof(T) * 8, mask = (1u << width) - 1;
    unsigned result = 0;
    for (unsigned i = 0; i < 32; i += width)
        result |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & mask) << i;
    return result;
}

template <class T> SIM_INLINE int clamp(int v)
{
    constexpr int bits = sizeof(T) * 8, low = T(-1) < 0 ? -(1 << (bits - 1)) : 0;
    constexpr int high = T(-1) < 0 ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return v < low ? low : v > high ? high : v;
}

/* The sum over the parts. */
template <class T, class F> SIM_INLINE unsigned over_parts(unsigned a, unsigned b, F f)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 32; i += sizeof(T) * 8)
        sum += (unsigned)f((int)(T)(a >> i), (int)(T)(b >> i));
    return sum;
}

} // namespace sim

#define SIM_PARTS(name, T, how, expression)                                        \
    SIM_INLINE unsigned name(unsigned a, unsigned b)                               \
    {                                                                              \
        using Part = T;                                                            \
        return sim::how<Part>(a, b, [](int x, int y) -> int { return expression; }); \
    }
#define SIM_UNSIGNED(name, expression)                             \
    SIM_PARTS(name##2, unsigned short, by_parts, expression)       \
    SIM_PARTS(name##4, unsigned char, by_parts, expression)
#define SIM_SIGNED(name, expression)                               \
    SIM_PARTS(name##2, short, by_parts, expression)                \
    SIM_PARTS(name##4, signed char, by_parts, expression)
#define SIM_ONE(name, expression)                                  \
    SIM_INLINE unsigned name##2(unsigned a)                        \
    {                                                              \
        using Part = short;                                        \
        return sim::by_parts<Part>(a, 0, [](int x, int) -> int { return expression; }); \
    }                                                              \
    SIM_INLINE unsigned name##4(unsigned a)                        \
    {                                                              \
        using Part = signed char;                                  \
        return sim::by_parts<Part>(a, 0, [](int x, int) -> int { return expression; }); \
    }
#define SIM_COMPARE(name, op)                                      \
    SIM_SIGNED(__vcmp##name##s, x op y ? -1 : 0)                   \
    SIM_UNSIGNED(__vcmp##name##u, x op y ? -1 : 0)                 \
    SIM_SIGNED(__vset##name##s, x op y)                            \
    SIM_UNSIGNED(__vset##name##u, x op y)

SIM_UNSIGNED(__vadd, x + y)
SIM_UNSIGNED(__vsub, x - y)
SIM_SIGNED(__vaddss, sim::clamp<Part>(x + y))
SIM_SIGNED(__vsubss, sim::clamp<Part>(x - y))
SIM_UNSIGNED(__vaddus, sim::clamp<Part>(x + y))
SIM_UNSIGNED(__vsubus, sim::clamp<Part>(x - y))
SIM_ONE(__vneg, -x)
SIM_ONE(__vnegss, sim::clamp<Part>(-x))
SIM_ONE(__vabs, x < 0 ? -x : x)
SIM_ONE(__vabsss, sim::clamp<Part>(x < 0 ? -x : x))
SIM_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
SIM_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
SIM_SIGNED(__vmaxs, x > y ? x : y)
SIM_UNSIGNED(__vmaxu, x > y ? x : y)
SIM_SIGNED(__vmins, x < y ? x : y)
SIM_UNSIGNED(__vminu, x < y ? x : y)
SIM_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
SIM_UNSIGNED(__vavgu, (x + y + 1) >> 1)
SIM_UNSIGNED(__vhaddu, (x + y) >> 1)
SIM_UNSIGNED(__vcmpeq, x == y ? -1 : 0)
SIM_UNSIGNED(__vcmpne, x != y ? -1 : 0)
SIM_UNSIGNED(__vseteq, x == y)
SIM_UNSIGNED(__vsetne, x != y)
SIM_COMPARE(lt, <)
SIM_COMPARE(le, <=)
SIM_COMPARE(gt, >)
SIM_COMPARE(ge, >=)
SIM_PARTS(__vsads2, short, over_parts, x > y ? x - y : y - x)
SIM_PARTS(__vsads4, signed char, over_parts, x > y ? x - y : y - x)
SIM_PARTS(__vsadu2, unsigned short, over_parts, x > y ? x - y : y - x)
SIM_PARTS(__vsadu4, unsigned char, over_parts, x > y ? x - y : y - x)

#undef SIM_COMPARE
#undef SIM_ONE
#undef SIM_SIGNED
#undef SIM_UNSIGNED
#undef SIM_PARTS

/* ---- min and max: of three, of a sum, with 0 (relu), with which of them it was (b) ---- */

#define SIM_EXTREME(way, op)                                                                                \
    SIM_INLINE int __vi##way##3_s32(int a, int b, int c) { return way(way(a, b), c); }                      \
    SIM_INLINE unsigned __vi##way##3_u32(unsigned a, unsigned b, unsigned c) { return way(way(a, b), c); }  \
    SIM_INLINE unsigned __vi##way##3_s16x2(unsigned a, unsigned b, unsigned c)                              \
    {                                                                                                       \
        return __v##way##s2(__v##way##s2(a, b), c);                                                         \
    }                                                                                                       \
    SIM_INLINE unsigned __vi##way##3_u16x2(unsigned a, unsigned b, unsigned c)                              \
    {                                                                                                       \
        return __v##way##u2(__v##way##u2(a, b), c);                                                         \
    }                                                                                                       \
    SIM_INLINE int __vi##way##_s32_relu(int a, int b) { return max(way(a, b), 0); }                         \
    SIM_INLINE unsigned __vi##way##_s16x2_relu(unsigned a, unsigned b)                                      \
    {                                                                                                       \
        return __vmaxs2(__v##way##s2(a, b), 0);                                                             \
    }                                                                                                       \
    SIM_INLINE int __vi##way##3_s32_relu(int a, int b, int c) { return max(__vi##way##3_s32(a, b, c), 0); } \
    SIM_INLINE unsigned __vi##way##3_s16x2_relu(unsigned a, unsigned b, unsigned c)                         \
    {                                                                                                       \
        return __vmaxs2(__vi##way##3_s16x2(a, b, c), 0);                                                    \
    }                                                                                                       \
    SIM_INLINE int __viadd##way##_s32(int a, int b, int c)                                                  \
    {                                                                                                       \
        return way((int)((unsigned)a + (unsigned)b), c);                                                    \
    }                                                                                                       \
    SIM_INLINE unsigned __viadd##way##_u32(unsigned a, unsigned b, unsigned c) { return way(a + b, c); }    \
    SIM_INLINE unsigned __viadd##way##_s16x2(unsigned a, unsigned b, unsigned c)                            \
    {                                                                                                       \
        return __v##way##s2(__vadd2(a, b), c);                                                              \
    }                                                                                                       \
    SIM_INLINE unsigned __viadd##way##_u16x2(unsigned a, unsigned b, unsigned c)                            \
    {                                                                                                       \
        return __v##way##u2(__vadd2(a, b), c);                                                              \
    }                                                                                                       \
    SIM_INLINE int __viadd##way##_s32_relu(int a, int b, int c)                                             \
    {                                                                                                       \
        return max(__viadd##way##_s32(a, b, c), 0);                                                         \
    }                                                                                                       \
    SIM_INLINE unsigned __viadd##way##_s16x2_relu(unsigned a, unsigned b, unsigned c)                       \
    {                                                                                                       \
        return __vmaxs2(__viadd##way##_s16x2(a, b, c), 0);                                                  \
    }                                                                                                       \
    SIM_INLINE int __vib##way##_s32(int a, int b, bool *first) { return *first = a op b, way(a, b); }       \
    SIM_INLINE unsigned __vib##way##_u32(unsigned a, unsigned b, bool *first)                               \
    {                                                                                                       \
        return *first = a op b, way(a, b);                                                                  \
    }                                                                                                       \
    SIM_INLINE unsigned __vib##way##_s16x2(unsigned a, unsigned b, bool *high, bool *low)                   \
    {                                                                                                       \
        *high = (short)(a >> 16) op(short)(b >> 16), *low = (short)a op(short) b;                           \
        return __v##way##s2(a, b);                                                                          \
    }                                                                                                       \
    SIM_INLINE unsigned __vib##way##_u16x2(unsigned a, unsigned b, bool *high, bool *low)                   \
    {                                                                                                       \
        *high = a >> 16 op b >> 16, *low = (unsigned short)a op(unsigned short) b;                          \
        return __v##way##u2(a, b);                                                                          \
    }

SIM_EXTREME(max, >=)
SIM_EXTREME(min, <=)
#undef SIM_EXTREME

#endif
