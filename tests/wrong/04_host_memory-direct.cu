/* SPDX-License-Identifier: MIT */
// Mistake: the pageable array is copied from where it lies: the driver stages it, and the halves stay empty.
// expect: is in flight
#define upload right_upload
#include "solutions/04_host_memory.cu"
#undef upload

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    (void)s;
    return cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);
}
