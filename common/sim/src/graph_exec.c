/* SPDX-License-Identifier: MIT */
/*
 * Executable graphs. One holds a copy of its graph; a launch queues a copy of each node's operation:
 *
 *   stream  [before][launch][ node 1 ][ node 3 ]        [end][after]     a chain goes on in the stream
 * itself, lane 0                  [ node 2 ][ node 4 ]                         other chains in lanes of the
 * graph's own
 *
 * Whatever no edge orders is in different lanes, so it has no order for the checker either. A launch comes
 * after what the stream holds and after the launch before, in whatever stream that was.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "graph.h"

struct place {
    struct CUstream_st *stream;
    unsigned long long seq;
    double end_ns;
};

struct CUgraphExec_st {
    struct CUgraphExec_st *next;
    struct CUgraph_st *graph;
    unsigned long long flags;
    struct CUstream_st **lanes;
    size_t lane_count, lane_room, lanes_used;
    struct place last; /* the end of the last launch */
    struct sim_call launch;
};

static struct CUgraphExec_st *execs;
static unsigned long long launches;

static struct CUgraphExec_st *find(cudaGraphExec_t handle)
{
    struct CUgraphExec_st *x = execs;
    while (x && x != handle)
        x = x->next;
    return x;
}

static struct CUgraphNode_st *find_in(const struct CUgraph_st *copy, const struct CUgraphNode_st *node)
{
    struct CUgraphNode_st *n = graph_copy_of(copy, node);
    for (size_t i = 0; i < copy->nodes.count && !n; i++)
        if (copy->nodes.nodes[i]->child)
            n = find_in(copy->nodes.nodes[i]->child, node);
    return n;
}

struct CUgraphNode_st *graph_exec_node(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    const struct CUgraphExec_st *x = find(exec);
    const struct CUgraphNode_st *n = graph_node_find(node);
    return x && n ? find_in(x->graph, n) : NULL;
}

bool graph_launched_in(const struct CUstream_st *s)
{
    const struct CUgraphExec_st *x = execs;
    while (x && x->last.stream != s)
        x = x->next;
    return x;
}

void graph_stream_gone(const struct CUstream_st *s)
{
    for (struct CUgraphExec_st *x = execs; x; x = x->next)
        if (x->last.stream == s)
            x->last.stream = NULL; /* all that was in it is done */
}

