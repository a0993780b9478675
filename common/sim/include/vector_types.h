/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief CUDA's short vectors, `char1` to `double4`, and dim3: valid C and C++.
 *
 * Vectors of two and four are aligned to their size so that one access moves them, up to 16 bytes; vectors of
 * one and three are aligned as their elements. CUDA 13 added the names with `_16a` and `_32a` for the vectors
 * of 32 bytes, whose alignment had been in doubt.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "crt/host_defines.h"

#define SIM_VECTOR(name, align, members)       \
    struct __align__(align) name { members; }; \
    typedef struct name name;
/* align2 and align4 are the alignments of the vectors of two and of four */
#define SIM_VECTORS(name, type, align2, align4)               \
    SIM_VECTOR(name##1, sizeof(type), type x)                 \
    SIM_VECTOR(name##2, align2, type x; type y)               \
    SIM_VECTOR(name##3, sizeof(type), type x; type y; type z) \
    SIM_VECTOR(name##4, align4, type x; type y; type z; type w)
#define SIM_VECTORS_OF_8(name, type)                            \
    SIM_VECTORS(name, type, 16, 16)                             \
    SIM_VECTOR(name##4_16a, 16, type x; type y; type z; type w) \
    SIM_VECTOR(name##4_32a, 32, type x; type y; type z; type w)

SIM_VECTORS(char, signed char, 2, 4)
SIM_VECTORS(uchar, unsigned char, 2, 4)
SIM_VECTORS(short, short, 4, 8)
SIM_VECTORS(ushort, unsigned short, 4, 8)
SIM_VECTORS(int, int, 8, 16)
SIM_VECTORS(uint, unsigned, 8, 16)
SIM_VECTORS(float, float, 8, 16)
SIM_VECTORS_OF_8(long, long)
SIM_VECTORS_OF_8(ulong, unsigned long)
SIM_VECTORS_OF_8(longlong, long long)
SIM_VECTORS_OF_8(ulonglong, unsigned long long)
SIM_VECTORS_OF_8(double, double)

#undef SIM_VECTORS_OF_8
#undef SIM_VECTORS
#undef SIM_VECTOR

/** @brief Extent of a grid or a block; what is left out is 1. */
struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
