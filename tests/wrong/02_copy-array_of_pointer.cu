/* SPDX-License-Identifier: MIT */
// Mistake: sizeof a pointer is expected to be the size of the array.
// expect: sizeof sees only the pointer
#define pointer_bytes right_pointer_bytes
#include "solutions/02_copy.cu"
#undef pointer_bytes

LAB_PREDICT(pointer_bytes, 8000);
