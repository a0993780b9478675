/* SPDX-License-Identifier: MIT */
// Mistake: the host waits for the event, where the stream could.
// expect: the host waits: let the stream do that
#define order right_order
#include "solutions/05_streams.cu"
#undef order

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    (void)second;
    cudaError_t error = cudaEventRecord(event, first);
    return error ? error : cudaEventSynchronize(event);
}
