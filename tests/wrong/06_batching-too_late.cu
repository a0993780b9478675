/* SPDX-License-Identifier: MIT */
// Mistake: the work is queued when the capture has ended, so it runs, and the graph is empty.
// expect: it has run: queue() comes between begin and end
#define record right_record
#include "solutions/06_batching.cu"
#undef record

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    cudaGraph_t graph = NULL;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(stream, &graph);
    cudaError_t error = queue(b, stream);
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    cudaGraphDestroy(graph);
    return error;
}
