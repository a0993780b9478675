/* SPDX-License-Identifier: MIT */
// Mistake: a strided read is expected to move as little as a dense one.
// expect: a sector moves whole
#define strided right_strided
#include "solutions/03_memory_types.cu"
#undef strided

LAB_PREDICT(strided, 4);
