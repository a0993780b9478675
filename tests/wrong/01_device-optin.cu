/* SPDX-License-Identifier: MIT */
// Mistake: the shared memory that a block may have after opting in, given as what it has.
// expect: the opt-in limit
#define describe_device right_describe_device
#include "solutions/01_device.cu"
#undef describe_device

void describe_device(device_facts *facts)
{
    int bytes = 0;
    right_describe_device(facts);
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    facts->shared_bytes = bytes;
}
