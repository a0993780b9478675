/* SPDX-License-Identifier: MIT */
/*
 * Captures: what is given to a stream becomes a node, after the nodes that the stream has come to.
 *
 *   cudaStreamBeginCapture(a)   kernel on a -> node 1
 *   an event recorded in a      stands for {node 1}; b, which waits for it, takes part from now on
 *   kernel on b -> node 2       and must be joined: a waits for an event that b has recorded last
 *
 * A call that would need the work to run, or that hides a wait, ends in an error and makes the capture
 * useless.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "graph.h"

_Atomic int sim_captures;
static struct graph_capture *captures;
static unsigned long long capture_ids;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

bool sim_capturing(const struct CUstream_st *s)
{
    return s->capture != NULL;
}

static void forget_nodes(struct node_set *set)
{
    set->count = 0;
}

static void copy_nodes(struct node_set *to, const struct node_set *from)
{
    for (size_t i = 0; i < from->count; i++)
        node_set_add(to, from->nodes[i]);
}

/* ---- what a capture forbids ---- */

/* They allocate, free or wait, or may do so. */
static bool is_unsafe(const char *api)
{
    static const char *const calls[] = {"cudaMalloc",         "cudaMalloc3D",   "cudaMalloc3DArray",
                                        "cudaMallocArray",    "cudaMallocHost", "cudaMallocManaged",
                                        "cudaMallocPitch",    "cudaHostAlloc",  "cudaHostRegister",
                                        "cudaHostUnregister", "cudaFree",       "cudaFreeHost",
                                        "cudaFreeArray",      "cudaEventQuery", "cudaEventSynchronize"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i], api))
            return true;
    return false;
}

/* This thread's own captures count unless they are relaxed, those of other threads when they are global. */
static bool concerns_me(const struct graph_capture *c)
{
    if (c->mode == cudaStreamCaptureModeRelaxed || thread_mode == cudaStreamCaptureModeRelaxed)
        return false;
    return c->thread == pthread_self() ||
           (c->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal);
}

static void explain(const char *what, const char *why)
{
    struct sim_report r = sim_note("capture", "%s: %s", sim_call.api, what);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "%s", why);
    sim_report_line(r, "note", "the capture is lost: cudaStreamEndCapture will say so, and give no graph");
    sim_report_end(r);
}

/* A stream that the default stream would wait for. */
static struct CUstream_st *blocking_stream(void)
{
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        if (s->capture && !(s->flags & cudaStreamNonBlocking))
            return s;
    return NULL;
}