/* ---- making and ending ---- */

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t handle, unsigned long long flags)
{
    const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                     cudaGraphInstantiateFlagDeviceLaunch |
                                     cudaGraphInstantiateFlagUseNodePriority;
    struct CUgraph_st *graph = graph_find(handle);
    if (!out || !graph || flags & ~known)
        return cudaErrorInvalidValue;
    if (!graph_sort(graph))
        return cudaErrorInvalidValue;
    if (graph_has_memory(graph))
        for (const struct CUgraphExec_st *x = execs; x; x = x->next)
            if (x->graph->origin == graph->id)
                return cudaErrorNotSupported; /* its memory is one executable graph's at a time */
    struct CUgraphExec_st *x = calloc(1, sizeof *x);
    if (!x || !(x->graph = graph_copy(graph))) {
        free(x);
        return cudaErrorMemoryAllocation;
    }
    x->graph->inner = true;
    graph_sort(x->graph);
    x->flags = flags;
    x->next = execs;
    execs = x;
    *out = x;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : instantiate(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : instantiate(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !p)
        e = cudaErrorInvalidValue;
    if (!e) {
        bool upload = p->flags & cudaGraphInstantiateFlagUpload; /* nothing to move here */
        e = upload && p->flags & cudaGraphInstantiateFlagDeviceLaunch
                ? cudaErrorInvalidValue
                : instantiate(out, graph, p->flags & ~cudaGraphInstantiateFlagUpload);
        p->errNode_out = NULL;
        p->result_out = !e ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    }
    return sim_leave(e);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphExec_st *x = find(exec);
    if (!e && (!x || !flags))
        e = cudaErrorInvalidValue;
    if (!e)
        *flags = x->flags & ~cudaGraphInstantiateFlagUseNodePriority;
    return sim_leave(e);
}

/* What it has queued still runs. */
static void destroy(struct CUgraphExec_st *x)
{
    struct CUgraphExec_st **at = &execs;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    for (size_t i = 0; i < x->lane_count; i++)
        x->lanes[i]->destroyed = true;
    graph_free(x->graph);
    free(x->lanes);
    free(x);
}

void graph_exec_reset(void)
{
    while (execs)
        destroy(execs);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphExec_st *x = find(exec);
    if (!e && !x)
        e = cudaErrorInvalidValue;
    if (!e) {
        destroy(x);
        stream_forget_destroyed();
    }
    return sim_leave(e);
}

/* ---- launching ---- */

/* A stream that nothing of this launch is in yet; NULL without memory. */
static struct CUstream_st *fresh_lane(struct CUgraphExec_st *x)
{
    if (x->lanes_used < x->lane_count)
        return x->lanes[x->lanes_used++];
    struct CUstream_st *s = stream_new(cudaStreamNonBlocking, 0);
    if (!s)
        return NULL;
    s->of_graph = true;
    x->lanes = sim_room_or_end(x->lanes, x->lane_count, &x->lane_room, sizeof(struct CUstream_st *));
    x->lanes[x->lane_count++] = s;
    x->lanes_used++;
    return s;
}

/* The stream that already ends with something that the new operation comes after, or a fresh lane. */
static struct CUstream_st *lane_after(struct CUgraphExec_st *x, const struct place *after, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (after[i].stream->issued == after[i].seq)
            return after[i].stream;
    return fresh_lane(x);
}

static cudaError_t queue(struct CUgraphExec_st *x, struct sim_op *op, const struct place *after, size_t count,
                         struct place *out)
{
    for (size_t i = 0; i < count; i++)
        if (after[i].stream != op->stream)
            stream_op_after(op, after[i].stream, after[i].seq, after[i].end_ns);
    op->graph = x->launch;
    op->graph_launch = launches;
    sim_op_submit(op);
    *out = (struct place){op->stream, op->seq, op->end_ns};
    return cudaSuccess;
}

/* An operation that only orders. */
static cudaError_t queue_nothing(struct CUgraphExec_st *x, struct CUstream_st *s, const struct place *after,
                                 size_t count, double model_ns, struct place *out)
{
    struct sim_op *op = s ? sim_op_new(s, stream_nothing, 0) : NULL;
    if (!op)
        return cudaErrorMemoryAllocation;
    op->model_ns = model_ns;
    return queue(x, op, after, count, out);
}

/* A kernel in a graph starts sooner than one that the host launches: measured on an H200. */
enum { LAUNCH_NS = 3000, KERNEL_SOONER_NS = 2490 };

static cudaError_t queue_graph(struct CUgraphExec_st *x, const struct CUgraph_st *g, struct place begin,
                               struct place *end);

static cudaError_t queue_event(struct CUgraphExec_st *x, const struct CUgraphNode_st *n,
                               struct CUstream_st *s, const struct place *after, size_t count,
                               struct place *out)
{
    struct CUevent_st *event = event_of(n->event);
    cudaError_t e = queue_nothing(x, s, after, count, 0, out);
    if (e || !event)
        return e ? e : cudaErrorInvalidResourceHandle;
    if (n->type == cudaGraphNodeTypeEventRecord)
        e = event_record(event, s);
    else if (event->stream)
        e = sim_stream_wait(s, event->stream, event->seq);
    *out = (struct place){s, s->issued, s->clock_ns};
    return e;
}

/* An end of the node's copy or fill that was freed since the node was made; kernels look for themselves. */
static const void *freed_end(const struct CUgraphNode_st *n)
{
    struct cudaMemcpy3DParms copy = {.srcArray = NULL};
    struct cudaMemsetParams fill = {.dst = NULL};
    if (!sim_copy_params(n->work, &copy) && !sim_box_params(n->work, &copy) &&
        !sim_fill_params(n->work, &fill))
        sim_box_fill_params(n->work, &fill);
    const void *const ends[] = {copy.srcPtr.ptr, copy.dstPtr.ptr, fill.dst};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const struct sim_block *b = ends[i] ? sim_find(ends[i]) : NULL;
        if (b && !b->live)
            return ends[i];
    }
    return NULL;
}

