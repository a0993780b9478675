/* SPDX-License-Identifier: MIT */
// Mistake: the refusal is returned, but stays the last error: the next launch check finds it.
// expect: a refusal stays pending until it is read
#define host_get right_host_get
#include "solutions/04_host_memory.cu"
#undef host_get

cudaError_t host_get(host_kind kind, void **p, size_t bytes)
{
    cudaError_t error = right_host_get(kind, p, bytes);
    void *refused;
    return error && kind == PINNED ? cudaMallocHost(&refused, bytes) : error;
}
