// SPDX-License-Identifier: MIT
#include <cstring>

void copy_in_cxx(float *to, const float *from, int n)
{
    std::memmove(to, from, n * sizeof *to);
}
