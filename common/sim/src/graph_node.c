/* SPDX-License-Identifier: MIT */
/*
 * What a node does. Its work is an operation like any other, made and checked by the same code (a launch, a
 * copy) but given to a stream that runs nothing: the sink. A launch of the graph queues copies of it.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "graph.h"

/* ---- work ---- */

struct graph_capture graph_sink_capture;
static struct sim_op *collected;

struct CUstream_st *graph_sink(void)
{
    static struct CUstream_st *sink;
    if (!sink && (sink = stream_new(cudaStreamNonBlocking, 0))) {
        sink->of_thread = true; /* it outlives a reset */
        sink->capture = &graph_sink_capture;
    }
    return sink;
}

void graph_collect(struct sim_op *op)
{
    collected = op;
}

struct sim_op *graph_collected(void)
{
    struct sim_op *op = collected;
    collected = NULL;
    return op;
}

struct sim_op *graph_work_copy(const struct sim_op *work, struct CUstream_st *stream)
{
    struct sim_op *op = sim_op_new(stream, work->run, work->room);
    if (!op)
        return NULL;
    memcpy(op->payload, work->payload, work->room);
    op->engine = work->engine;
    op->model_ns = work->model_ns;
    op->call = work->call;
    op->kernel = work->kernel;
    op->node = work->node;
    sim_launch_moved(op);
    if (sim_checked)
        order_op_copied(op, work);
    return op;
}

void graph_work_free(struct sim_op *work)
{
    if (sim_checked)
        order_op_forget(work);
    sim_op_free(work);
}

void graph_node_set_work(struct CUgraphNode_st *n, struct sim_op *work)
{
    if (n->work)
        graph_work_free(n->work);
    free(n->arguments);
    n->arguments = NULL;
    n->work = work;
}

/* What one of these has made is collected; or there is nothing to do, which no node may be. */
static cudaError_t made(cudaError_t e)
{
    return e || collected ? e : cudaErrorInvalidValue;
}

static cudaError_t make_kernel(const struct cudaKernelNodeParams *p)
{
    if (!p || !p->func)
        return p ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
    if (p->extra)
        return cudaErrorNotSupported;
    return made(
        cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, graph_sink()));
}

static cudaError_t make_copy(const struct cudaMemcpy3DParms *p)
{
    return p ? made(cudaMemcpy3DAsync(p, graph_sink())) : cudaErrorInvalidValue;
}

static cudaError_t make_fill(const struct cudaMemsetParams *p)
{
    return p ? made(sim_fill_elements(p, graph_sink())) : cudaErrorInvalidValue;
}

static cudaError_t make_host(const struct cudaHostNodeParams *p)
{
    return p ? made(cudaLaunchHostFunc(graph_sink(), p->fn, p->userData)) : cudaErrorInvalidValue;
}

/* ---- nodes from it ---- */

struct where {
    cudaGraphNode_t *out;
    cudaGraph_t graph;
    const cudaGraphNode_t *after;
    size_t count;
};

/* A node of the collected work, unless there was an error. */
static cudaError_t add(struct where w, enum cudaGraphNodeType type, cudaError_t e)
{
    struct sim_op *work = graph_collected();
    struct CUgraphNode_st *n;
    if (!e && !w.out)
        e = cudaErrorInvalidValue;
    if (!e)
        e = graph_add(graph_find(w.graph), type, w.after, w.count, &n);
    if (!e) {
        n->work = work;
        *w.out = n;
    } else if (work) {
        graph_work_free(work);
    }
    return sim_leave(e);
}

/* Put the collected work into a node, of a graph or (exec) of an executable one. */
static cudaError_t replace(cudaGraphExec_t exec, bool in_exec, cudaGraphNode_t handle,
                           enum cudaGraphNodeType type, cudaError_t e)
{
    struct sim_op *work = graph_collected();
    struct CUgraphNode_st *n = in_exec ? graph_exec_node(exec, handle) : graph_node_find(handle);
    if (!e && (!n || n->type != type))
        e = cudaErrorInvalidValue;
    if (!e)
        graph_node_set_work(n, work);
    else if (work)
        graph_work_free(work);
    return sim_leave(e);
}

