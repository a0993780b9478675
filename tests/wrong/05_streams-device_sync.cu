/* SPDX-License-Identifier: MIT */
// Mistake: the streams are put in an order by a host that waits for the whole device.
// expect: the host waits: let the stream do that
#define order right_order
#include "solutions/05_streams.cu"
#undef order

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    (void)first, (void)second, (void)event;
    return cudaDeviceSynchronize();
}
