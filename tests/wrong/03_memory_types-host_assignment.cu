/* SPDX-License-Identifier: MIT */
// Mistake: host code assigns to the __constant__ variable by its name.
// expect: assigning to the name changes the host's shadow only: cudaMemcpyToSymbol
#define set_weights right_set_weights
#include "solutions/03_memory_types.cu"
#undef set_weights
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 20092 // nvcc says it too
#endif

cudaError_t set_weights(const float *h_weight)
{
    for (int k = 0; k < TAPS; k++)
        c_weight[k] = h_weight[k]; // the host's shadow of the variable
    return cudaSuccess;
}
