/* SPDX-License-Identifier: MIT */
// Mistake: only the launches are counted, not what surrounds them.
// expect: each line of its loop is one
#define operations right_operations
#include "solutions/06_batching.cu"
#undef operations

LAB_PREDICT(operations, FEW);
