/* SPDX-License-Identifier: MIT */
/* Memory pools inside: between what they hold (pool.c) and the calls on them (pool_api.c). */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include "sim.h"

struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    struct segment *segments;
    uint64_t threshold, used, used_high, reserved, reserved_high;
    int follow_events, opportunistic, internal_dependencies;
};

struct CUmemPoolHandle_st *pool_new(void);
/* NULL when no such pool is alive. */
struct CUmemPoolHandle_st *pool_find(cudaMemPool_t handle);
struct CUmemPoolHandle_st *pool_default(void);
/* What cudaMallocAsync allocates from: the pool chosen last, or the default one. */
struct CUmemPoolHandle_st *pool_current(void);
void pool_choose(struct CUmemPoolHandle_st *pool);
/* Give empty segments back until no more than `keep` bytes are reserved. */
void pool_trim(struct CUmemPoolHandle_st *pool, size_t keep);
cudaError_t pool_destroy(struct CUmemPoolHandle_st *pool);

#endif