static struct CUgraphNode_st *of_type(cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
    struct CUgraphNode_st *n = graph_node_find(handle);
    return n && n->type == type ? n : NULL;
}

/* ---- kernels ---- */

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaKernelNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeKernel, e ? e : make_kernel(p));
}

enum { MOST_ARGUMENTS = 4096 };

/* The addresses of a kernel's arguments in its node, or NULL: for one that only the launch itself can name.
 */
static void **arguments_of(struct CUgraphNode_st *n)
{
    const struct sim_grid *g = sim_op_grid(n->work);
    if (n->arguments || !g->kernel->unpack)
        return n->arguments;
    n->arguments = calloc(MOST_ARGUMENTS + 1, sizeof *n->arguments);
    if (n->arguments) {
        n->arguments[0] = g->args;
        g->kernel->unpack(NULL, n->arguments);
    }
    return n->arguments;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphNode_st *n = of_type(node, cudaGraphNodeTypeKernel);
    if (!e && (!n || !p))
        e = cudaErrorInvalidValue;
    if (!e) {
        const sim_launch *l = &sim_op_grid(n->work)->launch;
        *p = (struct cudaKernelNodeParams){.func = (void *)l->entry,
                                           .gridDim = l->grid,
                                           .blockDim = l->block,
                                           .sharedMemBytes = (unsigned)l->shared_bytes,
                                           .kernelParams = arguments_of(n)};
    }
    return sim_leave(e);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(NULL, false, node, cudaGraphNodeTypeKernel, e ? e : make_kernel(p));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(exec, true, node, cudaGraphNodeTypeKernel, e ? e : make_kernel(p));
}

/* ---- copies ---- */

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeMemcpy, e ? e : make_copy(p));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, void *dst, const void *src, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = made(cudaMemcpyAsync(dst, src, bytes, kind, graph_sink()));
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeMemcpy, e);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *after, size_t count, const void *symbol,
                                           const void *src, size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = made(cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, graph_sink()));
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeMemcpy, e);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                             const cudaGraphNode_t *after, size_t count, void *dst,
                                             const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = made(cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, graph_sink()));
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeMemcpy, e);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = of_type(node, cudaGraphNodeTypeMemcpy);
    if (!e && (!n || !p || (!sim_copy_params(n->work, p) && !sim_box_params(n->work, p))))
        e = cudaErrorInvalidValue;
    return sim_leave(e);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(NULL, false, node, cudaGraphNodeTypeMemcpy, e ? e : make_copy(p));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = made(cudaMemcpyAsync(dst, src, bytes, kind, graph_sink()));
    return replace(NULL, false, node, cudaGraphNodeTypeMemcpy, e);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(exec, true, node, cudaGraphNodeTypeMemcpy, e ? e : make_copy(p));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = made(cudaMemcpyAsync(dst, src, bytes, kind, graph_sink()));
    return replace(exec, true, node, cudaGraphNodeTypeMemcpy, e);
}

/* ---- fills ---- */

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t count, const struct cudaMemsetParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeMemset, e ? e : make_fill(p));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = of_type(node, cudaGraphNodeTypeMemset);
    if (!e && (!n || !p || (!sim_fill_params(n->work, p) && !sim_box_fill_params(n->work, p))))
        e = cudaErrorInvalidValue;
    return sim_leave(e);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(NULL, false, node, cudaGraphNodeTypeMemset, e ? e : make_fill(p));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(exec, true, node, cudaGraphNodeTypeMemset, e ? e : make_fill(p));
}

/* ---- host functions ---- */

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                 size_t count, const struct cudaHostNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return add((struct where){out, graph, after, count}, cudaGraphNodeTypeHost, e ? e : make_host(p));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = of_type(node, cudaGraphNodeTypeHost);
    if (!e && (!n || !p || !sim_host_call_params(n->work, p)))
        e = cudaErrorInvalidValue;
    return sim_leave(e);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(NULL, false, node, cudaGraphNodeTypeHost, e ? e : make_host(p));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return replace(exec, true, node, cudaGraphNodeTypeHost, e ? e : make_host(p));
}
