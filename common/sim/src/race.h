/* SPDX-License-Identifier: MIT */
/* What race.c finds, race_split.c holds, handoff.c knows of order, and race_report.c tells. See race.c. */
#ifndef SIM_RACE_H
#define SIM_RACE_H

#include "check.h"
#include "exec.h"
#include "shadow.h"

/* Flags of a record beside the 4 bits that say which bytes it is about. */
enum { BYTES = 15, ATOMIC = 16, SPLIT = 32, SAME = 32, MANY = 64, WIDE = 128 };

static inline check_tick tick_of(uint64_t record)
{
    return (check_tick)(record >> 32);
}

static inline unsigned thread_of(uint64_t record)
{
    return record >> 22 & 1023;
}

/* Two accesses that nothing orders. */
struct race {
    uint64_t record;    /* the earlier one */
    unsigned then, now; /* how each was made */
    uintptr_t home;
    const char *at;
    unsigned thread; /* who makes the later one, with its place in the code */
    uint3 index, block;
    const void *pc;
};

/* ---- race.c ---- */

extern check_tick race_grid, race_block; /* when the running grid, and block, began */
/* The place in the code of the access that a record names; NULL: it was not kept. */
const void *race_site(uint64_t record);

/* ---- race_split.c ---- */

struct race_split {
    struct shadow_cell part[4];
    struct shadow_cell *of; /* the cell that is split; NULL: it may have several addresses, or this is free */
};
extern struct race_split *race_splits;

/* Of a SPLIT cell; they move when another is split. */
static inline struct shadow_cell *race_parts(const struct shadow_cell *c)
{
    return race_splits[c->write >> 8].part;
}

void race_split(struct shadow_cell *c, uintptr_t home);
/* The cell is of memory that can have several addresses, and will be cleared. */
void race_forget_cell(const struct shadow_cell *c);
/* All cells are cleared. */
void race_forget_splits(void);

/* ---- race_report.c ---- */

/* Tells of it; or keeps a plain read among atomics back, which the next atomic of the same thread excuses. */
void race_found(const struct race *race);
void race_excuse(uintptr_t home, size_t bytes);
void race_tell_rest(void);

/* ---- handoff.c: what fences and atomics order ---- */

/* The running block has taken something that was given. */
bool handoff_taken(void);
/* The running thread, or its block, knows by that of what `thread` did at `t`. */
bool handoff_orders(check_tick t, unsigned thread);
/* An atomic operation of the running thread, whose block passed its last barrier at `barrier`. */
void handoff_atomic(uintptr_t home, check_tick barrier);
void handoff_fence(void);
/* The running thread, or its block, has passed a fence after `t`. */
bool handoff_fenced(check_tick t);
void handoff_barrier(void);
void handoff_block_begin(void);
void handoff_grid_begin(void);

#endif
