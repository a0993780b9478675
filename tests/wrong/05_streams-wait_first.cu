/* SPDX-License-Identifier: MIT */
// Mistake: the wait comes before the record: it is for an older record, or for none.
// expect: second does not wait
#define order right_order
#include "solutions/05_streams.cu"
#undef order

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    cudaError_t error = cudaStreamWaitEvent(second, event, 0);
    return error ? error : cudaEventRecord(event, first);
}
