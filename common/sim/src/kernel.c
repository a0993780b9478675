/* SPDX-License-Identifier: MIT */
/* Calls about a kernel rather than to one: its attributes, and how many of its blocks fit. */
#include <string.h>
#include "sim.h"

int sim_highest_dynamic_limit;

static cudaError_t find(cudaError_t e, const void *entry, struct sim_kernel **kernel)
{
    if (e)
        return e;
    if (!entry)
        return cudaErrorInvalidDeviceFunction;
    *kernel = sim_kernel(entry);
    return (*kernel)->registered ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static int most_threads(const struct sim_kernel *k)
{
    return k->max_threads ? k->max_threads : 1024;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *entry)
{
    struct sim_kernel *k;
    cudaError_t e = find(sim_enter(SIM_CALL), entry, &k);
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e) {
        size_t fixed = sim_kernel_static_bytes(k);
        *out = (struct cudaFuncAttributes){.sharedSizeBytes = fixed,
                                           .maxThreadsPerBlock = most_threads(k),
                                           .numRegs = 32,
                                           .ptxVersion = 90,
                                           .binaryVersion = 90,
                                           .maxDynamicSharedSizeBytes = k->dynamic_limit
                                                                            ? k->dynamic_limit
                                                                            : SIM_SHARED_DEFAULT - (int)fixed,
                                           .preferredShmemCarveout = -1};
    }
    return sim_leave(e);
}

cudaError_t cudaFuncSetAttribute(const void *entry, enum cudaFuncAttribute attribute, int value)
{
    struct sim_kernel *k;
    cudaError_t e = find(sim_enter(SIM_CALL), entry, &k);
    if (e)
        return sim_leave(e);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || (size_t)value + sim_kernel_static_bytes(k) > SIM_SHARED_OPTIN)
            e = cudaErrorInvalidValue;
        else
            k->dynamic_limit = value;
        if (sim_highest_dynamic_limit < k->dynamic_limit)
            sim_highest_dynamic_limit = k->dynamic_limit;
        break;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        e = value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
        break;
    default:
        e = cudaErrorInvalidValue;
    }
    return sim_leave(e);
}

cudaError_t cudaFuncSetCacheConfig(const void *entry, enum cudaFuncCache config)
{
    struct sim_kernel *k;
    cudaError_t e = find(sim_enter(SIM_CALL), entry, &k);
    if (!e && (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual))
        e = cudaErrorInvalidValue;
    return sim_leave(e);
}

/* By threads, blocks and shared memory of a multiprocessor; registers are not simulated. */
int sim_blocks_that_fit(const struct sim_kernel *k, int threads, size_t dynamic_bytes)
{
    size_t shared = sim_kernel_static_bytes(k) + dynamic_bytes + 1024; /* the system's part of each block */
    int warps = (threads + 31) / 32, by_threads = 64 / warps, by_shared = (int)(SIM_SHARED_SM / shared);
    int most = by_threads < 32 ? by_threads : 32;
    return by_shared < most ? by_shared : most;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *entry,
                                                                   int threads, size_t dynamic_bytes,
                                                                   unsigned flags)
{
    struct sim_kernel *k;
    cudaError_t e = find(sim_enter(SIM_CALL), entry, &k);
    if (!e && (!blocks || threads <= 0 || flags > 1))
        e = cudaErrorInvalidValue;
    if (!e)
        *blocks = threads > most_threads(k) ? 0 : sim_blocks_that_fit(k, threads, dynamic_bytes);
    return sim_leave(e);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *entry, int threads,
                                                          size_t dynamic_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, entry, threads, dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *entry, int blocks,
                                                      int threads)
{
    struct sim_kernel *k;
    cudaError_t e = find(sim_enter(SIM_CALL), entry, &k);
    if (!e && (!bytes || blocks <= 0 || threads <= 0 || sim_blocks_that_fit(k, threads, 0) < blocks))
        e = cudaErrorInvalidValue;
    if (!e) {
        size_t share = SIM_SHARED_SM / (size_t)blocks - 1024 - sim_kernel_static_bytes(k);
        *bytes = share < SIM_SHARED_OPTIN ? share : SIM_SHARED_OPTIN;
    }
    return sim_leave(e);
}
