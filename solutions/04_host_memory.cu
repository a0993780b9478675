/* SPDX-License-Identifier: MIT */
LAB_PREDICT(pinned_up, 0);
LAB_PREDICT(pageable_up, 1); // "async" is a wish: the host has to fill the driver's stage, piece by piece
LAB_PREDICT(pageable_down, 1);

LAB_PREDICT(by_copy, 2048);
LAB_PREDICT(by_sector, 1024); // 32 threads, a sector of 32 bytes each: half of it, for a sixteenth
LAB_PREDICT(pays_after, 3);   // 20 + 3 * 1 < 3 * 9

cudaError_t host_get(host_kind kind, void **p, size_t bytes)
{
    cudaError_t error = cudaSuccess;
    *p = NULL;
    if (kind == PINNED)
        error = cudaMallocHost(p, bytes);
    else if (kind == MAPPED)
        error = cudaHostAlloc(p, bytes, cudaHostAllocMapped);
    else if (kind == MANAGED)
        error = cudaMallocManaged(p, bytes);
    else if (!(*p = malloc(bytes)))
        error = cudaErrorMemoryAllocation;
    else if (kind == REGISTERED)
        error = cudaHostRegister(*p, bytes, cudaHostRegisterDefault);
    if (error != cudaSuccess) {
        if (kind == REGISTERED)
            free(*p); // there, but it could not be pinned
        *p = NULL;
        cudaGetLastError();
    }
    return error;
}

cudaError_t host_put(host_kind kind, void *p)
{
    cudaError_t error = cudaSuccess;
    if (kind == PINNED || kind == MAPPED)
        return cudaFreeHost(p);
    if (kind == MANAGED)
        return cudaFree(p);
    if (kind == REGISTERED)
        error = cudaHostUnregister(p); // first: freed memory must not stay pinned
    free(p);
    return error;
}

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    int b = 0;
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += PIECE, b = 1 - b) {
        size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        if ((error = cudaEventSynchronize(s->sent[b])) != cudaSuccess) // for this half, not for the stream
            break;
        memcpy(s->half[b], h + at, piece);
        error = cudaMemcpyAsync(d + at, s->half[b], piece, cudaMemcpyHostToDevice, stream);
        if (error == cudaSuccess)
            error = cudaEventRecord(s->sent[b], stream);
    }
    return error;
}
