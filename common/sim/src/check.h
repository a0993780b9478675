/* SPDX-License-Identifier: MIT */
/*
 * The checked build inside: who is told what.
 *
 *   instrumented code --__tsan_read4, ...--> tsan.c --> access.c   is memory there, has it been written?
 *                                              |          |  shadow.c: two bits for each byte
 *                                              |          v
 *                                              |        race.c     who touched it before? order known?
 *                                              |                   order.c: the same over streams and events
 *                                              +------> profile.c  what a warp asks of memory at once
 *
 *   runtime --watch_...--> all of the above, and timeline.c, which draws what happened
 *
 * The watch_ functions may be called in every build. They cost a test of a flag when nobody watches.
 */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim.h"

/* True once some code of the program says that it is instrumented, which is before main. */
extern bool sim_checked;

/* ---- watch.c: what the runtime tells; called under the lock ---- */

/* A block has become usable, or a pool's block has (in its stream's order), or what a pool cuts them from.
 * Its bytes are unwritten, or zero by promise when `zeroed`. */
void watch_block_new(struct sim_block *block, bool zeroed);
/* It is about to be given back; its record is still whole. */
void watch_block_free(struct sim_block *block);
/* Memory that may have other addresses too, `offset` bytes into all such memory, can be used at those of
 * this mapping (`fresh`: for the first time), or is about to be so no longer (`alone`: it has no others).
 * False, and nothing is done, when the host's memory is short. */
bool watch_open(struct sim_block *mapping, size_t offset, bool fresh);
void watch_close(struct sim_block *mapping, bool alone);
/* These pages go back; then all of what was freed last have. */
void watch_pages_go(void *base, size_t bytes);
void watch_pages(void);
/* A registered range is the program's alone again. */
void watch_range_gone(struct sim_block *range);
/* `bytes` have been copied, or written by the runtime (a fill, a texture's store); inside an operation's run
 * or by the host's own call. One call for each row of a 2D copy. */
void watch_copy(void *dst, const void *src, size_t bytes);
void watch_write(void *dst, size_t bytes);
/* A kernel reads or writes an element by a texture or surface; the place in its code was given before. */
void watch_texel(const void *p, size_t bytes, unsigned how);
extern const void *watch_texel_pc;
/* An operation is queued (its number and what it waits for are known), begins to run, has run. */
void watch_op_submit(struct sim_op *op);
void watch_op_begin(struct sim_op *op);
void watch_op_end(struct sim_op *op); /* NULL when it failed for good and is gone */
/* The host has waited for, or been told of the end of, operation `seq` of `stream` and all before it. */
void watch_host_waited(struct CUstream_st *stream, unsigned long long seq);
/* The same for all before that operation, without it. */
void watch_host_waited_before(struct CUstream_st *stream, unsigned long long seq);
/* The host has waited for the whole device. */
void watch_host_waited_all(void);
/* This host thread has waited from one model time to another, in sim_call. */
void watch_host_clock(double from_ns, double to_ns);
/* Host code touches pinned or managed memory. True: work that it has not waited for may be using the bytes,
 * which was told. */
bool watch_host_access(uintptr_t home, const void *p, size_t bytes, unsigned how, const void *pc);
/* Operations will run that the host has not asked for just now. */
void watch_host_interrupted(void);

/* ---- the running grid: called by exec.c, sync.c; only when sim_checked ---- */

void watch_grid_begin(const struct sim_grid *grid);
void watch_grid_end(void);
void watch_block_begin(void); /* of a grid; blockIdx is set */
void watch_block_end(void);   /* all its threads have ended */
void watch_barrier(void);     /* every thread of the block that is left has arrived */
/* These lanes have met, by __syncwarp() (which orders memory) or by another warp operation (which does not).
 */
void watch_warp(unsigned warp, unsigned mask, bool orders_memory);
void watch_tile(unsigned first, unsigned size); /* these threads of the block have met, more than a warp */
void watch_grid_barrier(void); /* every thread of the grid has arrived */
void watch_fence(void);        /* the running thread's __threadfence() */

/* ---- the time that orders accesses ---- */