static void run_freed(struct sim_op *op)
{
    (void)op;
    sim_set_sticky(cudaErrorIllegalAddress);
}

static void report_freed(const struct CUgraphNode_st *n, const void *p)
{
    struct sim_report r =
        sim_report("use after free", "%s: a graph's node uses memory that was freed", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "node", "%s at %s", n->made.api, sim_where_call(&n->made));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why", "a graph keeps addresses, not memory: free it after the last launch");
    sim_report_end(r);
}

static cudaError_t queue_node(struct CUgraphExec_st *x, const struct CUgraphNode_st *n,
                              const struct place *after, size_t count, struct place *out)
{
    struct CUstream_st *s = lane_after(x, after, count);
    if (!s)
        return cudaErrorMemoryAllocation;
    if (n->event)
        return queue_event(x, n, s, after, count, out);
    if (n->memory) {
        struct sim_op *op = graph_memory_op(n->memory, s, n->type == cudaGraphNodeTypeMemAlloc);
        if (op)
            op->call = n->made;
        return op ? queue(x, op, after, count, out) : cudaErrorMemoryAllocation;
    }
    if (!n->work || n->disabled) {
        cudaError_t e = queue_nothing(x, s, after, count, 0, out);
        return e || !n->child ? e : queue_graph(x, n->child, *out, out);
    }
    struct sim_op *op = graph_work_copy(n->work, s);
    if (!op)
        return cudaErrorMemoryAllocation;
    if (n->type == cudaGraphNodeTypeKernel)
        op->model_ns -= KERNEL_SOONER_NS;
    const void *freed = freed_end(n);
    if (freed) {
        report_freed(n, freed);
        op->run = run_freed;
    }
    return queue(x, op, after, count, out);
}

/* All nodes after `begin`; `end` comes after them, in the stream that `begin` is in. */
static cudaError_t queue_graph(struct CUgraphExec_st *x, const struct CUgraph_st *g, struct place begin,
                               struct place *end)
{
    size_t count = g->sorted.count, ends = 0;
    struct place *after = calloc(count + 1, sizeof *after);
    cudaError_t e = after ? cudaSuccess : cudaErrorMemoryAllocation;
    for (size_t i = 0; i < count && !e; i++) {
        struct CUgraphNode_st *n = g->sorted.nodes[i];
        struct place here;
        for (size_t k = 0; k < n->after.count; k++) {
            struct CUgraphNode_st *before = n->after.nodes[k];
            before->mark = 0; /* it is no end */
            after[k] = (struct place){before->lane, before->seq, before->end_ns};
        }
        if (!n->after.count)
            after[0] = begin;
        e = queue_node(x, n, after, n->after.count ? n->after.count : 1, &here);
        n->lane = here.stream;
        n->seq = here.seq;
        n->end_ns = here.end_ns;
        n->mark = 1;
    }
    for (size_t i = 0; i < count && !e; i++) {
        const struct CUgraphNode_st *n = g->sorted.nodes[i];
        if (n->mark)
            after[ends++] = (struct place){n->lane, n->seq, n->end_ns};
    }
    if (!e && !ends)
        *end = begin;
    else if (!e && ends == 1 && after[0].stream == begin.stream)
        *end = after[0];
    else if (!e)
        e = queue_nothing(x, begin.stream, after, ends, 0, end);
    free(after);
    return e;
}

static cudaError_t launch(struct CUgraphExec_st *x, struct CUstream_st *s)
{
    struct place begin;
    bool follows = x->last.stream && x->last.stream != s;
    cudaError_t e =
        graph_memory_before_launch(x->graph, x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch, s);
    if (e)
        return e;
    x->launch = sim_call;
    x->lanes_used = 0;
    launches++;
    e = queue_nothing(x, s, &x->last, follows, LAUNCH_NS, &begin);
    return e ? e : queue_graph(x, x->graph, begin, &x->last);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphExec_st *x = e ? NULL : find(exec);
    struct CUstream_st *s = NULL;
    if (!e && !x)
        e = cudaErrorInvalidValue;
    if (!e)
        e = sim_stream_for_work(stream, &s);
    if (!e)
        e = s->capture ? graph_capture_child(s, x->graph) : launch(x, s);
    if (!e)
        sim_count_launch();
    return sim_leave(e);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUstream_st *s;
    if (!e && !find(exec))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : sim_stream_for_work(stream, &s)); /* nothing to move here */
}

