/* SPDX-License-Identifier: MIT */
// Mistake: TAPS floats are copied as TAPS bytes.
// expect: sizes are in bytes
#define set_weights right_set_weights
#include "solutions/03_memory_types.cu"
#undef set_weights

cudaError_t set_weights(const float *h_weight)
{
    return cudaMemcpyToSymbol(c_weight, h_weight, TAPS);
}
