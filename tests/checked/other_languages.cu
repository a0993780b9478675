// SPDX-License-Identifier: MIT
// Host code in C and C++ files, which know nothing of CUDA, is watched as well: calls and copies of structs.
//
// flags: other_languages.c other_languages.cpp
// run: c 4
// run: c 5
// finding: out of bounds other_languages.c:8 @block@
// run: struct 1
// run: struct 2
// finding: out of bounds other_languages.c:16 @block@
// run: c++ 4
// run: c++ 5
// finding: out of bounds other_languages.cpp:6 @block@
#include <stdlib.h>
#include <string.h>

extern "C" void copy_in_c(float *to, const float *from, int n);
extern "C" void copy_struct_in_c(float *to, const float *from, int i);
void copy_in_cxx(float *to, const float *from, int n);

int main(int argc, char **argv)
{
    const char *which = argc > 2 ? argv[1] : "c";
    int n = argc > 2 ? atoi(argv[2]) : 0;
    float *to, from[96] = {};
    cudaMallocHost(&to, 128); // block
    if (!strcmp(which, "c"))
        copy_in_c(to, from, 8 * n);
    else if (!strcmp(which, "c++"))
        copy_in_cxx(to, from, 8 * n);
    else
        copy_struct_in_c(to, from, n);
    cudaFreeHost(to);
    return 0;
}