/* The captures that forbid an unsafe call, or just `all`, are lost. */
static cudaError_t forbid(bool all)
{
    bool found = false;
    for (struct graph_capture *c = captures; c; c = c->next)
        if (all || concerns_me(c))
            found = c->invalid = true;
    if (!found)
        return cudaSuccess;
    explain(
        "not while a stream is capturing",
        "captured work runs when the graph is launched, so nothing can wait for it; what allocates or frees "
        "may wait. Do it before the capture");
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t sim_capture_forbids(const char *api)
{
    bool waits = !strcmp(api, "cudaDeviceSynchronize");
    return waits || is_unsafe(api) ? forbid(waits) : cudaSuccess;
}

cudaError_t sim_stream_for_work(cudaStream_t handle, struct CUstream_st **out)
{
    struct CUstream_st *s = sim_stream(handle), *blocking;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (s->capture && s->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (sim_captures && s == sim_stream(cudaStreamLegacy) && (blocking = blocking_stream())) {
        blocking->capture->invalid = true;
        explain(
            "on the default stream while a stream is capturing",
            "the default stream waits for all streams but those made with cudaStreamNonBlocking: give the "
            "work to the stream that captures");
        return cudaErrorStreamCaptureImplicit;
    }
    *out = s;
    return cudaSuccess;
}

cudaError_t graph_capture_host_waits(struct CUstream_st *s)
{
    cudaError_t e = s == sim_stream(cudaStreamLegacy) ? sim_stream_for_work(NULL, &s) : cudaSuccess;
    if (e || !s->capture)
        return e ? e : forbid(false);
    if (s->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    s->capture->invalid = true;
    explain(
        "the stream is capturing",
        "what it was given has become nodes of a graph, which runs when it is launched: there is nothing to "
        "wait for yet");
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t graph_capture_event(const struct CUevent_st *event, bool waits)
{
    if (event->capture && waits)
        event->capture->invalid = true;
    return event->capture ? cudaErrorCapturedEvent : event->captured ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed))
        e = cudaErrorInvalidValue;
    if (!e) {
        enum cudaStreamCaptureMode before = thread_mode;
        thread_mode = *mode;
        *mode = before;
    }
    return sim_leave(e);
}

/* ---- nodes ---- */

/* The stream has come to `n`, and to nothing else that is not before it. */
static void comes_to(struct CUstream_st *s, struct CUgraphNode_st *n)
{
    forget_nodes(&s->after);
    node_set_add(&s->after, n);
}

static struct CUgraphNode_st *new_node(struct CUstream_st *s, enum cudaGraphNodeType type)
{
    struct CUgraphNode_st *n = NULL;
    if (graph_add(s->capture->graph, type, s->after.nodes, s->after.count, &n))
        s->capture->invalid = true; /* no memory */
    else
        comes_to(s, n);
    return n;
}

void graph_capture_op(struct sim_op *op)
{
    struct CUstream_st *s = op->stream;
    if (s->capture == &graph_sink_capture) {
        graph_collect(op);
        return;
    }
    struct CUgraphNode_st *n = s->capture->invalid ? NULL : new_node(s, op->node);
    if (n)
        n->work = op;
    else
        graph_work_free(op);
}

cudaError_t graph_capture_child(struct CUstream_st *s, const struct CUgraph_st *graph)
{
    struct CUgraph_st *child = graph_copy(graph);
    struct CUgraphNode_st *n = child ? new_node(s, cudaGraphNodeTypeGraph) : NULL;
    if (!n) {
        if (child)
            graph_free(child);
        return cudaErrorMemoryAllocation;
    }
    child->inner = true;
    n->child = child;
    return cudaSuccess;
}

cudaError_t graph_capture_malloc(struct CUstream_st *s, size_t bytes, void **out)
{
    struct node_set after = {NULL, 0, 0};
    copy_nodes(&after, &s->after);
    struct CUgraphNode_st *n = new_node(s, cudaGraphNodeTypeMemAlloc);
    cudaError_t e = n ? graph_memory_allocate(n, bytes, out) : cudaErrorMemoryAllocation;
    if (e && n) {
        forget_nodes(&s->after);
        copy_nodes(&s->after, &after);
        graph_node_free(n);
    }
    node_set_free(&after);
    return e;
}

cudaError_t graph_capture_free(struct CUstream_st *s, void *p)
{
    struct CUgraphNode_st *n;
    cudaError_t e = graph_memory_add_free(s->capture->graph, s->after.nodes, s->after.count, p, &n);
    if (!e)
        comes_to(s, n);
    return e;
}

/* ---- events ---- */

cudaError_t graph_capture_record(struct CUevent_st *event, struct CUstream_st *s, unsigned flags)
{
    if (flags & cudaEventRecordExternal) {
        struct CUgraphNode_st *n = new_node(s, cudaGraphNodeTypeEventRecord);
        if (!n)
            return cudaErrorMemoryAllocation;
        n->event = event;
        return cudaSuccess;
    }
    event->captured = true;
    event->capture = s->capture;
    forget_nodes(&event->after);
    copy_nodes(&event->after, &s->after);
    return cudaSuccess;
}

static cudaError_t refuse(struct graph_capture *c, struct graph_capture *other, cudaError_t e)
{
    c->invalid = true;
    if (other)
        other->invalid = true;
    return e;
}

cudaError_t graph_capture_wait(struct CUstream_st *s, struct CUevent_st *event, unsigned flags)
{
    if (s->capture && flags & cudaEventWaitExternal) {
        struct CUgraphNode_st *n = new_node(s, cudaGraphNodeTypeWaitEvent);
        if (!n)
            return cudaErrorMemoryAllocation;
        n->event = event;
        return cudaSuccess;
    }
    if (s->capture && !event->stream && !event->captured)
        return cudaSuccess; /* never recorded: nothing to wait for */
    if (s->capture && !event->capture)
        return refuse(s->capture, NULL,
                      event->captured ? cudaErrorInvalidValue : cudaErrorStreamCaptureIsolation);
    if (!event->capture)
        return cudaErrorInvalidValue;
    if (event->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (s->capture && s->capture != event->capture)
        return refuse(s->capture, event->capture, cudaErrorStreamCaptureMerge);
    if (s == sim_stream(cudaStreamLegacy))
        return refuse(event->capture, NULL, cudaErrorStreamCaptureImplicit);
    s->capture = event->capture;
    copy_nodes(&s->after, &event->after);
    return cudaSuccess;
}

/* ---- beginning and ending ---- */

static void leave(struct graph_capture *c)
{
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        if (s->capture == c) {
            s->capture = NULL;
            forget_nodes(&s->after);
        }
    for (struct CUevent_st *e = event_list; e; e = e->next)
        if (e->capture == c)
            e->capture = NULL;
    struct graph_capture **at = &captures;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free(c);
    sim_captures--;
}

void graph_capture_reset(void)
{
    while (captures)
        leave(captures);
}

static cudaError_t begin(cudaStream_t handle, enum cudaStreamCaptureMode mode, struct CUgraph_st *into,
                         const cudaGraphNode_t *after, size_t count)
{
    struct CUstream_st *s = sim_stream(handle);
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (!s || s == sim_stream(cudaStreamLegacy))
        return s ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle;
    if (s->capture)
        return cudaErrorIllegalState;
    for (size_t i = 0; i < count; i++)
        if (!after || !node_set_has(&into->nodes, after[i]))
            return cudaErrorInvalidValue;
    struct graph_capture *c = calloc(1, sizeof *c);
    struct CUgraph_st *graph = !c ? NULL : into ? into : graph_new();
    if (!graph) {
        free(c);
        return cudaErrorMemoryAllocation;
    }
    *c = (struct graph_capture){captures, ++capture_ids, graph, s, mode, pthread_self(), false, into};
    graph->capturing = true;
    captures = c;
    sim_captures++;
    s->capture = c;
    forget_nodes(&s->after);
    for (size_t i = 0; i < count; i++)
        node_set_add(&s->after, after[i]);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : begin(stream, mode, NULL, NULL, 0));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                          const cudaGraphNode_t *after, const cudaGraphEdgeData *data,
                                          size_t count, enum cudaStreamCaptureMode mode)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraph_st *graph = graph_find(handle);
    (void)data; /* of programmatic launches only */
    if (!e && (!graph || graph->inner || graph->capturing))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : begin(stream, mode, graph, after, count));
}

