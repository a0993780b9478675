/* SPDX-License-Identifier: MIT */
/* Shared by the conformance programs about the device's heap: a block that lasts, and what kernels note. */
#ifndef HEAP_H
#define HEAP_H

#include "probe.h"

__device__ char *kept;
__device__ void *volatile hidden;
__device__ unsigned long long noted[8]; // by kernels
static unsigned long long told[8];      // what the host knows of it

/* No compiler knows where this pointer comes from, nor that it is not null. */
__device__ static void *seen(void *p)
{
    hidden = p;
    return hidden;
}

__global__ static void allocate(size_t bytes)
{
    kept = (char *)malloc(bytes);
    noted[0] = kept != NULL;
}

__global__ static void release()
{
    free(kept);
}

static cudaError_t learn()
{
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(told, noted, sizeof told);
    return e;
}

static void forget()
{
    memset(told, 0, sizeof told);
    cudaMemcpyToSymbol(noted, told, sizeof told);
}

/* The pointer that `allocate` got, on the host. */
static char *allocated(size_t bytes)
{
    char *p = NULL;
    allocate<<<1, 1>>>(bytes);
    cudaMemcpyFromSymbol(&p, kept, sizeof p);
    return p;
}

static bool can_allocate(size_t bytes)
{
    allocate<<<1, 1>>>(bytes);
    learn();
    bool can = told[0];
    release<<<1, 1>>>();
    cudaDeviceSynchronize();
    return can;
}

#endif
