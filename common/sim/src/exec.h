/* SPDX-License-Identifier: MIT */
/* Between the scheduler of threads (exec.c) and the operations on which threads wait (sync.c). */
#ifndef SIM_EXEC_H
#define SIM_EXEC_H

#include "sim.h"

enum { SIM_MAX_THREADS = 1024 };

/* The block that runs. All but `threads` is kept only once sim_threads_tracked is set. */
struct exec_block {
    unsigned threads; /* in the block */
    unsigned ended;   /* of them */
    unsigned alive;   /* not ended */
    unsigned thread;  /* the one that runs: linear index */
};
extern struct exec_block exec_block;

/* From "a loop over consecutive threads" to "each thread has a state". */
void exec_track_threads(void);
/* Park the running thread until exec_ready() or exec_ready_all() names it. */
void exec_wait(void);
void exec_ready(unsigned thread);
/* Every thread that has begun and not ended, but for the running one. */
void exec_ready_all_others(void);
/* Let this thread be the next to be looked at, then those after it. */
void exec_go_on_from(unsigned thread);

/* sync.c: a block begins; a thread has ended; nothing can run any more. */
void sync_block_begin(void);
void sync_thread_gone(unsigned thread);
void sync_deadlock(void) __attribute__((noreturn));

#endif
