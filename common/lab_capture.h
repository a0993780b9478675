/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What must come before what, for the labs' checks: read from a capture, so the same on every device.
 *
 *     lab_ops ops;
 *     LAB_CHECK(cudaSuccess, lab_capture(&ops, a, b, [=] { return work(a, b); }), "work waits on the host");
 *     bool may_overlap = !lab_follows(&ops, h, d_out) && !lab_follows(&ops, d_out, h); // copy and kernel
 *
 * An operation goes by the source of a copy, or by the second argument of a kernel, which must have two.
 */
#ifndef LAB_CAPTURE_H
#define LAB_CAPTURE_H

#include "lab.h"

/** @brief The operations of a captured run, and how they depend on each other. */
struct lab_ops {
    enum { MOST = 64 };
    int count, copies, kernels; ///< copies and kernels are among the `count`
    size_t bytes;               ///< that the copies move, all of them one row
    const void *name[MOST];
    int steps[MOST][MOST]; ///< [i][j]: in the longest way from i to j; 0: j does not wait for i
};

static const char lab_free_op[] = "what frees memory in stream order goes by this name";

static inline const void *lab_read_op(lab_ops *ops, cudaGraphNode_t node)
{
    cudaGraphNodeType type;
    cudaMemcpy3DParms copy;
    cudaKernelNodeParams kernel;
    CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeMemcpy) {
        CUDA_CHECK(cudaGraphMemcpyNodeGetParams(node, &copy));
        ops->copies++, ops->bytes += copy.extent.width;
        return copy.srcPtr.ptr;
    }
    if (type == cudaGraphNodeTypeKernel) {
        CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
        ops->kernels++;
        return kernel.kernelParams ? *(void **)kernel.kernelParams[1] : NULL;
    }
    return type == cudaGraphNodeTypeMemFree ? lab_free_op : NULL;
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
    if (nodes) // a GPU refuses to fetch none
        CUDA_CHECK(cudaGraphGetNodes(graph, node, &nodes));
    if (edges)
        CUDA_CHECK(cudaGraphGetEdges(graph, from, to, NULL, &edges));
    ops->count = (int)nodes;
    memset(ops->steps, 0, sizeof ops->steps);
    for (int i = 0; i < ops->count; i++) {
        ops->name[i] = lab_read_op(ops, node[i]);
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
    ops->count = ops->copies = ops->kernels = 0;
    ops->bytes = 0;
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
    if (error == cudaErrorStreamCaptureUnsupported)
        return "the host waits, or calls cudaMalloc or cudaFree, in the middle";
    if (error == cudaErrorStreamCaptureImplicit || error == cudaErrorStreamCaptureInvalidated)
        return "a launch or copy without its stream? that is the legacy default stream (or the host waits)";
    return "a call in between is wrong";
}

/** @brief Whether there are such operations, and the one named `second` waits for the one named `first`. */
static inline bool lab_follows(const lab_ops *ops, const void *first, const void *second)
{
    for (int i = 0; i < ops->count; i++)
        for (int j = 0; j < ops->count; j++)
            if (ops->name[i] == first && ops->name[j] == second && ops->steps[i][j])
                return true;
    return false;
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
