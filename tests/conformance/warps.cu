/* SPDX-License-Identifier: MIT */
/* Warp operations: shuffles with widths and edges, votes, matches, and part of a warp. */
#include "probe.h"

static const unsigned ALL = 0xffffffffu;

static void show(const char *what, void (*kernel)(int *))
{
    probe_lanes(what, kernel, 0, " %x");
}

#define LANE_KERNEL(name, expression)                                                                        \
    __global__ static void name(int *out)                                                                    \
    {                                                                                                        \
        int lane = threadIdx.x;                                                                              \
        out[lane] = (int)(expression);                                                                       \
    }

LANE_KERNEL(shfl_5, __shfl_sync(ALL, lane * 3, 5))
LANE_KERNEL(shfl_37, __shfl_sync(ALL, lane * 3, 37))
LANE_KERNEL(shfl_minus_1, __shfl_sync(ALL, lane, -1))
LANE_KERNEL(shfl_own, __shfl_sync(ALL, lane, lane ^ 3))
LANE_KERNEL(shfl_2_w8, __shfl_sync(ALL, lane, 2, 8))
LANE_KERNEL(up_2, __shfl_up_sync(ALL, lane, 2))
LANE_KERNEL(up_2_w8, __shfl_up_sync(ALL, lane, 2, 8))
LANE_KERNEL(down_1, __shfl_down_sync(ALL, lane, 1))
LANE_KERNEL(down_3_w8, __shfl_down_sync(ALL, lane, 3, 8))
LANE_KERNEL(xor_16, __shfl_xor_sync(ALL, lane, 16))
LANE_KERNEL(xor_9_w8, __shfl_xor_sync(ALL, lane, 9, 8))
LANE_KERNEL(shfl_double, 4 * __shfl_down_sync(ALL, lane + 0.25, 1))
LANE_KERNEL(shfl_long, __shfl_xor_sync(ALL, (long long)lane << 40, 1) >> 40)
LANE_KERNEL(shfl_float, 2 * __shfl_up_sync(ALL, lane + 0.5f, 1))

static void shuffles()
{
    show("__shfl_sync from lane 5", shfl_5);
    show("__shfl_sync from lane 37", shfl_37);
    show("__shfl_sync from lane -1", shfl_minus_1);
    show("__shfl_sync from lane ^ 3", shfl_own);
    show("__shfl_sync from lane 2, width 8", shfl_2_w8);
    show("__shfl_up_sync 2", up_2);
    show("__shfl_up_sync 2, width 8", up_2_w8);
    show("__shfl_down_sync 1", down_1);
    show("__shfl_down_sync 3, width 8", down_3_w8);
    show("__shfl_xor_sync 16", xor_16);
    show("__shfl_xor_sync 9, width 8", xor_9_w8);
    show("double", shfl_double);
    show("long long", shfl_long);
    show("float", shfl_float);
}

LANE_KERNEL(ballot_odd, __ballot_sync(ALL, lane & 1))
LANE_KERNEL(ballot_two, __ballot_sync(ALL, lane & 2))
LANE_KERNEL(all_small, __all_sync(ALL, lane < 32) + 2 * (__all_sync(ALL, lane < 31) != 0))
LANE_KERNEL(any_large, (__any_sync(ALL, lane > 30) != 0) + 2 * __any_sync(ALL, lane > 31))
LANE_KERNEL(match, __match_any_sync(ALL, lane / 8))
LANE_KERNEL(match_long, __match_any_sync(ALL, (long long)(lane % 2) << 40))

__global__ static void match_all(int *out)
{
    int same, different;
    unsigned a = __match_all_sync(ALL, 7, &same);
    unsigned b = __match_all_sync(ALL, threadIdx.x / 16, &different);
    out[threadIdx.x] = (a == ALL) + 2 * (same != 0) + 4 * (b != 0) + 8 * (different != 0);
}

static void votes()
{
    show("__ballot_sync odd", ballot_odd);
    show("__ballot_sync second bit", ballot_two);
    show("__all_sync", all_small);
    show("__any_sync", any_large);
    show("__match_any_sync", match);
    show("__match_any_sync, long long", match_long);
    show("__match_all_sync", match_all);
}

__global__ static void upper_half(int *out)
{
    int lane = threadIdx.x;
    if (lane >= 16) {
        unsigned vote = __ballot_sync(0xffff0000u, lane % 3 == 0);
        out[lane] = __shfl_down_sync(0xffff0000u, lane, 1) + (int)(vote & 0xfff00000u);
    } else {
        out[lane] = __shfl_xor_sync(0x0000ffffu, lane, 1);
    }
}

__global__ static void after_return(int *out)
{
    int lane = threadIdx.x;
    if (lane >= 10)
        return;
    out[lane] = __ballot_sync(0x3ffu, lane != 4);
}

__global__ static void exchange(int *out)
{
    __shared__ int cell[32];
    int lane = threadIdx.x;
    cell[lane] = lane * lane;
    __syncwarp();
    int next = cell[(lane + 1) % 32];
    __syncwarp();
    cell[lane] = next;
    __syncwarp();
    out[lane] = cell[31 - lane];
}

static void parts_of_a_warp()
{
    show("each half by itself", upper_half);
    show("ten lanes left", after_return);
    show("__syncwarp", exchange);
}

__global__ static void last_warp_is_short(int *out)
{
    unsigned mask = __ballot_sync(threadIdx.x < 32 ? ALL : 0xffu, 1);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = (int)mask;
}

static void short_warp()
{
    int *d, back[2];
    cudaMalloc(&d, sizeof back);
    last_warp_is_short<<<1, 40>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("%08x %08x", back[0], back[1]);
}

__global__ static void reduce(int *out)
{
    int value = threadIdx.x;
    for (int offset = 16; offset; offset /= 2)
        value += __shfl_down_sync(ALL, value, offset);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = value;
}

static void reduction()
{
    int *d, back[4];
    cudaMalloc(&d, sizeof back);
    reduce<<<1, 128>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
}

int main()
{
    CASE(shuffles);
    CASE(votes);
    CASE(parts_of_a_warp);
    CASE(short_warp);
    CASE(reduction);
    return 0;
}
