/* SPDX-License-Identifier: MIT */
/* Kernels whose effect the model knows. */
#include "kernels.h"

extern "C" __global__ void fuzz_set(unsigned char *to, const unsigned char *, unsigned n, int value)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = (unsigned char)value;
}

extern "C" __global__ void fuzz_add(unsigned char *to, const unsigned char *from, unsigned n, int value)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = (unsigned char)(from[i] + value);
}

extern "C" __global__ void fuzz_turn(unsigned char *to, const unsigned char *from, unsigned n, int)
{
    __shared__ unsigned char part[BLOCK];
    unsigned first = blockIdx.x * BLOCK, count = n - first < BLOCK ? n - first : +BLOCK, i = threadIdx.x;
    if (i < count)
        part[i] = from[first + i];
    __syncthreads();
    if (i < count)
        to[first + i] = part[count - 1 - i];
}

void fuzz_launch(int which, unsigned grid, unsigned block, size_t shared, cudaStream_t stream,
                 unsigned char *to, const unsigned char *from, unsigned n, int value)
{
    if (which == 0)
        fuzz_set<<<grid, block, shared, stream>>>(to, from, n, value);
    else if (which == 1)
        fuzz_add<<<grid, block, shared, stream>>>(to, from, n, value);
    else
        fuzz_turn<<<grid, block, shared, stream>>>(to, from, n, value);
}
