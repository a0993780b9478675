/* SPDX-License-Identifier: MIT */
// Mistake: what queue() answers is dropped.
// expect: what queue() answered
#define record right_record
#include "solutions/06_batching.cu"
#undef record

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    cudaGraph_t graph = NULL;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    queue(b, stream);
    cudaError_t error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    cudaGraphDestroy(graph);
    return error;
}
