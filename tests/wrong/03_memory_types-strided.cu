/* SPDX-License-Identifier: MIT */
// Mistake: each thread walks through a part of its own, as on a CPU.
// expect: neighbours in a warp must read neighbours
#define element_of right_element_of
#include "solutions/03_memory_types.cu"
#undef element_of

__host__ __device__ int element_of(int thread, int step, int threads, int steps)
{
    (void)threads;
    return thread * steps + step;
}
