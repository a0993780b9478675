/* SPDX-License-Identifier: MIT */
// Mistake: the last piece is sent as if it were a whole one.
// sim: range at tests/wrong/04_host_memory-whole_piece.cu:16
// expect: is the last piece short?
#define upload right_upload
#include "solutions/04_host_memory.cu"
#undef upload

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    int b = 0;
    cudaError_t error = cudaSuccess;
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += PIECE, b = 1 - b) {
        cudaEventSynchronize(s->sent[b]);
        memcpy(s->half[b], h + at, bytes - at < PIECE ? bytes - at : PIECE);
        error = cudaMemcpyAsync(d + at, s->half[b], PIECE, cudaMemcpyHostToDevice, stream);
        cudaEventRecord(s->sent[b], stream);
    }
    return error;
}
