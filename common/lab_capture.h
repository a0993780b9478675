/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What must come before what, for the labs' checks: read from a capture, so the same on every device.
 *
 *     lab_ops ops;
 *     LAB_CHECK(cudaSuccess, lab_capture(&ops, a, b, [=] { return work(a, b); }), "work waits on the host");
 *     int copy = lab_op(&ops, h), kernel = lab_op(&ops, d_out);
 *     bool may_overlap = !lab_follows(&ops, copy, kernel) && !lab_follows(&ops, kernel, copy);
 */
#ifndef LAB_CAPTURE_H
#define LAB_CAPTURE_H

#include "lab.h"

/** @brief The operations of a captured run, and how they depend on each other. */
struct lab_ops {
    enum { MOST = 64 };
    int count;
    const void *name[MOST]; ///< a copy's source; a kernel's second argument; of memory, allocated or freed: NULL
    cudaGraphNodeType type[MOST];
    int steps[MOST][MOST]; ///< [i][j]: in the longest way from i to j; 0: j does not wait for i
};

static inline void lab_describe_op(lab_ops *ops, int i, cudaGraphNode_t node)
{
    cudaMemcpy3DParms copy;
    cudaKernelNodeParams kernel;
    CUDA_CHECK(cudaGraphNodeGetType(node, &ops->type[i]));
    ops->name[i] = NULL;
    if (ops->type[i] == cudaGraphNodeTypeMemcpy) {
        CUDA_CHECK(cudaGraphMemcpyNodeGetParams(node, &copy));
        ops->name[i] = copy.srcPtr.ptr;
    } else if (ops->type[i] == cudaGraphNodeTypeKernel) {
        CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
        ops->name[i] = *(void **)kernel.kernelParams[1];
    }
}

static inline void lab_read_graph(lab_ops *ops, cudaGraph_t graph)
{
    cudaGraphNode_t node[lab_ops::MOST], from[4 * lab_ops::MOST], to[4 * lab_ops::MOST];
    size_t nodes = 0, edges = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA_CHECK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    if (nodes > lab_ops::MOST || edges > 4 * lab_ops::MOST) {
        fprintf(stderr, "%s: %zu operations are too many\n", lab_run.name, nodes);
        exit(1);
    }
    CUDA_CHECK(cudaGraphGetNodes(graph, node, &nodes));
    CUDA_CHECK(cudaGraphGetEdges(graph, from, to, NULL, &edges));
    ops->count = (int)nodes;
    memset(ops->steps, 0, sizeof ops->steps);
    for (int i = 0; i < ops->count; i++) {
        lab_describe_op(ops, i, node[i]);
        for (size_t e = 0; e < edges; e++)
            for (int j = 0; j < ops->count; j++)
                if (from[e] == node[i] && to[e] == node[j])
                    ops->steps[i][j] = 1;
    }
    for (int k = 0; k < ops->count; k++)
        for (int i = 0; i < ops->count; i++)
            for (int j = 0; j < ops->count; j++) {
                int there = ops->steps[i][k], on = ops->steps[k][j];
                if (there && on && there + on > ops->steps[i][j])
                    ops->steps[i][j] = there + on;
            }
}

/**
 * @brief Let `run()` give its work in streams a and b to a capture, and read what depends on what.
 * @return what run() answered, or else the first error of the capture; no error is pending
 */
template <class F> static cudaError_t lab_capture(lab_ops *ops, cudaStream_t a, cudaStream_t b, F run)
{
    cudaEvent_t meet;
    cudaGraph_t graph = NULL;
    ops->count = 0;
    CUDA_CHECK(cudaEventCreateWithFlags(&meet, cudaEventDisableTiming));
    CUDA_CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CUDA_CHECK(cudaEventRecord(meet, a));
    CUDA_CHECK(cudaStreamWaitEvent(b, meet, 0));
    cudaError_t error = run(), pending = cudaGetLastError();
    cudaEventRecord(meet, b);
    cudaStreamWaitEvent(a, meet, 0);
    cudaError_t ended = cudaStreamEndCapture(a, &graph);
    cudaGetLastError();
    error = error ? error : pending ? pending : ended;
    if (error == cudaSuccess)
        lab_read_graph(ops, graph);
    if (graph)
        CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(meet));
    return error;
}

/** @brief The usual meaning of an error of lab_capture(). */
static inline const char *lab_capture_why(cudaError_t error)
{
    if (error == cudaErrorStreamCaptureImplicit)
        return "a launch or copy without its stream: that is the legacy default stream";
    if (error == cudaErrorStreamCaptureUnsupported)
        return "the host waits, or calls cudaMalloc or cudaFree, in the middle";
    return "a call in between is wrong";
}

/** @brief Number of the operation with this name, see lab_ops; -1 if there is none. */
static inline int lab_op(const lab_ops *ops, const void *name)
{
    for (int i = 0; i < ops->count; i++)
        if (ops->name[i] == name)
            return i;
    return -1;
}

/** @brief Number of the first operation of this type; -1 if there is none. */
static inline int lab_op_of(const lab_ops *ops, cudaGraphNodeType type)
{
    for (int i = 0; i < ops->count; i++)
        if (ops->type[i] == type)
            return i;
    return -1;
}

/** @brief Whether `second` waits for `first`; both must be there. */
static inline bool lab_follows(const lab_ops *ops, int first, int second)
{
    return first >= 0 && second >= 0 && ops->steps[first][second];
}

/** @brief How many operations have to run one after another. */
static inline int lab_chain(const lab_ops *ops)
{
    int longest = 0;
    for (int i = 0; i < ops->count; i++)
        for (int j = 0; j < ops->count; j++)
            longest = ops->steps[i][j] > longest ? ops->steps[i][j] : longest;
    return ops->count ? longest + 1 : 0;
}

#endif
