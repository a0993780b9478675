/* SPDX-License-Identifier: MIT */
// Mistake: a symbol is used as if it were a device pointer.
// expect: it takes the symbol
#define set_weights right_set_weights
#include "solutions/03_memory_types.cu"
#undef set_weights

cudaError_t set_weights(const float *h_weight)
{
    void *to = (void *)&c_weight; // the host's shadow of the variable
    return cudaMemcpy(to, h_weight, sizeof c_weight, cudaMemcpyHostToDevice);
}
