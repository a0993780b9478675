/* SPDX-License-Identifier: MIT */
/* Device variables that are volatile or const. */
#include <cstdio>

struct pair {
    int first;
    float second;
};

__device__ volatile int flag;
volatile __device__ int flag_first;
__managed__ volatile int progress;
__device__ volatile int row[4];
__device__ volatile int grid[4][2];
__device__ volatile pair both;
__device__ int *volatile place;
static __device__ volatile float hidden;
namespace deep {
__device__ volatile unsigned long long wide;
}
__device__ const int seven = 7;
__device__ const volatile int eight = 8;
__device__ const pair pairs[2] = {{1, 2}, {3, 4}};
__constant__ const float weights[2] = {0.5f, 1.5f};
__constant__ int zero;

__global__ void fill()
{
    flag = seven;
    flag_first = flag + 1;
    progress = 9;
    row[2] = 10;
    grid[3][1] = 11;
    both.first = pairs[1].first;
    both.second = weights[1];
    hidden = 2;
    deep::wide = (unsigned long long)eight + zero;
    place = (int *)&row[2];
}

template <class T> bool is(const volatile T &variable, T expected)
{
    T value;
    return !cudaMemcpyFromSymbol(&value, variable, sizeof value) && value == expected;
}

static int check()
{
    fill<<<1, 1>>>();
    if (cudaDeviceSynchronize() || progress != 9 || !is(flag, 7) || !is(flag_first, 8) || !is(hidden, 2.0f) ||
        !is(deep::wide, 8ull) || !is(seven, 7))
        return 1;
    int cell;
    pair p;
    void *address;
    size_t bytes;
    if (cudaMemcpyFromSymbol(&cell, grid, 4, 28) || cell != 11 || cudaMemcpyFromSymbol(&p, both, sizeof p) ||
        p.first != 3 || p.second != 1.5f)
        return 2;
    if (cudaGetSymbolAddress(&address, row) || cudaGetSymbolSize(&bytes, grid) || bytes != 32 ||
        cudaMemcpy(&cell, (char *)address + 8, 4, cudaMemcpyDefault) || cell != 10)
        return 3;
    const float other[2] = {3, 4};
    float back[2];
    return cudaMemcpyToSymbol(weights, other, sizeof other) ||
           cudaMemcpyFromSymbol(back, weights, sizeof back) || back[1] != 4;
}

int main()
{
    int wrong = check();
    if (!wrong && !cudaDeviceReset())
        wrong = check();
    if (wrong)
        printf("wrong %d\n", wrong);
    return wrong;
}