/* ---- changing ---- */

/* Whether `to` can take over what `from` does, node by node; they pair up as they were added. */
static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *to, const struct CUgraph_st *from,
                                              cudaGraphExecUpdateResultInfo *info)
{
    if (to->nodes.count != from->nodes.count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < to->nodes.count; i++) {
        to->nodes.nodes[i]->mark = i;
        from->nodes.nodes[i]->mark = i;
    }
    for (size_t i = 0; i < to->nodes.count; i++) {
        struct CUgraphNode_st *a = to->nodes.nodes[i], *b = from->nodes.nodes[i];
        info->errorNode = b;
        if (a->type != b->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (a->after.count != b->after.count)
            return cudaGraphExecUpdateErrorTopologyChanged;
        for (size_t k = 0; k < a->after.count; k++) {
            info->errorFromNode = b->after.nodes[k];
            if (!node_set_has(&a->after, to->nodes.nodes[b->after.nodes[k]->mark]))
                return cudaGraphExecUpdateErrorTopologyChanged;
        }
        info->errorFromNode = NULL;
        enum cudaGraphExecUpdateResult r =
            a->child ? compare(a->child, b->child, info) : cudaGraphExecUpdateSuccess;
        if (r)
            return r;
    }
    info->errorNode = NULL;
    return cudaGraphExecUpdateSuccess;
}

static cudaError_t take_over(struct CUgraph_st *to, const struct CUgraph_st *from)
{
    cudaError_t e = cudaSuccess;
    for (size_t i = 0; i < to->nodes.count && !e; i++) {
        struct CUgraphNode_st *a = to->nodes.nodes[i], *b = from->nodes.nodes[i];
        struct sim_op *work = b->work ? graph_work_copy(b->work, b->work->stream) : NULL;
        if (b->work && !work)
            return cudaErrorMemoryAllocation;
        if (work)
            graph_node_set_work(a, work);
        a->event = b->event;
        a->made = b->made;
        if (a->child)
            e = take_over(a->child, b->child);
    }
    return e;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t handle, cudaGraphExecUpdateResultInfo *out)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphExec_st *x = find(exec);
    struct CUgraph_st *graph = graph_find(handle);
    if (!e && (!x || !graph || !out))
        e = cudaErrorInvalidValue;
    if (e)
        return sim_leave(e);
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, NULL, NULL};
    info.result = compare(x->graph, graph, &info);
    *out = info;
    return sim_leave(info.result ? cudaErrorGraphExecUpdateFailure : take_over(x->graph, graph));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphNode_st *n = graph_exec_node(exec, node);
    struct CUgraph_st *graph = graph_find(child);
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, NULL, NULL};
    if (!e && (!n || !n->child || !graph || compare(n->child, graph, &info)))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : take_over(n->child, graph));
}

static cudaError_t set_event(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type,
                             cudaEvent_t event)
{
    struct CUgraphNode_st *n = graph_exec_node(exec, node);
    if (!n || n->type != type || !event_of(event))
        return cudaErrorInvalidValue;
    n->event = event;
    return cudaSuccess;
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : set_event(exec, node, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : set_event(exec, node, cudaGraphNodeTypeWaitEvent, event));
}

/* Kernels, copies and fills can be turned off. */
static struct CUgraphNode_st *switchable(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct CUgraphNode_st *n = graph_exec_node(exec, node);
    return n && n->type <= cudaGraphNodeTypeMemset ? n : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphNode_st *n = switchable(exec, node);
    if (!e && !n)
        e = cudaErrorInvalidValue;
    if (!e)
        n->disabled = !enabled;
    return sim_leave(e);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = switchable(exec, node);
    if (!e && (!n || !enabled))
        e = cudaErrorInvalidValue;
    if (!e)
        *enabled = !n->disabled;
    return sim_leave(e);
}
