/* SPDX-License-Identifier: MIT */
// Mistake: what cudaMallocHost gave is host memory, so it is given to free() of the device's, cudaFree.
// expect: that call is for another kind
#define host_put right_host_put
#include "solutions/04_host_memory.cu"
#undef host_put

cudaError_t host_put(host_kind kind, void *p)
{
    return kind == PINNED ? cudaFree(p) : right_host_put(kind, p);
}
