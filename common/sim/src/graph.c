/* SPDX-License-Identifier: MIT */
/* Graphs, their nodes and edges, and copies of them: an executable graph holds one, and so does a child node.
 */
#include <stdlib.h>
#include <string.h>
#include "graph.h"

static struct CUgraph_st *graphs;
static unsigned long long ids;

/* ---- sets of nodes ---- */

bool node_set_has(const struct node_set *set, const struct CUgraphNode_st *node)
{
    for (size_t i = set->count; i-- > 0;)
        if (set->nodes[i] == node)
            return true;
    return false;
}

static void append(struct node_set *set, struct CUgraphNode_st *node)
{
    set->nodes = sim_room_or_end(set->nodes, set->count, &set->room, sizeof(struct CUgraphNode_st *));
    set->nodes[set->count++] = node;
}

bool node_set_add(struct node_set *set, struct CUgraphNode_st *node)
{
    if (node_set_has(set, node))
        return false;
    append(set, node);
    return true;
}

void node_set_remove(struct node_set *set, const struct CUgraphNode_st *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] != node)
            set->nodes[kept++] = set->nodes[i];
    set->count = kept;
}

void node_set_free(struct node_set *set)
{
    free(set->nodes);
    *set = (struct node_set){NULL, 0, 0};
}

/* ---- graphs ---- */

struct CUgraph_st *graph_new(void)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->id = ++ids;
    g->next = graphs;
    graphs = g;
    return g;
}

struct CUgraph_st *graph_find(cudaGraph_t handle)
{
    struct CUgraph_st *g = graphs;
    while (g && g != handle)
        g = g->next;
    return g;
}

struct CUgraphNode_st *graph_node_find(cudaGraphNode_t handle)
{
    for (struct CUgraph_st *g = graphs; g && handle; g = g->next)
        if (node_set_has(&g->nodes, handle))
            return handle;
    return NULL;
}

static void free_content(struct CUgraphNode_st *n)
{
    if (n->work)
        graph_work_free(n->work);
    if (n->child)
        graph_free(n->child);
    if (n->type == cudaGraphNodeTypeMemAlloc && n->memory)
        graph_memory_release(n->memory);
    free(n->arguments);
    node_set_free(&n->after);
    free(n);
}

void graph_node_free(struct CUgraphNode_st *n)
{
    struct CUgraph_st *g = n->graph;
    node_set_remove(&g->nodes, n);
    for (size_t i = 0; i < g->nodes.count; i++)
        node_set_remove(&g->nodes.nodes[i]->after, n);
    free_content(n);
}

void graph_free(struct CUgraph_st *g)
{
    struct CUgraph_st **at = &graphs;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    for (size_t i = 0; i < g->nodes.count; i++)
        free_content(g->nodes.nodes[i]);
    node_set_free(&g->nodes);
    node_set_free(&g->sorted);
    free(g);
}

void graph_reset(void)
{
    graph_capture_reset();
    graph_exec_reset();
    for (struct CUgraph_st *g = graphs; g;) {
        struct CUgraph_st *next = g->next;
        if (!g->inner) { /* which takes its children along */
            graph_free(g);
            next = graphs;
        }
        g = next;
    }
    graph_memory_reset();
}

/* ---- nodes ---- */

static struct CUgraphNode_st *node_new(struct CUgraph_st *g, enum cudaGraphNodeType type)
{
    struct CUgraphNode_st *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->graph = g;
    n->id = ++ids;
    n->type = type;
    n->made = sim_call;
    append(&g->nodes, n);
    return n;
}

cudaError_t graph_add(struct CUgraph_st *g, enum cudaGraphNodeType type, const cudaGraphNode_t *after,
                      size_t count, struct CUgraphNode_st **out)
{
    if (!g || (count && !after))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        if (!node_set_has(&g->nodes, after[i]))
            return cudaErrorInvalidValue;
        for (size_t k = 0; k < i; k++)
            if (after[k] == after[i])
                return cudaErrorInvalidValue;
    }
    struct CUgraphNode_st *n = node_new(g, type);
    if (!n)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < count; i++)
        append(&n->after, after[i]);
    *out = n;
    return cudaSuccess;
}

/* ---- copies ---- */

struct CUgraphNode_st *graph_copy_of(const struct CUgraph_st *copy, const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < copy->nodes.count; i++)
        if (copy->nodes.nodes[i]->origin == node->id)
            return copy->nodes.nodes[i];
    return NULL;
}

static bool copy_node(struct CUgraph_st *to, const struct CUgraphNode_st *n)
{
    struct CUgraphNode_st *m = node_new(to, n->type);
    if (!m)
        return false;
    m->origin = n->id;
    m->event = n->event;
    m->memory = n->memory;
    if (n->type == cudaGraphNodeTypeMemAlloc)
        graph_memory_retain(n->memory);
    m->made = n->made;
    m->disabled = n->disabled;
    if (n->work && !(m->work = graph_work_copy(n->work, n->work->stream)))
        return false;
    if (n->child && !(m->child = graph_copy(n->child)))
        return false;
    if (m->child)
        m->child->inner = true;
    return true;
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *g)
{
    struct CUgraph_st *to = graph_new();
    if (!to)
        return NULL;
    to->origin = g->id;
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!copy_node(to, g->nodes.nodes[i])) {
            graph_free(to);
            return NULL;
        }
    for (size_t i = 0; i < g->nodes.count; i++)
        g->nodes.nodes[i]->mark = i; /* its place, and its copy's */
    for (size_t i = 0; i < g->nodes.count; i++)
        for (size_t k = 0; k < g->nodes.nodes[i]->after.count; k++)
            append(&to->nodes.nodes[i]->after, to->nodes.nodes[g->nodes.nodes[i]->after.nodes[k]->mark]);
    return to;
}

/* ---- order ---- */

/* Each round places, as they were added, the nodes whose dependencies have their place: one round, but where
 * edges were added later. */
bool graph_sort(struct CUgraph_st *g)
{
    enum { PLACED = 1 };
    g->sorted.count = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        g->nodes.nodes[i]->mark = 0;
    for (size_t placed = 1; g->sorted.count < g->nodes.count && placed;) {
        placed = 0;
        for (size_t i = 0; i < g->nodes.count; i++) {
            struct CUgraphNode_st *n = g->nodes.nodes[i];
            bool ready = n->mark != PLACED;
            for (size_t k = 0; k < n->after.count && ready; k++)
                ready = n->after.nodes[k]->mark == PLACED;
            if (!ready)
                continue;
            n->mark = PLACED;
            append(&g->sorted, n);
            placed++;
        }
    }
    for (size_t i = 0; i < g->nodes.count; i++)
        if (g->nodes.nodes[i]->child && !graph_sort(g->nodes.nodes[i]->child))
            return false;
    return g->sorted.count == g->nodes.count;
}
