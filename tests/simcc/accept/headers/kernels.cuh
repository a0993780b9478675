/* SPDX-License-Identifier: MIT */
#pragma once
#include "plain.h"
#include "sub/deep.cuh"
#define STRINGIZE(x) text_of((x), #x)
inline const char *text_of(int, const char *text) { return text; }
inline const char *header_file() { return __FILE__; }
inline int header_line() { return __LINE__; }
template <class T> __global__ void fill(T *p, T v)
{
    p[threadIdx.x] = v + deep();
}
inline void launch_from_header(int *p)
{
    fill<<<1, 2>>>(p, plain());
}
