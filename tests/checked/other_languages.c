/* SPDX-License-Identifier: MIT */
#include <string.h>

void copy_in_c(float *to, const float *from, int n);
void copy_struct_in_c(float *to, const float *from, int i);
void copy_in_c(float *to, const float *from, int n)
{
    memcpy(to, from, n * sizeof *to);
}

struct row {
    float cell[16];
};
void copy_struct_in_c(float *to, const float *from, int i)
{
    ((struct row *)to)[i] = ((const struct row *)from)[i];
}
