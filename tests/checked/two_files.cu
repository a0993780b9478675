// SPDX-License-Identifier: MIT
// Two files with a template in common: the lines of those that one has alone are found all the same.
//
// flags: -x cu two_files_other.cpp
// run:
// finding: out of bounds two_files.h:17 @block@
#include "two_files.h"

template <class T> __global__ void first(T *p)
{
    before(p);
    both(p);
    behind(p);
}

int main()
{
    int *p;
    cudaMalloc(&p, 40); // block
    cudaMemset(p, 0, 40);
    first<<<1, 16>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}
