// SPDX-License-Identifier: MIT
// The second file of two_files.cu, and CUDA too.
#include "two_files.h"

__global__ void second(int *p)
{
    both(p);
}
