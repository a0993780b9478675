/* SPDX-License-Identifier: MIT */
LAB_PREDICT(first_byte, 2 << 20);      // a page is the smallest thing the device hands out
LAB_PREDICT(second_byte, 0);           // the page of the first has room left
LAB_PREDICT(three_mebibytes, 4 << 20); // larger blocks get pages of their own, rounded up

void describe_device(device_facts *facts)
{
    cudaDeviceProp properties;
    size_t free_bytes, total;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total)); // free first
    facts->multiprocessors = properties.multiProcessorCount;
    facts->warp_size = properties.warpSize;
    facts->max_threads_per_block = properties.maxThreadsPerBlock;
    facts->shared_bytes = properties.sharedMemPerBlock;
    facts->total_bytes = total;
    facts->used_bytes = total - free_bytes; // includes what other programs hold
}

cudaError_t try_alloc(size_t bytes)
{
    void *block;
    cudaError_t answer = cudaMalloc(&block, bytes); // its own return value: the last error may be older
    if (answer == cudaSuccess)
        cudaFree(block);
    cudaGetLastError(); // the refusal stays pending until somebody reads it
    return answer;
}

error_kind classify(cudaError_t *error)
{
    cudaDeviceSynchronize(); // a kernel's fault is known only after it has run
    *error = cudaGetLastError();
    if (*error == cudaSuccess)
        return NO_ERROR;
    // Both kinds read as cudaSuccess from now on. Only work tells them apart; cudaFree(NULL) is the least.
    return cudaFree(NULL) == cudaSuccess ? PASSING : STICKY;
}