/* Mark these and all that comes before them. */
static void mark(const struct node_set *ends)
{
    for (size_t i = 0; i < ends->count; i++)
        if (!ends->nodes[i]->mark) {
            ends->nodes[i]->mark = 1;
            mark(&ends->nodes[i]->after);
        }
}

void graph_mark_before(const struct CUgraph_st *g, const struct node_set *ends)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        g->nodes.nodes[i]->mark = 0;
    mark(ends);
}

/* A stream of the capture whose last work the origin does not come after. */
static const struct CUstream_st *unjoined(const struct graph_capture *c)
{
    graph_mark_before(c->graph, &c->origin->after);
    for (const struct CUstream_st *s = stream_list; s; s = s->next)
        for (size_t i = 0; s->capture == c && i < s->after.count; i++)
            if (!s->after.nodes[i]->mark)
                return s;
    return NULL;
}

static void report_unjoined(const struct CUstream_st *s)
{
    struct sim_report r = sim_note("capture", "%s: a stream was not joined", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "stream", "%llu, made at %s", s->id, sim_where_call(&s->made));
    sim_report_line(r, "last", "%s at %s", s->after.nodes[0]->made.api,
                    sim_where_call(&s->after.nodes[0]->made));
    sim_report_line(
        r, "why",
        "it came in by an event of the capture: record an event in it after its last work, and let "
        "the stream that began the capture wait for that");
    sim_report_end(r);
}

static cudaError_t end(cudaStream_t handle, cudaGraph_t *out)
{
    struct CUstream_st *s = sim_stream(handle);
    if (!s || !out)
        return s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    struct graph_capture *c = s->capture;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != s)
        return refuse(c, NULL, cudaErrorStreamCaptureUnmatched);
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != pthread_self())
        return cudaErrorStreamCaptureWrongThread;
    struct CUgraph_st *graph = c->graph;
    const struct CUstream_st *open = c->invalid ? NULL : unjoined(c);
    cudaError_t e = c->invalid ? cudaErrorStreamCaptureInvalidated
                    : open     ? cudaErrorStreamCaptureUnjoined
                               : cudaSuccess;
    if (open)
        report_unjoined(open);
    graph->capturing = false;
    if (e && !c->into)
        graph_free(graph);
    leave(c);
    *out = e ? NULL : graph;
    return e;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : end(stream, graph));
}

/* ---- questions ---- */

static enum cudaStreamCaptureStatus status_of(const struct CUstream_st *s)
{
    return !s->capture           ? cudaStreamCaptureStatusNone
           : s->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
}

/* The default stream cannot be asked while it would have to wait for one that captures. */
static cudaError_t ask(cudaStream_t handle, const void *out, struct CUstream_st **s)
{
    *s = sim_stream(handle);
    if (!*s || !out)
        return *s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    bool legacy = *s == sim_stream(cudaStreamLegacy);
    return legacy && blocking_stream() ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    struct CUstream_st *s;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = ask(stream, status, &s);
    if (!e)
        *status = status_of(s);
    return sim_leave(e);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const cudaGraphEdgeData **data,
                                     size_t *count)
{
    struct CUstream_st *s;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = ask(stream, status, &s);
    if (e)
        return sim_leave(e);
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive)
        return sim_leave(e);
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = s->capture->graph;
    if (after)
        *after = s->after.nodes;
    if (data)
        *data = NULL;
    if (count)
        *count = s->after.count;
    return sim_leave(e);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *data, size_t count, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUstream_st *s = e ? NULL : sim_stream(stream);
    (void)data;
    if (!e && !s)
        e = cudaErrorInvalidResourceHandle;
    if (!e && (flags > cudaStreamSetCaptureDependencies || (count && !nodes)))
        e = cudaErrorInvalidValue;
    if (!e && !s->capture)
        e = cudaErrorIllegalState;
    if (!e && s->capture->invalid)
        e = cudaErrorStreamCaptureInvalidated;
    for (size_t i = 0; i < count && !e; i++)
        if (!node_set_has(&s->capture->graph->nodes, nodes[i]))
            e = cudaErrorInvalidValue;
    if (!e && flags == cudaStreamSetCaptureDependencies)
        forget_nodes(&s->after);
    for (size_t i = 0; i < count && !e; i++)
        node_set_add(&s->after, nodes[i]);
    return sim_leave(e);
}
