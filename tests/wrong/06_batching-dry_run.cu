/* SPDX-License-Identifier: MIT */
// Mistake: the graph is launched once to see whether it works.
// expect: it has run
#define record right_record
#include "solutions/06_batching.cu"
#undef record

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    cudaGraph_t graph = NULL;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaError_t error = queue(b, stream), ended = cudaStreamEndCapture(stream, &graph);
    error = error ? error : ended;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(*exec, stream);
    cudaGraphDestroy(graph);
    return error;
}
