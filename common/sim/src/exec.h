/* SPDX-License-Identifier: MIT */
/* Between the scheduler of threads (exec.c) and the operations on which threads wait (sync.c). */
#ifndef SIM_EXEC_H
#define SIM_EXEC_H

#include "sim.h"

enum { SIM_MAX_THREADS = 1024, SIM_WARPS = SIM_MAX_THREADS / 32 };

/* The block that runs. All but `threads` is kept only once sim_threads_tracked is set. */
struct exec_block {
    unsigned threads; /* in the block */
    unsigned ended;   /* of them */
    unsigned alive;   /* not ended */
    unsigned thread;  /* the one that runs: linear index */
};
extern struct exec_block exec_block;

/* Its threads, by position in the order that SIM_ORDER asks for. */
struct exec_schedule {
    struct sim_fiber *runner_of[SIM_MAX_THREADS];                      /* by thread: where it is parked */
    uint64_t ready[SIM_MAX_THREADS / 64], alive[SIM_MAX_THREADS / 64]; /* by position */
    unsigned ready_count, begun, cursor;
    unsigned turn, turn_end,
        turn_passes;  /* ready too, but not marked: positions from turn to turn_end, but one */
    uint3 next_index; /* threadIdx of the thread at position `begun`, when positions are in order */
    unsigned short position_of[SIM_MAX_THREADS], thread_at[SIM_MAX_THREADS];
};
extern struct exec_schedule exec_now;

/* Begin the block that is `number`th in the order of blocks: its first thread is set. */
void exec_begin_block(unsigned long long number);

/* progress.c: a launch begins; it has come to this block: the block to say so again at. */
unsigned long long exec_progress_begin(void);
unsigned long long exec_progress(unsigned long long done, unsigned long long all);

/* A barrier or warp operation outside a kernel: report it and abort. */
void exec_require_kernel(const char *what, const char *file, int line);
/* From "a loop over consecutive threads" to "each thread has a state". */
void exec_track_threads(void);
/* Park the running thread until exec_ready() or exec_ready_all() names it. */
void exec_wait(void);
void exec_ready(unsigned thread);
/* Every thread that has begun and not ended, but for the running one. */
void exec_ready_all_others(void);
/* Every stack of the grid that is not `taken`, and not the director's, is ready for threads that begin. */
void exec_restock(void);
/* Let this thread be the next to be looked at, then those after it. */
void exec_go_on_from(unsigned thread);

/* ---- sync.c ---- */

/* A rendezvous of some lanes. A warp has more than one only while its lanes have gone different ways. */
struct sync_meeting {
    unsigned mask, arrived, votes;
    enum sync_wait { ENDED, AT_BARRIER, AT_GRID, AT_TILE, AT_WARP_SYNC, AT_VOTE, AT_SHUFFLE } kind;
};

enum { SYNC_TILE_SIZES = 5 };

/* On what the threads of the running block wait. */
struct sync_state {
    struct {
        unsigned arrived, count,
            result;    /* threads; of them with a true predicate; `count` of the last round */
        sim_site site; /* of the first to arrive */
        bool mixed;    /* another arrived elsewhere */
    } barrier;
    unsigned at_grid; /* threads that wait for the grid */
    unsigned at_tiles;
    /* Tiles of more than a warp: sizes from 64 to 1024, and of each the tiles of the block. */
    struct sync_tile {
        unsigned arrived, votes;
    } tiles[SYNC_TILE_SIZES][SIM_WARPS / 2];
    struct sync_warp {
        unsigned gone; /* lanes that have ended or never were */
        int meetings;
        struct sync_meeting meeting[32];
    } warps[SIM_WARPS];
    /* Where each thread waits, or waited last, for reports. */
    struct sync_place {
        const char *file;
        int line;
        enum sync_wait at;
    } places[SIM_MAX_THREADS];
    /* What a lane brings to a warp operation and takes away. */
    struct sync_lane {
        _Alignas(16) char value[16], result[16];
        unsigned source, votes;
    } lanes[SIM_MAX_THREADS];
};
extern struct sync_state sync_now;

bool sync_all_at_grid_barrier(void);
/* Every thread of the running block waits for the grid: let them go on. */
void sync_grid_release(void);
/* A block begins; a thread has ended; nothing can run any more. */
void sync_block_begin(void);
void sync_thread_gone(unsigned thread);
void sync_deadlock(void) __attribute__((noreturn));

/* ---- resident.c: the blocks of a cooperative launch ---- */

enum exec_next { EXEC_DONE, EXEC_BEGUN, EXEC_PARKED };
bool resident_begin(unsigned blocks);
/* Leave the running block, which is over or waits for the grid, and go to the next that can do something. */
enum exec_next resident_next(bool over);
void resident_end(void);

#endif
