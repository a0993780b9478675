/* SPDX-License-Identifier: MIT */
// Mistake: the first two pieces take their halves for free, whatever the call before has left in flight.
// sim: unordered host access at tests/wrong/04_host_memory-own_call_only.cu:17
// expect: a half is filled again while its copy is in flight
#define upload right_upload
#include "solutions/04_host_memory.cu"
#undef upload

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i * PIECE < bytes && error == cudaSuccess; i++) {
        size_t at = i * PIECE, piece = bytes - at < PIECE ? bytes - at : PIECE;
        char *half = s->half[i % 2];
        if (i >= 2)
            cudaEventSynchronize(s->sent[i % 2]);
        memcpy(half, h + at, piece);
        error = cudaMemcpyAsync(d + at, half, piece, cudaMemcpyHostToDevice, stream);
        cudaEventRecord(s->sent[i % 2], stream);
    }
    return error;
}
