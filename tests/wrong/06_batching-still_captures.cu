/* SPDX-License-Identifier: MIT */
// Mistake: after an error of queue() nobody ends the capture.
// expect: it still captures: end that on every way out
#define record right_record
#include "solutions/06_batching.cu"
#undef record

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (error == cudaSuccess)
        error = queue(b, stream);
    if (error != cudaSuccess)
        return error;
    error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    cudaGraphDestroy(graph);
    return error;
}
