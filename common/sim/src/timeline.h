/* SPDX-License-Identifier: MIT */
/* What timeline.c has kept of a run and page.c draws. A step is one allocation, free, kernel, copy or fill.
 */
#ifndef SIM_TIMELINE_H
#define SIM_TIMELINE_H

#include "sim.h"

#define TIMELINE_LIVES UINT32_MAX

struct timeline_block {
    uintptr_t base;
    size_t bytes;
    enum sim_kind kind;
    unsigned born, died;  /* steps; TIMELINE_LIVES: never freed */
    unsigned long number; /* among all blocks of the run */
    struct sim_call made, freed;
};

enum timeline_what {
    TIMELINE_KERNEL,
    TIMELINE_COPY,
    TIMELINE_FILL,
    TIMELINE_ALLOC,
    TIMELINE_FREE,
    TIMELINE_MARK, /* an event recorded */
    TIMELINE_WAIT, /* a stream waits for another */
    TIMELINE_CALL, /* a host function in a stream */
    TIMELINE_HOST  /* the host waits */
};

struct timeline_op {
    enum timeline_what what;
    unsigned lane;
    unsigned step; /* of those that are no step: of the next one */
    unsigned long number;
    unsigned long long seq;
    double start_ns, end_ns;
    struct sim_call call;
    const char *name, *from, *to; /* of a kernel; of a copy, NULL where there is none */
    size_t bytes;                 /* copied; of a kernel: its dynamic shared memory */
    dim3 grid, block;
    bool failed;
};

/* `lane` had to wait for operation `seq` of lane `on` before its own `for_seq`. */
struct timeline_dep {
    unsigned lane, on;
    unsigned long long for_seq, seq;
};

/* What was in use from a step on; where steps had to be joined, the most. */
struct timeline_level {
    unsigned step, pages;
    size_t bytes;
};

enum { TIMELINE_HOST_LANE = 0, TIMELINE_LANES = 32, TIMELINE_MOST = 1 << 14 };

struct timeline_lane {
    unsigned long long id; /* of the stream; the last lane is of all that found no lane of their own */
    unsigned flags;
    int priority;
    bool is_default, of_thread, of_graph;
};

struct timeline {
    struct timeline_block *blocks;
    struct timeline_op *ops;
    struct timeline_dep *deps;
    struct timeline_level *levels;
    unsigned block_count, op_count, dep_count, level_count, lane_count, steps;
    struct timeline_lane lanes[TIMELINE_LANES];
    unsigned long blocks_seen, ops_seen, deps_seen;
    unsigned long frees, launches, copies, fills, submitted, ran;
    size_t copied, live, peak;
    unsigned peak_step, peak_pages;
};

/* The path that SIM_REPORT names; NULL when there is nothing to write. */
const char *timeline_path(void);
/* Bring the records to one density; all is known now. */
const struct timeline *timeline_end(void);

#endif
