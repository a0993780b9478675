/* SPDX-License-Identifier: MIT */
/* What order.c knows of operations, for unordered.c, which tells it. */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "check.h"

/* For each lane the number of its last operation that is known to have ended. */
struct clock {
    unsigned *at, count;
};

/* An operation, from its submit until nobody can doubt any more that it has ended. */
struct order_step {
    struct sim_call call;
    const char *kernel; /* its name, or NULL: another operation */
    struct sim_call graph; /* the launch of the graph that it is of; else api is NULL */
    unsigned long long graph_launch;
    struct order_stream {
        unsigned long long id;
        struct sim_call made;
        bool legacy, of_thread;
        bool apart; /* non-blocking: the legacy stream and this one do not wait for each other */
    } stream;
    bool host_told, free_told;
    unsigned lane, number;
    check_tick submitted, begin, end; /* it owns [begin, end); begin 0: it has not run, end 0: it runs */
    struct clock clock;               /* what has ended before it begins, and itself */
    struct order_range {
        const char *first;
        size_t bytes;
        bool writes, registered;
    } host[2]; /* what a copy touches of memory that the host can reach */
};

/* The operation that runs, NULL in host code; the one that ran at `t`, NULL for host code. */
struct order_step *order_now(void);
struct order_step *order_at(check_tick t);
/* The first operation that has not run yet and touches these host bytes, one of both writing; NULL in an
 * operation, which is none of the host's doing. */
struct order_step *order_pending_on(const void *p, size_t bytes, bool write);
/* A kernel that the host does not know to have ended: any, or of `stream` only. */
struct order_step *order_busy(const struct CUstream_st *stream);
/* No operation that has run is unordered before what runs now. */
bool order_all_known(void);
/* "kernel scale launched at lab.cu:20 in main, on stream 2 (made at lab.cu:9 in main)" */
const char *order_name(const struct order_step *step);

#endif
