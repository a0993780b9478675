/* SPDX-License-Identifier: MIT */
/* For programs that ask when a stream may have what another has freed. The block fills what the pool has
 * reserved, so a pool that may not use it again grows. */
#ifndef POOLS_H
#define POOLS_H

#include "probe.h"

static cudaMemPool_t pool;
static cudaStream_t a, b;
static const size_t bytes = 32 << 20;

static long book(cudaMemPoolAttr which)
{
    unsigned long long n = 0;
    cudaMemPoolGetAttribute(pool, which, &n);
    return (long)n;
}

static long reserved() // in MiB
{
    return book(cudaMemPoolAttrReservedMemCurrent) >> 20;
}

/* A pool of `most` bytes at most (0: no limit) with these of the three policies, and two streams. */
static void prepare(int events, int opportunistic, int internal, size_t most = 0)
{
    cudaMemPoolProps props = {};
    unsigned long long all = UINT64_MAX;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = most;
    cudaMemPoolCreate(&pool, &props);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &events);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
}

/* Allocated in `a`, used, and freed behind work that is still under way. */
static void free_in_a()
{
    void *p;
    cudaMallocFromPoolAsync(&p, bytes, pool, a);
    cudaStreamSynchronize(a);
    probe_spin<<<1, 1, 0, a>>>();
    cudaMemsetAsync(p, 1, bytes, a);
    cudaFreeAsync(p, a);
}

#endif
