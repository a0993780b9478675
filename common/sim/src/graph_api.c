/* SPDX-License-Identifier: MIT */
/* The calls that build graphs and list what is in them. A kernel's, copy's and fill's nodes: graph_node.c. */
#include <string.h>
#include "graph.h"

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!out || flags))
        e = cudaErrorInvalidValue;
    struct CUgraph_st *g = e ? NULL : graph_new();
    if (!e && !g)
        e = cudaErrorMemoryAllocation;
    if (!e)
        *out = g;
    return sim_leave(e);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraph_st *g = graph_find(handle);
    if (!e && (!g || g->inner || g->capturing))
        e = cudaErrorInvalidValue;
    if (!e)
        graph_free(g);
    return sim_leave(e);
}

/* What allocates is one of a kind: no copies, and its nodes stay. */
bool graph_has_memory(const struct CUgraph_st *g)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        if (g->nodes.nodes[i]->memory)
            return true;
    return false;
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraph_st *g = graph_find(handle), *copy = NULL;
    if (!e && (!g || !out))
        e = cudaErrorInvalidValue;
    if (!e && graph_has_memory(g))
        e = cudaErrorNotSupported;
    if (!e && !(copy = graph_copy(g)))
        e = cudaErrorMemoryAllocation;
    if (!e)
        *out = copy;
    return sim_leave(e);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t clone)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraph_st *g = graph_find(clone);
    const struct CUgraphNode_st *n = graph_node_find(node);
    struct CUgraphNode_st *copy = g && n && g->origin == n->graph->id ? graph_copy_of(g, n) : NULL;
    if (!e && (!out || !copy))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = copy;
    return sim_leave(e);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphNode_st *n = graph_node_find(node);
    if (!e && (!n || n->memory))
        e = n ? cudaErrorNotSupported : cudaErrorInvalidValue;
    if (!e)
        graph_node_free(n);
    return sim_leave(e);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = graph_node_find(node);
    if (!e && (!n || !type))
        e = cudaErrorInvalidValue;
    if (!e)
        *type = n->type;
    return sim_leave(e);
}

/* ---- lists ---- */

/* One element for the caller's list of `room`, the rest of which is NULL at the end. */
struct list {
    cudaGraphNode_t *nodes, *to; /* `to` of edges only */
    cudaGraphEdgeData *data;
    size_t room, count;
};

static void give(struct list *l, cudaGraphNode_t node, cudaGraphNode_t to)
{
    if (l->nodes && l->count < l->room) {
        l->nodes[l->count] = node;
        if (l->to)
            l->to[l->count] = to;
        if (l->data)
            l->data[l->count] = (cudaGraphEdgeData){.type = 0};
    }
    l->count++;
}

static cudaError_t end_list(struct list *l, size_t *count)
{
    if (!l->nodes) {
        *count = l->count;
        return cudaSuccess;
    }
    if (!l->room)
        return cudaErrorInvalidValue;
    for (size_t i = l->count; i < l->room; i++) {
        l->nodes[i] = NULL;
        if (l->to)
            l->to[i] = NULL;
    }
    *count = l->count < l->room ? l->count : l->room;
    return cudaSuccess;
}

static cudaError_t nodes_of(cudaGraph_t handle, bool roots, cudaGraphNode_t *nodes, size_t *count)
{
    const struct CUgraph_st *g = graph_find(handle);
    if (!g || !count)
        return cudaErrorInvalidValue;
    struct list l = {nodes, NULL, NULL, *count, 0};
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!roots || !g->nodes.nodes[i]->after.count)
            give(&l, g->nodes.nodes[i], NULL);
    return end_list(&l, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : nodes_of(graph, false, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : nodes_of(graph, true, nodes, count));
}

static cudaError_t edges_of(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                            cudaGraphEdgeData *data, size_t *count)
{
    const struct CUgraph_st *g = graph_find(handle);
    if (!g || !count || !from != !to)
        return cudaErrorInvalidValue;
    struct list l = {from, to, data, *count, 0};
    for (size_t i = 0; i < g->nodes.count; i++)
        for (size_t k = 0; k < g->nodes.nodes[i]->after.count; k++)
            give(&l, g->nodes.nodes[i]->after.nodes[k], g->nodes.nodes[i]);
    return end_list(&l, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : edges_of(graph, from, to, data, count));
}

