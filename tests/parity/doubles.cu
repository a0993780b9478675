// SPDX-License-Identifier: MIT
// Structs of doubles: 8 bytes at a time. (A program that also has a 16-byte struct of another alignment, or
// vectors of 16 bytes, is not told apart: the compiler says to nobody what type is copied.)
#include "parity.h"

struct D2 {
    double x, y;
};
struct D3 {
    double x, y, z;
};
struct D4 {
    double x, y, z, w;
};
struct Mixed {
    int id;
    double value;
};

#define COPY(name, type)                                                                                     \
    KERNEL name(const type *in, type *out)                                                                   \
    {                                                                                                        \
        out[THREAD] = in[THREAD];                                                                            \
    }
COPY(k_struct_double2, D2)
COPY(k_struct_double3, D3)
COPY(k_struct_double4, D4)
COPY(k_struct_mixed, Mixed)
KERNEL k_shared_struct_double(const D2 *in, D2 *out)
{
    __shared__ D2 s[BLOCK];
    s[threadIdx.x] = in[THREAD];
    __syncthreads();
    out[THREAD] = s[BLOCK - 1 - threadIdx.x];
}

int main()
{
    char *in = zeros<char>(64 * N), *out = zeros<char>(64 * N);
#define RUN_COPY(name, type) RUN(name, GRID, BLOCK, (type *)in, (type *)out)
    RUN_COPY(k_struct_double2, D2);
    RUN_COPY(k_struct_double3, D3);
    RUN_COPY(k_struct_double4, D4);
    RUN_COPY(k_struct_mixed, Mixed);
    RUN_COPY(k_shared_struct_double, D2);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
