/* SPDX-License-Identifier: MIT */
// Mistake: total and free memory taken for each other.
// expect: free first, total second
#define describe_device right_describe_device
#include "solutions/01_device.cu"
#undef describe_device

void describe_device(device_facts *facts)
{
    size_t free_bytes, total;
    right_describe_device(facts);
    CUDA_CHECK(cudaMemGetInfo(&total, &free_bytes));
    facts->total_bytes = total;
    facts->used_bytes = free_bytes - total;
}
