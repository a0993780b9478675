/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parity programs: kernels whose accesses Nsight Compute counts on a GPU and the profile of the
 * checked build counts here. Each kernel is launched once, on data that is the same everywhere.
 *
 * Loops whose trip count differs between lanes are not unrolled (ROLLED): nvcc would split them in two loops,
 * and lanes that a warp runs together in the source would not meet any more.
 */
#ifndef PARITY_H
#define PARITY_H

#include <cstdio>
#include <cstdlib>

#define ROLLED _Pragma("unroll 1")
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void
#define CHECK(call) parity_check(call, #call, __LINE__)
/* Launch and wait: one kernel after another, each with an end of its own. */
#define RUN(kernel, grid, block, ...)                                                                        \
    do {                                                                                                     \
        kernel<<<grid, block>>>(__VA_ARGS__);                                                                \
        CHECK(cudaGetLastError());                                                                           \
        CHECK(cudaDeviceSynchronize());                                                                      \
    } while (0)

enum { N = 16384, BLOCK = 256, GRID = N / BLOCK };

static inline void parity_check(cudaError_t answer, const char *call, int line)
{
    if (answer == cudaSuccess)
        return;
    printf("line %d: %s: %s\n", line, call, cudaGetErrorString(answer));
    exit(1);
}

/* `count` zeros on the device. */
template <class T> T *zeros(size_t count)
{
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

/* `count` values on the device, the i-th given by `rule(i)`. */
template <class Rule> int *values(size_t count, Rule rule)
{
    int *host = (int *)malloc(count * sizeof *host), *p;
    for (size_t i = 0; i < count; i++)
        host[i] = (int)rule((unsigned)i);
    CHECK(cudaMalloc(&p, count * sizeof *p));
    CHECK(cudaMemcpy(p, host, count * sizeof *p, cudaMemcpyHostToDevice));
    free(host);
    return p;
}

/* Scatters its argument over 32 bits. */
static __host__ __device__ inline unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

#endif
