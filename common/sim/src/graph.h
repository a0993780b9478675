/* SPDX-License-Identifier: MIT */
/*
 * Graphs inside: what one source offers to another.
 *
 *   graph.c          graphs, nodes, edges; copies of them
 *   graph_node.c     what a node does: an operation that is never queued itself, and its parameters
 *   graph_capture.c  streams whose operations become nodes
 *   graph_exec.c     executable graphs: launched, each node's operation is copied into a stream
 *   graph_memory.c   nodes that allocate and free
 *   graph_api.c      the calls that build and list graphs
 */
#ifndef SIM_GRAPH_SRC_H
#define SIM_GRAPH_SRC_H

#include "stream.h"

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    unsigned long long id, origin; /* of all nodes ever; of the one it is a copy of */
    enum cudaGraphNodeType type;
    struct sim_op *work;         /* of kernels, copies, fills and host functions */
    cudaEvent_t event;           /* of event nodes */
    struct CUgraph_st *child;    /* of child graphs, their own copy */
    struct graph_memory *memory; /* of nodes that allocate or free */
    void **arguments;            /* of kernels, where somebody asked: the addresses in `work` */
    struct node_set after;       /* what it depends on */
    bool disabled;
    struct sim_call made;
    struct CUstream_st *lane; /* where its operation was queued at the last launch, its number, its end */
    unsigned long long seq;
    double end_ns;
    size_t mark; /* of whoever walks over all nodes: nothing of it lasts */
};

struct CUgraph_st {
    struct CUgraph_st *next;
    unsigned long long id, origin;
    struct node_set nodes;  /* as they were added */
    struct node_set sorted; /* each after what it depends on; made by graph_sort */
    bool inner;             /* a child's or an executable graph's: not the program's to destroy */
    bool capturing;         /* a capture is making it */
};

/* ---- graph.c ---- */

/* False when it was there already. */
bool node_set_add(struct node_set *set, struct CUgraphNode_st *node);
bool node_set_has(const struct node_set *set, const struct CUgraphNode_st *node);
void node_set_remove(struct node_set *set, const struct CUgraphNode_st *node);
void node_set_free(struct node_set *set);

struct CUgraph_st *graph_new(void);
/* NULL when there is no such graph, or node. */
struct CUgraph_st *graph_find(cudaGraph_t handle);
struct CUgraphNode_st *graph_node_find(cudaGraphNode_t handle);
void graph_free(struct CUgraph_st *graph);
/* A copy with copies of all nodes, whose `origin` is the node copied; NULL without memory. */
struct CUgraph_st *graph_copy(const struct CUgraph_st *graph);
struct CUgraphNode_st *graph_copy_of(const struct CUgraph_st *copy, const struct CUgraphNode_st *node);
/* A new node after these nodes of the same graph, which are checked. */
cudaError_t graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type, const cudaGraphNode_t *after,
                      size_t count, struct CUgraphNode_st **out);
void graph_node_free(struct CUgraphNode_st *node);
/* False when edges go round in a circle. */
bool graph_sort(struct CUgraph_st *graph);

/* ---- graph_node.c ---- */

/* A stream that runs nothing: what is given to it is handed out by graph_collected. */
struct CUstream_st *graph_sink(void);
struct sim_op *graph_collected(void);
extern struct graph_capture graph_sink_capture;
void graph_collect(struct sim_op *op);
/* A copy of a node's operation, for a stream; NULL without memory. */
struct sim_op *graph_work_copy(const struct sim_op *work, struct CUstream_st *stream);
void graph_work_free(struct sim_op *work);
/* Give the node this work in place of what it had. */
void graph_node_set_work(struct CUgraphNode_st *node, struct sim_op *work);

/* ---- graph_capture.c ---- */

struct graph_capture {
    struct graph_capture *next;
    unsigned long long id;
    struct CUgraph_st *graph;
    struct CUstream_st *origin;
    enum cudaStreamCaptureMode mode;
    unsigned long thread;
    bool invalid, into; /* into: a graph of the program's own */
};

/* An operation is given to a stream that captures. */
void graph_capture_op(struct sim_op *op);
cudaError_t graph_capture_record(struct CUevent_st *event, struct CUstream_st *stream, unsigned flags);
cudaError_t graph_capture_wait(struct CUstream_st *stream, struct CUevent_st *event, unsigned flags);
/* The host asks about an event, or waits for it or for a stream's end, which spoils the capture: an error
 * where a capture is in the way. */
cudaError_t graph_capture_event(const struct CUevent_st *event, bool waits);
cudaError_t graph_capture_host_waits(struct CUstream_st *stream);
/* A graph is launched into a stream that captures: it becomes a child. */
cudaError_t graph_capture_child(struct CUstream_st *stream, const struct CUgraph_st *graph);

/* Set `mark` of these nodes of the graph and of all before them to 1, of the others to 0. */
void graph_mark_before(const struct CUgraph_st *graph, const struct node_set *ends);

/* ---- graph_memory.c ---- */

/* Give a node that allocates its block. */
cudaError_t graph_memory_allocate(struct CUgraphNode_st *node, size_t bytes, void **out);
cudaError_t graph_memory_add_free(struct CUgraph_st *graph, const cudaGraphNode_t *after, size_t count,
                                  void *p, struct CUgraphNode_st **out);
bool graph_has_memory(const struct CUgraph_st *graph);
void graph_memory_retain(struct graph_memory *memory);
void graph_memory_release(struct graph_memory *memory);
/* The operation of such a node, which must be queued. */
struct sim_op *graph_memory_op(struct graph_memory *memory, struct CUstream_st *stream, bool allocates);
/* An error when what the graph allocates is allocated, unless that is freed first (`auto_free`). */
cudaError_t graph_memory_before_launch(const struct CUgraph_st *graph, bool auto_free, struct CUstream_st *s);
void graph_memory_reset(void);
/* cudaMallocAsync and cudaFreeAsync in a stream that captures (graph_capture.c). */
cudaError_t graph_capture_malloc(struct CUstream_st *stream, size_t bytes, void **out);
cudaError_t graph_capture_free(struct CUstream_st *stream, void *p);

/* ---- graph_exec.c ---- */

/* The node of an executable graph that was made from this one. */
struct CUgraphNode_st *graph_exec_node(cudaGraphExec_t exec, cudaGraphNode_t node);
/* The last launch of some executable graph was in this stream; the stream is about to go. */
bool graph_launched_in(const struct CUstream_st *stream);
void graph_stream_gone(const struct CUstream_st *stream);

/* The device is reset: all graphs are gone. */
void graph_reset(void);
void graph_capture_reset(void);
void graph_exec_reset(void);

#endif
