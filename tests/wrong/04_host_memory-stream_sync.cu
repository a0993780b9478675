/* SPDX-License-Identifier: MIT */
// Mistake: after each piece the host waits for the stream: two halves, and never more than one in use.
// expect: it waits, though no half that it fills is in flight
#define upload right_upload
#include "solutions/04_host_memory.cu"
#undef upload

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    int b = 0;
    cudaError_t error = cudaSuccess;
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += PIECE, b = 1 - b) {
        size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        memcpy(s->half[b], h + at, piece);
        cudaMemcpyAsync(d + at, s->half[b], piece, cudaMemcpyHostToDevice, stream);
        error = cudaStreamSynchronize(stream);
    }
    return error;
}
