/* SPDX-License-Identifier: MIT */
#pragma once
#include "../plain.h"
__device__ inline int deep()
{
    __shared__ int two;
    two = 2;
    return two;
}
