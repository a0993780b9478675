/* SPDX-License-Identifier: MIT */
// Mistake: each gets the room of the largest: padding, not packing.
// expect: up to a multiple of
#define pack right_pack
#include "solutions/06_batching.cu"
#undef pack

size_t pack(const int *n, int count, size_t align, size_t *at)
{
    int largest = 0;
    for (int k = 0; k < count; k++)
        largest = n[k] > largest ? n[k] : largest;
    size_t pitch = (largest + align - 1) / align * align;
    for (int k = 0; k < count; k++)
        at[k] = k * pitch;
    return count * pitch;
}
