/* SPDX-License-Identifier: MIT */
/* The kernels of kernels.cu, for C. */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* to[i] = value; from[i] + value; from's bytes, each BLOCK of them backwards. */
void fuzz_set(unsigned char *to, const unsigned char *from, unsigned n, int value);
void fuzz_add(unsigned char *to, const unsigned char *from, unsigned n, int value);
void fuzz_turn(unsigned char *to, const unsigned char *from, unsigned n, int value);

enum { BLOCK = 64 };

/* By <<<>>>, of kernel 0 to 2 in that order. */
void fuzz_launch(int which, unsigned grid, unsigned block, size_t shared, cudaStream_t stream,
                 unsigned char *to, const unsigned char *from, unsigned n, int value);

#ifdef __cplusplus
}
#endif

#endif
