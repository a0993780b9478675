/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Complex numbers on float2 and double2, in C and C++.
 */
#ifndef SIM_CUCOMPLEX_H
#define SIM_CUCOMPLEX_H

#include <math.h>
#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Division and modulus scale first, so that squares do not overflow. */
#define SIM_COMPLEX(suffix, type, real, make, root, size)                                  \
    SIM_INLINE real cuCreal##suffix(type a) { return a.x; }                                \
    SIM_INLINE real cuCimag##suffix(type a) { return a.y; }                                \
    SIM_INLINE type make(real x, real y)                                                   \
    {                                                                                      \
        type v = {x, y};                                                                   \
        return v;                                                                          \
    }                                                                                      \
    SIM_INLINE type cuConj##suffix(type a) { return make(a.x, -a.y); }                     \
    SIM_INLINE type cuCadd##suffix(type a, type b) { return make(a.x + b.x, a.y + b.y); }  \
    SIM_INLINE type cuCsub##suffix(type a, type b) { return make(a.x - b.x, a.y - b.y); }  \
    SIM_INLINE type cuCmul##suffix(type a, type b)                                         \
    {                                                                                      \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                         \
    }                                                                                      \
    SIM_INLINE type cuCdiv##suffix(type a, type b)                                         \
    {                                                                                      \
        const real scale = 1 / (size(b.x) + size(b.y));                                    \
        const real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
        const real inverse = 1 / (bx * bx + by * by);                                      \
        return make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);         \
    }                                                                                      \
    SIM_INLINE real cuCabs##suffix(type a) { return root(a.x, a.y); }                      \
    SIM_INLINE type cuCfma##suffix(type a, type b, type c)                                 \
    {                                                                                      \
        return make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);             \
    }

SIM_COMPLEX(f, cuFloatComplex, float, make_cuFloatComplex, hypotf, fabsf)
SIM_COMPLEX(, cuDoubleComplex, double, make_cuDoubleComplex, hypot, fabs)
#undef SIM_COMPLEX

SIM_INLINE cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
SIM_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_cuDoubleComplex(a.x, a.y); }
SIM_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}

#endif
