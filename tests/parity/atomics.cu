// SPDX-License-Identifier: MIT
// Atomic operations: which lanes share an address, whether the old value is used, and in which memory.
#include "parity.h"

/* An index from data, so that the compiler cannot know that lanes share an address. */
#define ADD(name, type, where)                                                                               \
    KERNEL name(const int *index, type *counters)                                                            \
    {                                                                                                        \
        atomicAdd(&counters[where], (type)1);                                                                \
    }
ADD(k_atomic_same, int, index[THREAD] / N)
ADD(k_atomic_each, int, index[THREAD])
ADD(k_atomic_stride8, int, 8 * index[THREAD])
ADD(k_atomic_stride32, int, 32 * index[THREAD])
ADD(k_atomic_pairs, int, index[THREAD] / 2)
ADD(k_atomic_eights, int, index[THREAD] / 8)
ADD(k_atomic_counters4, int, index[THREAD] % 4)
ADD(k_atomic_counters64, int, hash(index[THREAD]) % 64)
ADD(k_atomic_float_same, float, index[THREAD] / N)
ADD(k_atomic_float_each, float, index[THREAD])
ADD(k_atomic_float_counters16, float, index[THREAD] % 16)
ADD(k_atomic_double_each, double, index[THREAD])
ADD(k_atomic_long_each, unsigned long long, index[THREAD])
ADD(k_atomic_long_counters16, unsigned long long, index[THREAD] % 16)

/* Here the compiler knows that lanes share an address: one of them adds for all. */
KERNEL k_atomic_uniform(int *counters)
{
    atomicAdd(counters, 1);
}
KERNEL k_atomic_block(int *counters)
{
    atomicAdd(&counters[blockIdx.x], 1);
}

KERNEL k_atomic_old_same(const int *index, int *counters, int *out)
{
    out[THREAD] = atomicAdd(&counters[index[THREAD] / N], index[THREAD]);
}
KERNEL k_atomic_old_each(const int *index, int *counters, int *out)
{
    out[THREAD] = atomicAdd(&counters[index[THREAD]], 1);
}
KERNEL k_atomic_old_counters16(const int *index, int *counters, int *out)
{
    out[THREAD] = atomicAdd(&counters[index[THREAD] % 16], 1);
}
KERNEL k_atomic_old_float(const int *index, float *counters, float *out)
{
    out[THREAD] = atomicAdd(&counters[index[THREAD]], 1.0f);
}
KERNEL k_atomic_max(const int *index, int *counters)
{
    atomicMax(&counters[index[THREAD] % 16], index[THREAD]);
}
KERNEL k_atomic_or(const int *index, int *counters)
{
    atomicOr(&counters[index[THREAD] / 32], 1 << index[THREAD] % 32);
}
KERNEL k_atomic_exchange(const int *index, int *counters, int *out)
{
    out[THREAD] = atomicExch(&counters[index[THREAD]], index[THREAD]);
}
KERNEL k_atomic_compare(const int *index, int *counters, int *out)
{
    out[THREAD] = atomicCAS(&counters[index[THREAD]], 0, index[THREAD]);
}
KERNEL k_atomic_some_lanes(const int *index, int *counters)
{
    if (hash(index[THREAD]) % 4 == 0)
        atomicAdd(&counters[index[THREAD]], 1);
}

/* The block's own counters. */
#define ADD_SHARED(name, type, count, where, value)                                                          \
    KERNEL name(const int *index, type *out)                                                                 \
    {                                                                                                        \
        __shared__ type s[count];                                                                            \
        for (unsigned i = threadIdx.x; i < count; i += BLOCK)                                                \
            s[i] = 0;                                                                                        \
        __syncthreads();                                                                                     \
        unsigned k = (unsigned)index[THREAD];                                                                \
        atomicAdd(&s[where], (type)value);                                                                   \
        __syncthreads();                                                                                     \
        out[THREAD] = s[threadIdx.x];                                                                        \
    }
ADD_SHARED(k_shared_atomic_each, int, BLOCK, k % BLOCK, 3)
ADD_SHARED(k_shared_atomic_same, int, BLOCK, k / N, 3)
ADD_SHARED(k_shared_atomic_stride2, int, 2 * BLOCK, 2 * (k % BLOCK), 3)
ADD_SHARED(k_shared_atomic_counters16, int, BLOCK, k % 16, 3)
ADD_SHARED(k_shared_atomic_hash, int, BLOCK, hash(k) % BLOCK, 3)
ADD_SHARED(k_shared_atomic_count, int, BLOCK, hash(k) % 16, 1)
ADD_SHARED(k_shared_atomic_float_each, float, BLOCK, k % BLOCK, 3)
ADD_SHARED(k_shared_atomic_long_each, unsigned long long, BLOCK, k % BLOCK, 3)

int main()
{
    int *index = values(N, [](unsigned i) { return i; });
    int *counters = zeros<int>(32 * N), *out = zeros<int>(2 * N);
#define RUN_ADD(name, type) RUN(name, GRID, BLOCK, index, (type *)counters)
    RUN_ADD(k_atomic_same, int);
    RUN_ADD(k_atomic_each, int);
    RUN_ADD(k_atomic_stride8, int);
    RUN_ADD(k_atomic_stride32, int);
    RUN_ADD(k_atomic_pairs, int);
    RUN_ADD(k_atomic_eights, int);
    RUN_ADD(k_atomic_counters4, int);
    RUN_ADD(k_atomic_counters64, int);
    CHECK(cudaMemset(counters, 0, 32 * N * sizeof(int)));
    RUN_ADD(k_atomic_float_same, float);
    RUN_ADD(k_atomic_float_each, float);
    RUN_ADD(k_atomic_float_counters16, float);
    RUN_ADD(k_atomic_double_each, double);
    RUN_ADD(k_atomic_long_each, unsigned long long);
    RUN_ADD(k_atomic_long_counters16, unsigned long long);
    RUN(k_atomic_uniform, GRID, BLOCK, counters);
    RUN(k_atomic_block, GRID, BLOCK, counters);
    RUN(k_atomic_old_same, GRID, BLOCK, index, counters, out);
    RUN(k_atomic_old_each, GRID, BLOCK, index, counters, out);
    RUN(k_atomic_old_counters16, GRID, BLOCK, index, counters, out);
    RUN(k_atomic_old_float, GRID, BLOCK, index, (float *)counters, (float *)out);
    RUN(k_atomic_max, GRID, BLOCK, index, counters);
    RUN(k_atomic_or, GRID, BLOCK, index, counters);
    RUN(k_atomic_exchange, GRID, BLOCK, index, counters, out);
    CHECK(cudaMemset(counters, 0, 32 * N * sizeof(int)));
    RUN(k_atomic_compare, GRID, BLOCK, index, counters, out);
    RUN(k_atomic_some_lanes, GRID, BLOCK, index, counters);
#define RUN_SHARED(name, type) RUN(name, GRID, BLOCK, index, (type *)out)
    RUN_SHARED(k_shared_atomic_each, int);
    RUN_SHARED(k_shared_atomic_same, int);
    RUN_SHARED(k_shared_atomic_stride2, int);
    RUN_SHARED(k_shared_atomic_counters16, int);
    RUN_SHARED(k_shared_atomic_hash, int);
    RUN_SHARED(k_shared_atomic_count, int);
    RUN_SHARED(k_shared_atomic_float_each, float);
    RUN_SHARED(k_shared_atomic_long_each, unsigned long long);
    CHECK(cudaFree(index));
    CHECK(cudaFree(counters));
    CHECK(cudaFree(out));
    return 0;
}
