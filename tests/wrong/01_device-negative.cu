/* SPDX-License-Identifier: MIT */
// Mistake: total and free swapped, but only for the memory in use.
// expect: free > total gives 2^64 - ...
#define describe_device right_describe_device
#include "solutions/01_device.cu"
#undef describe_device

void describe_device(device_facts *facts)
{
    size_t free_bytes, total;
    right_describe_device(facts);
    CUDA_CHECK(cudaMemGetInfo(&total, &free_bytes));
    facts->used_bytes = total - free_bytes;
}
