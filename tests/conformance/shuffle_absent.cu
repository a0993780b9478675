/* SPDX-License-Identifier: MIT */
/* Shuffles from lanes that do not take part: CUDA's manual leaves open what they give. */
#include "probe.h"

static void show(const char *what, void (*kernel)(int *))
{
    probe_lanes(what, kernel, 0xff, " %d");
}

/* Lanes 0 to 7 shuffle; the others are elsewhere, and have a value in the same variable. */
__global__ static void elsewhere(int *out)
{
    int lane = threadIdx.x, value = 100 + lane;
    if (lane < 8)
        value = __shfl_down_sync(0xff, value, 4);
    out[lane] = value;
}
__global__ static void elsewhere_xor(int *out)
{
    int lane = threadIdx.x, value = 100 + lane;
    if (lane < 8)
        value = __shfl_xor_sync(0xff, value, 16);
    out[lane] = value;
}
__global__ static void gone(int *out)
{
    int lane = threadIdx.x, value = 100 + lane;
    if (lane >= 8)
        return;
    out[lane] = __shfl_down_sync(0xff, value, 4);
}
/* A sum over part of a warp, as if it were a whole one. */
template <class T> __global__ static void sum(int *out)
{
    __shared__ T parts[8];
    int lane = threadIdx.x;
    T value = lane + 1;
    if (lane < 8)
        parts[lane] = value;
    __syncthreads();
    unsigned mask = __ballot_sync(0xffffffffu, lane < 8);
    if (lane < 8) {
        value = parts[lane];
        for (int by = 16; by > 0; by /= 2)
            value += __shfl_down_sync(mask, value, by);
    }
    out[lane] = (int)value;
}

static void absent()
{
    show("down by 4, the others elsewhere", elsewhere);
    show("xor 16, the others elsewhere", elsewhere_xor);
    show("down by 4, the others gone", gone);
    show("sum of int", sum<int>);
    show("sum of float", sum<float>);
    show("sum of double", sum<double>);
}

int main()
{
    CASE(absent);
    return 0;
}
