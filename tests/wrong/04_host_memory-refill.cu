/* SPDX-License-Identifier: MIT */
// Mistake: a half is refilled while the copy engine may still read it.
// sim: unordered host access at tests/wrong/04_host_memory-refill.cu:15
// expect: a half is filled again while its copy is in flight
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
        error = cudaMemcpyAsync(d + at, s->half[b], piece, cudaMemcpyHostToDevice, stream);
    }
    return error;
}
