/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief make_int2(x, y) and its like: one for each vector of vector_types.h.
 */
#ifndef SIM_VECTOR_FUNCTIONS_H
#define SIM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SIM_MAKE4(name, type)                                   \
    SIM_INLINE name make_##name(type x, type y, type z, type w) \
    {                                                           \
        name v = {x, y, z, w};                                  \
        return v;                                               \
    }
#define SIM_MAKE(name, type)                                  \
    SIM_INLINE name##1 make_##name##1(type x)                 \
    {                                                         \
        name##1 v = {x};                                      \
        return v;                                             \
    }                                                         \
    SIM_INLINE name##2 make_##name##2(type x, type y)         \
    {                                                         \
        name##2 v = {x, y};                                   \
        return v;                                             \
    }                                                         \
    SIM_INLINE name##3 make_##name##3(type x, type y, type z) \
    {                                                         \
        name##3 v = {x, y, z};                                \
        return v;                                             \
    }                                                         \
    SIM_MAKE4(name##4, type)
#define SIM_MAKE_8(name, type)   \
    SIM_MAKE(name, type)         \
    SIM_MAKE4(name##4_16a, type) \
    SIM_MAKE4(name##4_32a, type)

SIM_MAKE(char, signed char)
SIM_MAKE(uchar, unsigned char)
SIM_MAKE(short, short)
SIM_MAKE(ushort, unsigned short)
SIM_MAKE(int, int)
SIM_MAKE(uint, unsigned)
SIM_MAKE(float, float)
SIM_MAKE_8(long, long)
SIM_MAKE_8(ulong, unsigned long)
SIM_MAKE_8(longlong, long long)
SIM_MAKE_8(ulonglong, unsigned long long)
SIM_MAKE_8(double, double)

#undef SIM_MAKE_8
#undef SIM_MAKE
#undef SIM_MAKE4

#endif
