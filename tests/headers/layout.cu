/* SPDX-License-Identifier: MIT */
/* Sizes and alignments of CUDA's vectors. Compiles against NVIDIA's headers (nvcc) and ours (also as C). */
#ifdef __cplusplus
#include <cstddef>
#else
#include <stddef.h>
#define static_assert _Static_assert
#define alignof _Alignof
#endif
#include <vector_types.h>
#include <vector_functions.h>

#define IS(type, size, align) \
    static_assert(sizeof(type) == (size) && alignof(type) == (align), #type " has another layout");
#define ALL(name, scalar, align2, align4)       \
    IS(name##1, sizeof(scalar), sizeof(scalar)) \
    IS(name##2, 2 * sizeof(scalar), align2)     \
    IS(name##3, 3 * sizeof(scalar), sizeof(scalar))
#define SMALL(name, scalar, align2, align4) \
    ALL(name, scalar, align2, align4)       \
    IS(name##4, 4 * sizeof(scalar), align4)
#define LARGE(name)            \
    ALL(name, long long, 16, )\
    IS(name##4_16a, 32, 16)    \
    IS(name##4_32a, 32, 32)

SMALL(char, char, 2, 4)
SMALL(uchar, char, 2, 4)
SMALL(short, short, 4, 8)
SMALL(ushort, short, 4, 8)
SMALL(int, int, 8, 16)
SMALL(uint, int, 8, 16)
SMALL(float, float, 8, 16)
LARGE(long)
LARGE(ulong)
LARGE(longlong)
LARGE(ulonglong)
LARGE(double)
IS(dim3, 12, 4)
static_assert(offsetof(float4, w) == 12 && offsetof(char3, z) == 2 && offsetof(double4_32a, y) == 8, "order");

#ifdef __CUSIM__ /* the plain names of 32 bytes are deprecated in CUDA 13 */
IS(long4, 32, 16)
IS(double4, 32, 16)
#endif

int main(void)
{
    const float4 v = make_float4(1, 2, 3, 4);
    const double4_32a d = make_double4_32a(1, 2, 3, 4);
    int wrong = v.x != 1 || v.y != 2 || v.z != 3 || v.w != 4 || d.w != 4 || make_uchar2(1, 255).y != 255;
#ifdef __cplusplus
    const uint3 three = {7, 8, 9};
    const dim3 ones, two(5, 6), from = three;
    const uint3 back = two;
    wrong |= ones.x != 1 || ones.y != 1 || ones.z != 1 || two.y != 6 || two.z != 1 || from.z != 9 ||
             back.z != 1;
#endif
    return wrong;
}
