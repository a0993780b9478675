/* SPDX-License-Identifier: MIT */
// Mistake: first waits for second.
// expect: first waits for second: the wrong way round
#define order right_order
#include "solutions/05_streams.cu"
#undef order

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    return right_order(second, first, event);
}
