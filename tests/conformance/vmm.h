/* SPDX-License-Identifier: MIT */
/* For programs about virtual memory: what a mapping is made of, and one int in it. */
#ifndef VMM_H
#define VMM_H

#include <cuda.h>
#include "probe.h"

static CUmemAllocationProp prop;
static CUmemAccessDesc both;
static size_t g; // granularity, in bytes

static void prepare_device()
{
    cudaFree(0);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    both.location = prop.location;
    both.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
}

static cudaError_t put(CUdeviceptr p, int value)
{
    return cudaMemcpy((void *)p, &value, sizeof value, cudaMemcpyHostToDevice);
}

static int get(CUdeviceptr p)
{
    int value = -1;
    cudaMemcpy(&value, (void *)p, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

__global__ static void add(int *p)
{
    *p += 1;
}

#endif
