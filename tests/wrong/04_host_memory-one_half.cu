/* SPDX-License-Identifier: MIT */
// Mistake: only one half is used, so each piece waits for the one before it.
// expect: it waits, though no half that it fills is in flight
#define upload right_upload
#include "solutions/04_host_memory.cu"
#undef upload

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += PIECE) {
        size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        cudaEventSynchronize(s->sent[0]);
        memcpy(s->half[0], h + at, piece);
        cudaMemcpyAsync(d + at, s->half[0], piece, cudaMemcpyHostToDevice, stream);
        error = cudaEventRecord(s->sent[0], stream);
    }
    return error;
}