static cudaError_t neighbours(cudaGraphNode_t handle, bool dependents, cudaGraphNode_t *nodes,
                              cudaGraphEdgeData *data, size_t *count)
{
    struct CUgraphNode_st *n = graph_node_find(handle);
    if (!n || !count)
        return cudaErrorInvalidValue;
    struct list l = {nodes, NULL, data, *count, 0};
    for (size_t i = 0; i < n->after.count && !dependents; i++)
        give(&l, n->after.nodes[i], NULL);
    for (size_t i = 0; i < n->graph->nodes.count && dependents; i++)
        if (node_set_has(&n->graph->nodes.nodes[i]->after, n))
            give(&l, n->graph->nodes.nodes[i], NULL);
    return end_list(&l, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : neighbours(node, false, nodes, data, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : neighbours(node, true, nodes, data, count));
}

/* ---- edges ---- */

/* Each of `count` edges is between nodes of the graph, and there (`present`) or not. */
static cudaError_t check_edges(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                               size_t count, bool present)
{
    const struct CUgraph_st *g = graph_find(handle);
    if (!g || (count && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!node_set_has(&g->nodes, from[i]) || !node_set_has(&g->nodes, to[i]) || from[i] == to[i] ||
            node_set_has(&to[i]->after, from[i]) != present)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    (void)data;
    if (!e)
        e = check_edges(graph, from, to, count, false);
    for (size_t i = 0; i < count && !e; i++)
        node_set_add(&to[i]->after, from[i]);
    return sim_leave(e);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                        size_t count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    (void)data;
    if (!e)
        e = check_edges(graph, from, to, count, true);
    for (size_t i = 0; i < count && !e; i++)
        node_set_remove(&to[i]->after, from[i]);
    return sim_leave(e);
}

/* ---- nodes without work of their own ---- */

static cudaError_t add(cudaGraphNode_t *out, cudaGraph_t graph, enum cudaGraphNodeType type,
                       const cudaGraphNode_t *after, size_t count, struct CUgraphNode_st **n)
{
    cudaError_t e = out ? graph_add(graph_find(graph), type, after, count, n) : cudaErrorInvalidValue;
    if (!e)
        *out = *n;
    return e;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                  size_t count)
{
    struct CUgraphNode_st *n;
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : add(out, graph, cudaGraphNodeTypeEmpty, after, count, &n));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       size_t count, cudaGraph_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUgraphNode_st *n;
    struct CUgraph_st *g = graph_find(handle), *child = NULL;
    if (!e && g && graph_has_memory(g))
        e = cudaErrorNotSupported;
    if (!e && (!g || handle == graph))
        e = cudaErrorInvalidValue;
    if (!e && !(child = graph_copy(g)))
        e = cudaErrorMemoryAllocation;
    if (!e)
        e = add(out, graph, cudaGraphNodeTypeGraph, after, count, &n);
    if (e && child)
        graph_free(child);
    if (!e) {
        child->inner = true;
        n->child = child;
    }
    return sim_leave(e);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = graph_node_find(node);
    if (!e && (!n || !n->child || !out))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = n->child;
    return sim_leave(e);
}

static cudaError_t add_event(cudaGraphNode_t *out, cudaGraph_t graph, enum cudaGraphNodeType type,
                             const cudaGraphNode_t *after, size_t count, cudaEvent_t event)
{
    struct CUgraphNode_st *n;
    cudaError_t e = event_of(event) ? add(out, graph, type, after, count, &n) : cudaErrorInvalidValue;
    if (!e)
        n->event = event;
    return e;
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *out)
{
    const struct CUgraphNode_st *n = graph_node_find(node);
    if (!n || n->type != type || !out)
        return cudaErrorInvalidValue;
    *out = n->event;
    return cudaSuccess;
}

static cudaError_t set_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct CUgraphNode_st *n = graph_node_find(node);
    if (!n || n->type != type || !event_of(event))
        return cudaErrorInvalidValue;
    n->event = event;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : add_event(out, graph, cudaGraphNodeTypeEventRecord, after, count, event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : get_event(node, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : set_event(node, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                      size_t count, cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : add_event(out, graph, cudaGraphNodeTypeWaitEvent, after, count, event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : get_event(node, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : set_event(node, cudaGraphNodeTypeWaitEvent, event));
}

/* ---- a picture ---- */

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
    static const char *const names[cudaGraphNodeTypeCount] = {
        "KERNEL",       "MEMCPY", "MEMSET",      "HOST",   "GRAPH", "EMPTY", "EVENT_WAIT",
        "EVENT_RECORD", "SIGNAL", "SIGNAL_WAIT", "MALLOC", "MFREE", "",      "CONDITIONAL"};
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraph_st *g = graph_find(handle);
    (void)flags;
    FILE *f = !e && g && path ? fopen(path, "w") : NULL;
    if (!e && !f)
        e = g && path ? cudaErrorOperatingSystem : cudaErrorInvalidValue;
    if (e)
        return sim_leave(e);
    fprintf(f, "digraph graph_%llu {\n", g->id);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const struct CUgraphNode_st *n = g->nodes.nodes[i];
        fprintf(f, "\"node_%llu\" [shape=\"box\" label=\"%s\\n%s\"];\n", n->id, names[n->type],
                n->work && n->work->kernel ? n->work->kernel : sim_where_call(&n->made));
        for (size_t k = 0; k < n->after.count; k++)
            fprintf(f, "\"node_%llu\" -> \"node_%llu\";\n", n->after.nodes[k]->id, n->id);
    }
    fprintf(f, "}\n");
    if (fclose(f))
        e = cudaErrorOperatingSystem;
    return sim_leave(e);
}
