/* SPDX-License-Identifier: MIT */
// Mistake: the general copy knows only the way up.
// expect: down: Default knows the way
#define copy_any right_copy_any
#include "solutions/02_copy.cu"
#undef copy_any

cudaError_t copy_any(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
