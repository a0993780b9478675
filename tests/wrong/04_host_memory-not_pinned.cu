/* SPDX-License-Identifier: MIT */
// Mistake: memory of malloc is called pinned because it is aligned to pages.
// expect: pinned: the runtime takes it for another kind
#define host_get right_host_get
#include "solutions/04_host_memory.cu"
#undef host_get

cudaError_t host_get(host_kind kind, void **p, size_t bytes)
{
    if (kind != PINNED)
        return right_host_get(kind, p, bytes);
    *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
