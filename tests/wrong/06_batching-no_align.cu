/* SPDX-License-Identifier: MIT */
// Mistake: the places follow each other without regard to alignment.
// expect: up to a multiple of 64
#define pack right_pack
#include "solutions/06_batching.cu"
#undef pack

size_t pack(const int *n, int count, size_t align, size_t *at)
{
    size_t end = 0;
    for (int k = 0; k < count; end += n[k], k++)
        at[k] = end;
    return end + 0 * align;
}