/*
 * Grows at each block, barrier, warp meeting, operation and call of the host. All that happens runs one
 * thing at a time, so an access is placed by the value it happened at.
 */
typedef uint32_t check_tick;
extern check_tick check_now;

/* One more; starts over, forgetting all that happened, long before it overflows. */
check_tick check_next_tick(void);

/* ---- access.c: is memory there, has it been written ---- */

enum check_how {
    CHECK_READ = 0,
    CHECK_WRITE = 1,
    CHECK_ATOMIC = 2,  /* with CHECK_WRITE where it writes */
    CHECK_ANYWHERE = 4 /* at any address: the bytes of a memcpy, a struct of smaller members */
};

/* Every access of a simulated thread comes here. `pc`: the return address in the code that makes it. */
void check_access(const void *p, size_t bytes, unsigned how, const void *pc);
/* This host thread runs simulated threads now. */
extern __thread bool check_on_device;
/* Of the running simulated thread. */
static inline bool is_own_stack(const void *p)
{
    return (uintptr_t)p - (uintptr_t)__builtin_frame_address(0) < 256 << 10;
}

/* The least alignment of the classes of this size that the program declares; 0: it declares none. */
size_t check_type_alignment(size_t bytes);

/* What is known of a byte of device, pinned, managed or shared memory. */
enum check_state { CHECK_NOTHING = 0, CHECK_UNWRITTEN = 1, CHECK_WRITTEN = 2 };

/* Lines of a report: the thread; what memory is at `p`, or was meant. */
void check_say_thread(struct sim_report r, uint3 block, uint3 index);
void check_say_place(struct sim_report r, const char *p);

/* ---- unwritten.c: reads by simulated threads of what nobody wrote ---- */

/* Of [p, p + bytes), or of [home, home + bytes) in the shadow's terms. Needs not be told of 4 written bytes,
 * unless unwritten_copying: the access before may be half of a copy. */
void unwritten_access(uintptr_t home, const char *p, size_t bytes, unsigned how, const void *pc);
extern bool unwritten_copying;
/* At a barrier; at a launch's end (`all`). */
void unwritten_settle(bool all);

/* ---- host.c: what host code does with memory that the device shares, and with results ---- */

/* An access of host code to pinned or managed memory, or to plain memory where host_watches. */
void check_host_access(const void *p, size_t bytes, unsigned how, const void *pc);
/* Plain host memory in this range holds bytes copied from where nobody had written. */
extern uintptr_t host_watched_first, host_watched_bytes;
/* Bytes, maybe not all of them written, have been copied from the device to the host's memory; from there on
 * to the device. `home`: of the device's side. */
void host_copied(const void *dst, const void *src, uintptr_t home, size_t bytes);
void host_copied_on(const void *src, uintptr_t home, size_t bytes);
/* What was copied there is gone: the runtime is about to write these bytes. */
void host_overwritten(const void *p, size_t bytes);

/* ---- race.c: accesses of the same bytes, and whether anything orders them ---- */

/* Of `p`, whose home address is `home`: by the running thread, the running operation or the host. */
void race_access(uintptr_t home, const char *p, size_t bytes, unsigned how, const void *pc);
/* The host's plain read of these bytes, the last that was recorded, has not been. */
void race_take_back(uintptr_t home, size_t bytes);
/* The running thread frees these bytes: a write of whatever is there. */
void race_freed(uintptr_t home, size_t bytes, const void *pc);
/* Their last write, or free, is another thread's and not ordered before what the running one does now. */
bool race_unordered(uintptr_t home, size_t bytes);
/* What follows is an operation's doing, or the host's; a grid's. */
void race_begin(void);
void race_grid_begin(void);
void race_block_begin(void);
void race_barrier(void);
void race_warp(unsigned warp, unsigned mask);
void race_tile(unsigned first, unsigned size);
void race_grid_barrier(void);
void race_fence(void);
/* All suspicions that only waited for more are spoken out. */
void race_settle(void);
/* The last tick at which bytes of this range were used, not ordered before now; 0 when there is none. */
check_tick race_used(uintptr_t home, size_t bytes);

/* ---- order.c: happens-before over streams, events and what the host has waited for ---- */

