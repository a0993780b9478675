/* SPDX-License-Identifier: MIT */
// Mistake: freed memory is left registered.
// expect: registered: it was not given back
#define host_put right_host_put
#include "solutions/04_host_memory.cu"
#undef host_put

cudaError_t host_put(host_kind kind, void *p)
{
    if (kind == REGISTERED) {
        free(p);
        return cudaSuccess;
    }
    return right_host_put(kind, p);
}
