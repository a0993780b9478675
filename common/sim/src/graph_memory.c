/* SPDX-License-Identifier: MIT */
/*
 * Memory that graphs allocate and free. A node's address is fixed when the node is added, so its block is
 * made then, and nothing may touch it until the node has run:
 *
 *   cudaGraphAddMemAllocNode    block made, closed     <- also when it was freed before in the same graph
 *   launched                    open from here ...
 *   free node, cudaFreeAsync    ... to here, and closed again; another launch may open it once more
 *   cudaDeviceGraphMemTrim      given back, once no graph has the node any more
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "graph.h"

struct graph_memory {
    struct graph_memory *next;
    struct sim_block *block;
    unsigned nodes; /* that allocate it, in graphs and executable graphs */
    bool allocated; /* after all that is queued */
    bool backed;    /* it has been, and counts as reserved */
    bool freed;     /* a graph has a node that frees it, after the last that allocates it */
};

static struct graph_memory *memories;
static size_t used, used_high, reserved, reserved_high;

/* ---- blocks ---- */

static struct graph_memory *memory_new(size_t bytes)
{
    struct graph_memory *m = calloc(1, sizeof *m);
    if (!m || sim_block_new(SIM_DEVICE, bytes, &m->block)) {
        free(m);
        return NULL;
    }
    watch_block_free(m->block);
    sim_block_untrack(m->block);
    m->block->extra = m;
    m->next = memories;
    memories = m;
    return m;
}

static void memory_free(struct graph_memory *m)
{
    struct graph_memory **at = &memories;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    if (m->backed)
        reserved -= m->block->bytes;
    if (m->allocated)
        used -= m->block->bytes;
    else
        sim_block_track(m->block);
    m->block->extra = NULL;
    sim_block_free(m->block);
    free(m);
}

/* A graph's block that this is the address of; NULL: it is none. */
static struct graph_memory *memory_at(const void *p)
{
    struct graph_memory *m = memories;
    while (m && m->block->base != p)
        m = m->next;
    return m;
}

bool graph_memory_is(const struct sim_block *b)
{
    return b->kind == SIM_DEVICE && b->extra;
}

void graph_memory_retain(struct graph_memory *m)
{
    m->nodes++;
}

void graph_memory_release(struct graph_memory *m)
{
    m->nodes--;
}

void graph_memory_reset(void)
{
    while (memories)
        memory_free(memories);
    used = used_high = reserved = reserved_high = 0;
}

/* ---- in the order of streams ---- */

/* The block as the checker and the picture know it: one that a stream allocates. */
static struct sim_block in_stream(const struct sim_op *op)
{
    struct graph_memory *m = *(struct graph_memory *const *)(const void *)op->payload;
    struct sim_block b = *m->block;
    b.kind = SIM_POOL;
    b.made = b.freed = op->call;
    return b;
}

static void run_open(struct sim_op *op)
{
    struct sim_block b = in_stream(op);
    sim_memory_unlock();
    memset(b.base, SIM_FRESH, b.bytes);
    watch_block_new(&b, false);
}

static void run_close(struct sim_op *op)
{
    struct sim_block b = in_stream(op);
    watch_block_free(&b);
}

static void set_allocated(struct graph_memory *m, bool yes)
{
    m->allocated = yes;
    if (!yes) {
        used -= m->block->bytes;
        sim_block_untrack(m->block);
        return;
    }
    sim_block_track(m->block);
    used += m->block->bytes;
    reserved += m->backed ? 0 : m->block->bytes;
    m->backed = true;
    used_high = used_high < used ? used : used_high;
    reserved_high = reserved_high < reserved ? reserved : reserved_high;
}

struct sim_op *graph_memory_op(struct graph_memory *m, struct CUstream_st *s, bool allocates)
{
    struct sim_op *op = sim_op_new(s, allocates ? run_open : run_close, sizeof(struct graph_memory *));
    if (!op)
        return NULL;
    memcpy(op->payload, &m, sizeof(struct graph_memory *));
    op->frees = !allocates;
    set_allocated(m, allocates);
    return op;
}

static cudaError_t not_allocated(const struct sim_block *b)
{
    struct sim_report r =
        sim_report("wrong free", "%s(%p): a graph's memory that is not allocated", sim_call.api, b->base);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(b->base));
    sim_report_line(r, "why",
                    "a launch of its graph allocates it; the graph's own free node, or one call of the "
                    "program, frees it until the next launch");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

cudaError_t graph_memory_free_async(struct sim_block *b, struct CUstream_st *s)
{
    struct graph_memory *m = b->extra;
    if (!m->allocated)
        return not_allocated(b);
    struct sim_op *op = graph_memory_op(m, s, false);
    if (!op)
        return cudaErrorMemoryAllocation;
    sim_op_submit(op);
    return cudaSuccess;
}

cudaError_t graph_memory_free(struct sim_block *b)
{
    struct graph_memory *m = b->extra;
    if (!m->allocated)
        return not_allocated(b);
    struct sim_block as = *b;
    as.kind = SIM_POOL;
    as.freed = sim_call;
    watch_block_free(&as);
    set_allocated(m, false);
    return cudaSuccess;
}

/* ---- nodes ---- */

/* A block of this graph that is free again before `node`, as its edges say, and large enough. */
static struct graph_memory *reusable(struct CUgraphNode_st *node, size_t bytes)
{
    const struct CUgraph_st *g = node->graph;
    graph_mark_before(g, &node->after);
    for (size_t i = 0; i < g->nodes.count; i++) {
        struct graph_memory *m = g->nodes.nodes[i]->memory;
        int open = 0;
        bool before = m && m->block->bytes == bytes;
        for (size_t k = 0; k < g->nodes.count && before; k++) {
            const struct CUgraphNode_st *n = g->nodes.nodes[k];
            if (n->memory == m) {
                before = n->mark;
                open += n->type == cudaGraphNodeTypeMemAlloc ? 1 : -1;
            }
        }
        if (before && !open)
            return m;
    }
    return NULL;
}