/*
 * What happened at tick `t`, outside the running grid's own ticks, is known to have ended before what runs
 * now (an operation, or this host thread's code between its calls).
 */
bool order_before(check_tick t);
/* All that happened before this tick is: order_before need not be asked. Set at each watch_op_begin and
 * each return to the host. */
extern check_tick order_floor;
/* "cudaMemcpyAsync at lab.cu:12, on stream 3 ...", "kernel scale launched at ...", "host code": who ran at
 * `t`. */
const char *order_who(check_tick t);
void order_op_submit(struct sim_op *op);
void order_op_begin(struct sim_op *op);
void order_op_end(void);
void order_op_dropped(struct sim_op *op);
/* What `from`, which is never queued, would touch, `op` will; `from` is done with. */
void order_op_copied(struct sim_op *op, const struct sim_op *from);
void order_op_forget(struct sim_op *from);
/* `op` or all that `stream` will be given comes after operation `seq` of `other`, which may have run. */
void order_op_after(struct sim_op *op, struct CUstream_st *other, unsigned long long seq);
void order_stream_after(struct CUstream_st *stream, struct CUstream_st *other, unsigned long long seq);
void order_stream_gone(struct CUstream_st *stream);
/* `op`, not yet queued, touches this memory. */
void order_op_range(struct sim_op *op, const void *p, size_t bytes, bool writes);
/* Registered host memory in this range is touched by copies that are queued. */
extern uintptr_t order_watched_first, order_watched_bytes;
void order_host_waited(struct CUstream_st *stream, unsigned long long seq);
void order_host_waited_before(struct CUstream_st *stream, unsigned long long seq);
void order_host_waited_all(void);
void order_restart(void);

/* ---- unordered.c: what is found by it ---- */

/* Two accesses of `at`, then at tick `t` and now, each with its place in the code where that is known. */
struct unordered {
    check_tick t;
    unsigned how_then, how;
    const void *pc_then, *pc, *at;
    uint3 thread, block; /* in a kernel: who makes the access now */
};
void unordered_access(const struct unordered *u);
/* Host code touches pinned or managed memory now. True: while work may be using it, which is told. */
bool unordered_host(const void *p, size_t bytes, unsigned how, const void *pc);
/* A block is freed that was used at `t`, not ordered before now. */
void unordered_free(const struct sim_block *block, check_tick t);
/* A texture or surface object, last used at `t`, is destroyed by the host's call. */
void unordered_destroy(check_tick t, const char *what);

/* ---- timeline.c: what happened, in order, for the page that SIM_REPORT names ---- */

extern bool timeline_on;
void timeline_start(void); /* reads the setting */
void timeline_block_new(const struct sim_block *block);
void timeline_block_free(const struct sim_block *block);
void timeline_pages(void);
void timeline_copy(const void *dst, const void *src, size_t bytes); /* src NULL: written by the runtime */
void timeline_op_submit(const struct sim_op *op);
void timeline_op_begin(const struct sim_op *op);
void timeline_op_end(void); /* the operation may be gone */
void timeline_host_clock(double from_ns, double to_ns);
/* Write the page, once: after the last finding, or from a signal handler of a dying process (page.c). */
bool page_write(void);

/* ---- profile.c ---- */

extern bool profile_on; /* the running grid is being profiled */
/* An access of the running thread, exec_block.thread, to memory outside its own stack or (local) inside. */
void profile_access(const void *p, size_t bytes, unsigned how, const void *pc);
/* The running thread enters a function from `caller`, leaves one. */
void profile_enter(const void *caller);
void profile_leave(void);
/* It goes through `pc`, where a piece of code without branches begins. */
void profile_pass(const void *pc);
/* What SIM_PROFILE asks for; false: it could not be written, which was said. */
bool profile_write(void);
/* What watch_grid_begin and so on tell; all but profile_grid_begin only while profile_on. */
void profile_grid_begin(const struct sim_grid *grid);
void profile_grid_end(void);
void profile_block_begin(void);
void profile_block_end(void);
void profile_barrier(void);
void profile_warp(unsigned warp, unsigned mask);

#endif
