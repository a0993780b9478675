/* SPDX-License-Identifier: MIT */
// Mistake: one place too many is written, as in a table of count + 1 offsets.
// expect: of 1 problems the last is number 0
#define pack right_pack
#include "solutions/06_batching.cu"
#undef pack

size_t pack(const int *n, int count, size_t align, size_t *at)
{
    size_t end = 0;
    for (int k = 0; k < count; k++) {
        at[k] = (end + align - 1) / align * align;
        end = at[k] + n[k];
    }
    at[count] = end;
    return end;
}
