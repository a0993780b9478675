/* SPDX-License-Identifier: MIT */
/* Streams and events inside: between the queue (stream.c) and the calls on it (stream_api.c). */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "sim.h"

struct node_set {
    struct CUgraphNode_st **nodes;
    size_t count, room;
};

struct CUstream_st {
    struct CUstream_st *next;
    struct sim_op *first, *last;
    unsigned long long issued, done; /* operations queued, and run */
    unsigned long long id;
    double clock_ns; /* model time at which what is queued ends */
    unsigned flags;
    int priority;
    struct cudaAccessPolicyWindow window; /* kept, without effect; and this, where 0 is automatic */
    enum cudaSynchronizationPolicy sync_policy;
    struct sim_call made;
    unsigned lane, lane_base;      /* order.c's; an operation's number there is lane_base + seq */
    struct graph_capture *capture; /* that it takes part in, and after what its next node comes */
    struct node_set after;
    unsigned long long reach; /* operations up to here come before what sim_stream_follows was asked about, */
    unsigned long long asked; /* if it was this question */
    bool of_graph;             /* a launched graph's, for a chain of its nodes */
    bool busy;                 /* its first operation, a host function, runs with the lock given back */
    bool destroyed, of_thread; /* of_thread: a host thread's cudaStreamPerThread, which outlives a reset */
};

struct CUevent_st {
    struct CUstream_st *stream; /* recorded in; NULL when never */
    unsigned long long seq;
    double time_ns;
    unsigned flags;
    bool destroyed;
    unsigned marks; /* queued records of it */
    bool captured;  /* recorded last in a capture: `capture`, or one that has ended */
    struct graph_capture *capture;
    struct node_set after;
    struct CUevent_st *next;
};

extern struct CUevent_st *event_list;

/* The stream behind `handle` if there is no error yet; else the error. */
cudaError_t stream_find(cudaError_t e, cudaStream_t handle, struct CUstream_st **stream);
struct CUstream_st *stream_new(unsigned flags, int priority);
/* The priority a stream gets that was to have this one. */
int stream_priority(int wanted);
extern struct CUstream_st *stream_list; /* but for the legacy stream */
/* NULL, and nothing said, when there is no such event. */
struct CUevent_st *event_of(cudaEvent_t handle);
/* Record the event in the stream, now. */
cudaError_t event_record(struct CUevent_st *event, struct CUstream_st *stream);
/* `op`, not yet queued, comes after operation `seq` of `other`, which ends at this model time. */
void stream_op_after(struct sim_op *op, struct CUstream_st *other, unsigned long long seq, double end_ns);
void stream_nothing(struct sim_op *op); /* the run of an operation that only orders */
/* Run one operation of the stream, or one that it waits for. */
void stream_run_one(struct CUstream_st *stream);
/* Run the stream up to its operation number `seq`. */
void stream_run_to(struct CUstream_st *stream, unsigned long long seq);
/* What comes before operation `seq` of a stream, and itself, as far as what is still queued tells. */
void stream_reach(struct CUstream_st *s, unsigned long long seq);
bool stream_was_reached(const struct CUstream_st *s, unsigned long long seq);
/* Free the streams that were destroyed, once nothing is queued anywhere. */
void stream_forget_destroyed(void);
void event_free(struct CUevent_st *event);
/* This host thread has waited for, or been told of, something that ended at this model time. */
void stream_host_reached(double ns);

#endif