cudaError_t graph_memory_allocate(struct CUgraphNode_st *n, size_t bytes, void **out)
{
    struct graph_memory *m = reusable(n, bytes);
    if (!m && !(m = memory_new(bytes)))
        return cudaErrorMemoryAllocation;
    m->freed = false;
    graph_memory_retain(m);
    n->memory = m;
    *out = m->block->base;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, struct cudaMemAllocNodeParams *p)
{
    struct CUgraphNode_st *n;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!out || !p || !p->bytesize || p->poolProps.allocType != cudaMemAllocationTypePinned ||
               p->poolProps.location.type != cudaMemLocationTypeDevice || p->poolProps.location.id))
        e = cudaErrorInvalidValue;
    if (!e)
        e = graph_add(graph_find(graph), cudaGraphNodeTypeMemAlloc, after, count, &n);
    if (e)
        return sim_leave(e);
    e = graph_memory_allocate(n, p->bytesize, &p->dptr);
    if (e)
        graph_node_free(n);
    else
        *out = n;
    return sim_leave(e);
}

/* A graph may free a block once, and one graph may. */
static bool is_freed(const struct CUgraph_st *g, const struct graph_memory *m)
{
    int open = 0, frees = 0, own = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        if (g->nodes.nodes[i]->memory == m) {
            own++;
            open += g->nodes.nodes[i]->type == cudaGraphNodeTypeMemAlloc ? 1 : -1;
            frees += g->nodes.nodes[i]->type == cudaGraphNodeTypeMemFree;
        }
    return own ? frees && open <= 0 : m->freed;
}

cudaError_t graph_memory_add_free(struct CUgraph_st *g, const cudaGraphNode_t *after, size_t count, void *p,
                                  struct CUgraphNode_st **n)
{
    struct graph_memory *m = memory_at(p);
    if (!g || !m || is_freed(g, m))
        return cudaErrorInvalidValue;
    cudaError_t e = graph_add(g, cudaGraphNodeTypeMemFree, after, count, n);
    if (!e) {
        (*n)->memory = m;
        m->freed = true;
    }
    return e;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    size_t count, void *p)
{
    struct CUgraphNode_st *n;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e)
        e = graph_memory_add_free(graph_find(graph), after, count, p, &n);
    if (!e)
        *out = n;
    return sim_leave(e);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = graph_node_find(node);
    if (!e && (!n || n->type != cudaGraphNodeTypeMemAlloc || !p))
        e = cudaErrorInvalidValue;
    if (!e)
        *p = (struct cudaMemAllocNodeParams){.poolProps = {.allocType = cudaMemAllocationTypePinned,
                                                           .location = {cudaMemLocationTypeDevice, 0}},
                                             .bytesize = n->memory->block->bytes,
                                             .dptr = n->memory->block->base};
    return sim_leave(e);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct CUgraphNode_st *n = graph_node_find(node);
    if (!e && (!n || n->type != cudaGraphNodeTypeMemFree || !out))
        e = cudaErrorInvalidValue;
    if (!e)
        *(void **)out = n->memory->block->base;
    return sim_leave(e);
}

/* ---- a launch ---- */

/* What the first of a graph's nodes with this block finds. */
static bool is_first(const struct CUgraph_st *g, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (g->sorted.nodes[k]->memory == g->sorted.nodes[i]->memory)
            return false;
    return true;
}

cudaError_t graph_memory_before_launch(const struct CUgraph_st *g, bool auto_free, struct CUstream_st *s)
{
    for (int pass = 0; pass < 2; pass++) /* nothing is queued before all is known to be right */
        for (size_t i = 0; i < g->sorted.count; i++) {
            const struct CUgraphNode_st *n = g->sorted.nodes[i];
            bool allocates = n->type == cudaGraphNodeTypeMemAlloc;
            if (!n->memory || !is_first(g, i) || n->memory->allocated == !allocates)
                continue;
            if (!allocates || !auto_free)
                return cudaErrorInvalidValue;
            cudaError_t e = pass ? graph_memory_free_async(n->memory->block, s) : cudaSuccess;
            if (e)
                return e;
        }
    return cudaSuccess;
}

/* ---- the device's view ---- */

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && device)
        e = cudaErrorInvalidDevice;
    if (!e)
        e = sim_device_finish();
    for (struct graph_memory *m = memories, *next; m && !e; m = next) {
        next = m->next;
        if (!m->nodes && !m->allocated)
            memory_free(m);
    }
    return sim_leave(e);
}

static size_t *attribute(enum cudaGraphMemAttributeType which)
{
    size_t *const all[] = {&used, &used_high, &reserved, &reserved_high};
    return (unsigned)which < 4 ? all[which] : NULL;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && device)
        e = cudaErrorInvalidDevice;
    if (!e && (!value || !attribute(which)))
        e = cudaErrorInvalidValue;
    if (!e)
        *(uint64_t *)value = *attribute(which);
    return sim_leave(e);
}

/* Only the high marks, and only back to what is so now. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value)
{
    cudaError_t e = sim_enter(SIM_CALL);
    bool high = which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh;
    if (!e && device)
        e = cudaErrorInvalidDevice;
    if (!e && (!value || !high || *(uint64_t *)value))
        e = cudaErrorInvalidValue;
    if (!e)
        *attribute(which) = *attribute(which - 1);
    return sim_leave(e);
}
