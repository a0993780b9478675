/* SPDX-License-Identifier: MIT */
/*
 * The simulated device inside: every function that one source offers to another, by source.
 *
 *   host thread --API call--> sim_enter ... queue an operation or run what must be done ... sim_leave
 *
 * All state is guarded by one lock, held from sim_enter to sim_leave. Simulated threads run while it
 * is held. A function returns a cudaError_t, and leaves its out-parameters and all counts as they were
 * when it fails.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#define SIM_RUNTIME

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "sim/abi.h"

/* The C library's: malloc and free themselves mean the device's heap in a kernel (guard.c). */
void *__real_malloc(size_t bytes);
void __real_free(void *p);
#define malloc(bytes) __real_malloc(bytes)
#define free(p) __real_free(p)

#define MIB ((size_t)1 << 20)
#define SIM_PAGE (2 * MIB) /* a physical page */

/* ---- core.c: the lock, the settings, the current call, errors ---- */

/* A list with room for one more than `count`, maybe moved; NULL when the host's memory is short, and then it
 * is as it was. */
void *sim_room(void *list, size_t count, size_t *room, size_t bytes);
/* The same for what must not be lost, an order above all: without memory the process ends. */
void *sim_room_or_end(void *list, size_t count, size_t *room, size_t bytes);

enum sim_order { SIM_FORWARD, SIM_REVERSE, SIM_RANDOM };

struct sim_settings {
    size_t memory; /* bytes, a multiple of SIM_PAGE */
    enum sim_order order;
    unsigned long long seed;
    bool concurrent_managed; /* the host may touch managed memory while a kernel runs */
};
extern struct sim_settings sim_settings;

/* What the host asked for last, or what a running operation was asked for by: set by sim_enter and stream.c,
 * read by allocations, frees and reports. */
struct sim_call {
    const char *api;
    void *caller;  /* return address in the learner's code */
    sim_site site; /* for launches, which know their line; file is NULL otherwise */
    size_t bytes;  /* asked for, by an allocation */
};
extern struct sim_call sim_call;

#define SIM_CALL __func__, __builtin_return_address(0)

/* Take the lock; the sticky error if there is one. Must be paired with sim_leave whatever it returns. */
cudaError_t sim_enter(const char *api, void *caller);
/* The same, for the few calls that answer after a sticky error too. */
void sim_enter_always(const char *api, void *caller);
/* Protect device memory again, give the lock back, make `e` the thread's last error if it is one. */
cudaError_t sim_leave(cudaError_t e);
/* The same for the driver API: its errors are not the thread's last error. `context`: the call needs one. */
cudaError_t sim_driver_enter(const char *api, void *caller, bool context);
enum cudaError_enum sim_driver_leave(cudaError_t e);
/* This thread, and any thread, has made a call of the runtime, which wakes the driver (driver.c). */
extern __thread bool sim_runtime_here;
extern bool sim_runtime_used;
/* driver.c: what a call of the driver finds that it misses. */
cudaError_t sim_driver_ready(bool context);
/* Set the error that every later call will answer; what was queued is dropped. */
void sim_set_sticky(cudaError_t e);
cudaError_t sim_sticky(void);
/* A launch has been queued; one has been refused. */
void sim_count_launch(void);
void sim_note_refusal(void);

bool sim_ends_in(const char *text, const char *end);
/* A wrong value of an environment variable: say so and exit. */
void sim_bad_setting(const char *name, const char *value, const char *want) __attribute__((noreturn));
/* What the program has not asked about; `failed`: it ends with a status that says that something is wrong. */
void sim_errors_at_exit(bool failed);

/* Around the learner's host function in a stream: calls into the runtime are refused there. */
void sim_callback_begin(void);
void sim_callback_end(void);
/* Give the lock back meanwhile, however often it was taken: other threads may call, and change all but what a
 * busy stream holds. */
struct sim_held {
    int depth;
    struct sim_call call;
};
struct sim_held sim_release(void);
void sim_take_back(struct sim_held held);
/* The same until another thread calls sim_tell_change. */
void sim_wait_for_change(void);
void sim_tell_change(void);

/* A fixed address; lower where ThreadSanitizer watches the runtime: the usual one is its own. */
#ifdef __SANITIZE_THREAD__
#define SIM_LOWER 7
#else
#define SIM_LOWER 0
#endif
#define SIM_AT(address) ((char *)((uintptr_t)(address) >> SIM_LOWER))

/* ---- memory.c: three address ranges, physical pages, blocks ---- */

enum sim_kind {
    SIM_DEVICE,
    SIM_PINNED,
    SIM_MANAGED,
    SIM_ARRAY,
    SIM_SEGMENT, /* what a pool, or the heap, cuts its blocks from */
    SIM_POOL,
    SIM_HEAP, /* what kernels allocate */
    SIM_REGISTERED,
    SIM_SYMBOL,
    SIM_RESERVED, /* address space that memory can be mapped into */
    SIM_MAPPED,   /* memory in it; `flags` are the access it has */
    SIM_PHYSICAL  /* what is mapped: no address of its own */
};

struct sim_block {
    char *base;
    size_t bytes; /* as asked for */
    enum sim_kind kind;
    bool live;
    bool used;       /* of a symbol: the program has asked for its device address; before, its name on
                        the host means the host's shadow of it */
    bool dying;      /* its free is queued in a stream */
    size_t row, pitch; /* bytes asked for of each row, and from one to the next; 0: it has no rows */
    unsigned flags;  /* cudaHostAlloc's or cudaMallocManaged's */
    unsigned refs;   /* table entries that name this block */
    const char *api; /* the call that made it */
    struct sim_call made, freed;
    struct sim_block *next, *prev; /* among the live ones, or in the graveyard */
    void *mirror;                  /* of a symbol: what the device knows of it */
    void *extra;                   /* owner's data: an array's shape; pool.c's */
    struct sim_hint *hints;        /* of managed memory, for each page (advice.c) */
    uintptr_t home;                /* shadow.c's, for memory outside the three ranges */
    size_t filled;                 /* in the checked build: bytes of the last copy or fill into it, */
    struct sim_call filler;        /* and the call that asked for it */
};

/* Reserve `bytes` of the range that `kind` lives in; cudaErrorMemoryAllocation when pages run out. */
cudaError_t sim_block_new(enum sim_kind kind, size_t bytes, struct sim_block **out);
/* Bytes of address space for each byte of a range's memory: in the checked build there are gaps. */
size_t sim_spread(void);
/* Give the block's pages back; the record stays a while so that a later use can be explained. */
void sim_block_free(struct sim_block *block);
/* The live or recently freed block that holds `p` (or, live and symbols too), NULL for plain host memory. */
struct sim_block *sim_find(const void *p);
/* True for an address in the ranges that host code may not touch. */
/* The record of registered host memory or of a symbol at `p`, or NULL (alloc.c). */
struct sim_block *sim_host_registered(const void *p);
bool sim_in_device_range(const void *p);
/* Pinned or managed memory's range. */
bool sim_is_host_range(const void *p);
/* What new memory is filled with. */
enum { SIM_FRESH = 0xA5 };
/* The byte at `p` is what a new block has there. */
bool sim_is_fresh(const void *p);
/* The list of live blocks, newest last. */
struct sim_block *sim_live_first(void);
size_t sim_memory_free(void);
void sim_memory_reset(void);
/* Address space of the device range without memory, at `hint` if that is free; NULL when there is none. */
struct sim_block *sim_reserve(size_t bytes, size_t alignment, char *hint);
void sim_unreserve(struct sim_block *reservation);
/* The live reservation that holds `p`, or NULL. */
struct sim_block *sim_reservation(const void *p);
/* Pages of memory outside of blocks: false when so many are not left. */
bool sim_pages_take(size_t count);
void sim_pages_give(size_t count);
/* Fill as new memory is filled: a huge block only near its ends. */
void sim_fill(char *p, size_t bytes, int pattern);
/* Put a record that sim_block_adopt made among the live blocks, which are listed as leaks at exit. */
void sim_block_track(struct sim_block *block);
void sim_block_untrack(struct sim_block *block);
/* Attach a record to memory the runtime did not allocate (registered host memory, a symbol). */
struct sim_block *sim_block_adopt(enum sim_kind kind, void *base, size_t bytes);
void sim_block_disown(struct sim_block *block);

/* ---- open.c: when device memory may be touched ---- */

/* Let the running thread touch device memory; sim_leave undoes it. */
void sim_memory_unlock(void);
void sim_memory_lock(void);
bool sim_memory_unlocked(void);
/* There is device memory from `first` to `end` now, and no longer. False when the host's memory is short. */
bool sim_memory_map(char *first, char *end);
void sim_memory_unmap(char *first, char *end);

/* ---- vmm.c: physical memory mapped into reserved addresses ---- */

/* What is, or was last, mapped at `p`; of a reservation that was given back: its own record. */
struct sim_block *sim_vmm_find(struct sim_block *reservation, const void *p);
/* The record of a reservation that was given back goes. */
void sim_vmm_forget(struct sim_block *reservation);
/* Bytes from `p` on that a copy may read, or write, without a gap; `b` is a mapping that holds it. */
size_t sim_vmm_reach(const struct sim_block *b, const char *p, bool writes);
/* Device memory is opened, or closed. */
void sim_vmm_protect(bool open);

/* ---- alloc.c ---- */

/* Report a free that frees nothing; cudaErrorInvalidValue. */
cudaError_t sim_bad_free(const void *p, const char *api);
void sim_registered_reset(void);
/* "cudaMalloc of 0 bytes at lab.cu:7 gave one", or "": where a null pointer may have come from. */
const char *sim_zero_size_call(void);

/* ---- heap.c: malloc, free, new and delete in kernels ---- */

/* NULL when the heap is full. `pc`: the return address in the kernel. */
void *sim_heap_alloc(size_t bytes, size_t alignment, const char *api, void *pc);
/* Ends the thread, and the launch with an error, unless a kernel allocated `p`. */
void sim_heap_free(void *p, const char *api, void *pc);
/* The block at `p`, live or the last that was; `segment` is the heap's. */
struct sim_block *sim_heap_find(const void *p);
bool sim_heap_is(const struct sim_block *segment);
/* cudaErrorInvalidValue once a kernel has allocated: the heap's size is settled. */
cudaError_t sim_heap_may_change(void);
void sim_heap_reset(void);
/* "malloc of 64 bytes at lab.cu:7 gave one", or "": where a null pointer may have come from. */
const char *sim_heap_refused_call(void);
/* cudaLimitMallocHeapSize (device.c). */
size_t sim_heap_limit(void);
void sim_heap_limit_reset(void);

/* ---- stream.c: streams, operations, events, the model clock ---- */

enum sim_engine { SIM_COMPUTE, SIM_COPY_IN, SIM_COPY_OUT, SIM_NO_ENGINE };

struct sim_op {
    struct sim_op *next;
    struct CUstream_st *stream;
    unsigned long long seq; /* place in its stream, from 1 */
    struct sim_dep {
        struct CUstream_st *stream;
        unsigned long long seq;
    } * deps;
    int dep_count;
    size_t dep_room;
    void (*run)(struct sim_op *);
    void (*drop)(struct sim_op *); /* frees what the payload owns; may be NULL; called once, after run too */
    enum sim_engine engine;
    double model_ns;         /* cost in the time model */
    double start_ns, end_ns; /* in the time model, once it is queued */
    struct sim_call call;
    const char *kernel;      /* its name, where the operation is one */
    unsigned char node;      /* its cudaGraphNodeType, when it becomes a graph's node */
    struct sim_call graph;   /* cudaGraphLaunch's, of an operation of a graph; else api is NULL */
    unsigned long long graph_launch; /* which of all launches of graphs */
    bool frees;              /* it gives memory back */
    struct order_step *step; /* order.c's record of it; outlives it */
    size_t room;
    _Alignas(64) char payload[];
};

/* The stream behind a handle; NULL and a report when there is none. */
struct CUstream_st *sim_stream(cudaStream_t handle);
/* The same for work that is to be queued: refused where a capture forbids it (graph_capture.c). */
cudaError_t sim_stream_for_work(cudaStream_t handle, struct CUstream_st **stream);
/* Work given to the stream becomes a node of a graph, and does not run now. */
bool sim_capturing(const struct CUstream_st *stream);
/* A new operation with room for `bytes` of payload; not queued yet. */
struct sim_op *sim_op_new(struct CUstream_st *stream, void (*run)(struct sim_op *), size_t bytes);
void sim_op_free(struct sim_op *op);
/* Queue it behind all that its stream must wait for. */
void sim_op_submit(struct sim_op *op);
/* Make `stream` wait until `other` has run what it holds now. */
cudaError_t sim_stream_wait(struct CUstream_st *stream, struct CUstream_st *other, unsigned long long seq);
/* Run until the stream has nothing left (and all that it waits for). The sticky error if one came up. */
cudaError_t sim_stream_finish(struct CUstream_st *stream);
cudaError_t sim_device_finish(void);
void sim_streams_drop(void);
void sim_streams_reset(void);
/* The checked program ends: what is left runs, for the checker only. */
void sim_streams_exit(void);
extern bool sim_leaving;
bool sim_stream_done(const struct CUstream_st *stream, unsigned long long seq);
/* All that `stream` is given from now on comes after operation `seq` of `other`, which has not run. */
bool sim_stream_follows(struct CUstream_st *stream, const struct CUstream_st *other, unsigned long long seq);

/* ---- copy.c ---- */

/* cudaErrorInvalidValue unless `bytes` at `p` lie in one live block (plain host memory always passes). */
cudaError_t sim_check_range(const void *p, size_t bytes, const char *role);
/* cudaErrorInvalidValue or cudaErrorInvalidMemcpyDirection unless both ends are where `kind` says. */
cudaError_t sim_check_kind(const void *dst, const void *src, enum cudaMemcpyKind kind);
/* CUDA's memory, maybe another block's by now than when the work was queued, or the program's own. */
bool sim_is_there(const char *p, size_t bytes);
/* Memory that `op`, which runs, is to use was freed: that is told, the device fails and `op` is gone. */
bool sim_is_gone(const struct sim_op *op, const void *p, size_t bytes);
/* Plain host memory: the device sees neither this nor its later changes. */
bool sim_is_pageable(const void *p);
/*
 * Queue `op` (whose run copies) as a copy between dst and src: waits as cudaMemcpy (`async` false) or
 * cudaMemcpyAsync does; sets engine and model cost from where the ends are.
 */
cudaError_t sim_copy_submit(struct sim_op *op, const void *dst, const void *src, size_t bytes, bool async);
/* The same for an operation that fills. */
cudaError_t sim_fill_submit(struct sim_op *op, const void *dst, size_t bytes, bool async);

/* ---- operations as nodes: what a copy or fill was asked for; false when it is something else ---- */

bool sim_copy_params(const struct sim_op *op, struct cudaMemcpy3DParms *params);
bool sim_box_params(const struct sim_op *op, struct cudaMemcpy3DParms *params); /* copy2d.c */
bool sim_fill_params(const struct sim_op *op, struct cudaMemsetParams *params);
bool sim_box_fill_params(const struct sim_op *op, struct cudaMemsetParams *params); /* copy2d.c */
bool sim_host_call_params(const struct sim_op *op, struct cudaHostNodeParams *params);
/* Queue a fill by elements of 1, 2 or 4 bytes. */
cudaError_t sim_fill_elements(const struct cudaMemsetParams *params, cudaStream_t stream);
/* A launch's operation has been copied (launch.c). */
void sim_launch_moved(struct sim_op *op);

/* ---- graph_memory.c ---- */

/* The block is a graph's: it is freed by these, and may be allocated again by a launch. */
bool graph_memory_is(const struct sim_block *block);
cudaError_t graph_memory_free(struct sim_block *block);
cudaError_t graph_memory_free_async(struct sim_block *block, struct CUstream_st *stream);

/* ---- graph_capture.c ---- */

/* What a running capture says of this call, before it does anything: cudaSuccess, mostly. */
cudaError_t sim_capture_forbids(const char *api);
/* Some stream is capturing. */
extern _Atomic int sim_captures;

/* ---- exec.c, shared.c: run a grid ---- */

/* What a kernel reads as a register of its own; see shadow.h. */
#define SIM_REGISTER __attribute__((section("sim_registers")))

struct sim_grid {
    sim_launch launch;
    void (*run)(void *args); /* the registered runner, or the launch's own */
    void *args;
    size_t args_bytes;
    const char *name;
    const struct sim_kernel *kernel;
    const void *pointers[16]; /* the first arguments that are pointers */
    int pointer_count;
    bool touches_device; /* an argument points to device memory: open it before the grid runs */
};
/* cudaSuccess or the error that ended the launch. */
cudaError_t sim_grid_run(struct sim_grid *grid);
/* The grid that an operation runs, NULL when it is no launch (launch.c). */
const struct sim_grid *sim_op_grid(const struct sim_op *op);
/* The grid that is running on this host thread, NULL in host code. */
const struct sim_grid *sim_running(void);
/* End the launch from inside a simulated thread. */
void sim_grid_abort(cudaError_t e) __attribute__((noreturn));
/* End only the running thread; the launch goes on and ends with `e`. */
void sim_thread_kill(cudaError_t e) __attribute__((noreturn));
/* "block (3,0,0) thread (232,0,0)" of the running thread. */
const char *sim_thread_name(char text[80]);
/* progress.c: take away the line that says how far the launch is, if there is one. */
void sim_progress_clear(void);

void sim_shared_begin(const struct sim_grid *grid);
/* What of shared memory is at `p`; NULL when it is somewhere else. */
const char *sim_shared_what(const void *p);
void sim_shared_block(void);
/* What the running block has in shared memory, to give it back later; NULL when memory runs out. */
void *sim_shared_save(void);
void sim_shared_restore(void *saved);
/* Static shared memory limit and dynamic limit of a block, bytes. */
enum { SIM_SHARED_DEFAULT = 49152, SIM_SHARED_OPTIN = 232448, SIM_SHARED_SM = 233472 };

/* ---- fiber.c, fiber_*.S ---- */

struct sim_fiber {
    void *sp;
    char *stack; /* lowest usable byte */
    size_t stack_bytes;
    struct sim_fiber *next, *sibling;
    void *fake_stack; /* AddressSanitizer's */
    void *tsan;       /* ThreadSanitizer's */
    bool taken;       /* by a thread of a block that comes in again (resident.c) */
};
void sim_fiber_switch(void **save, void *load);
/* Ready to run `entry` from its start. */
void sim_fiber_prepare(struct sim_fiber *fiber, void (*entry)(void));
struct sim_fiber *sim_fiber_take(void);
void sim_fiber_give(struct sim_fiber *fiber);
/* True when `p` lies in the guard below a stack. */
bool sim_fiber_guard(const void *p);

/* ---- registry.c ---- */

struct sim_kernel {
    const void *entry;
    const char *name;
    void (*run)(void *);
    size_t (*unpack)(void *to, void **from);
    void *reach; /* functions whose shared memory counts */
    int max_threads, min_blocks;
    int dynamic_limit;  /* cudaFuncSetAttribute's, or 0 */
    bool registered;    /* by simcc, not only seen at a launch */
    bool never_returns; /* its threads leave it at its end only */
};
struct sim_kernel *sim_kernel(const void *entry); /* made when new */
/* Blocks of the kernel that a multiprocessor holds at once (kernel.c). */
int sim_blocks_that_fit(const struct sim_kernel *kernel, int threads, size_t dynamic_bytes);
/* The most that cudaFuncSetAttribute has allowed any kernel (kernel.c). */
extern int sim_highest_dynamic_limit;
/* Static shared memory a block of it takes, as far as its declarations tell. */
size_t sim_kernel_static_bytes(const struct sim_kernel *kernel);
/* The registered variable that holds `address`: its name is in `api`, its space in `flags`. */
struct sim_block *sim_symbol(const void *address);
struct sim_block *sim_symbol_named(const char *name);
void sim_symbols_save(void);
void sim_symbols_restore(void);
/* Before the device does something: undo and report what host code did to variables that are not its own. */
void sim_symbols_check(void);
/* After it: this is what the device knows now. */
void sim_symbols_keep(void);
/* True, after a report, when the kernel that has just run changed a __constant__ variable (it is put back).
 */
bool sim_symbols_constant_changed(const char *kernel);

/* ---- attribute.c ---- */

/* Look at a launch's attributes: what they ask for, or the error of one that cannot be. */
cudaError_t sim_launch_attributes(const cudaLaunchConfig_t *config, int *cooperative);

/* ---- finding.c: reports, and what is kept of them ---- */

/*
 * One block on stderr: title, then lines, then the end. The first of a kind at a place is shown, and only
 * then need the lines be made; later ones are counted. `kind` is a constant string.
 */
struct sim_report {
    bool shown;
    int finding;
};
#define SIM_PRINTF(a, b) __attribute__((format(printf, a, b)))
/* Of a call that the host makes. */
struct sim_report sim_report(const char *kind, const char *title, ...) SIM_PRINTF(2, 3);
/* Of code, a kernel's too, that is at this return address; all addresses of a line are one place. */
struct sim_report sim_report_at(const char *kind, const void *pc, const char *title, ...) SIM_PRINTF(3, 4);
/* Legal but worth saying, or an error that the program is told of: no finding. */
struct sim_report sim_note(const char *kind, const char *title, ...) SIM_PRINTF(2, 3);
/* "at", "is" and "why" are kept: the place, the memory, the mistake. */
void sim_report_line(struct sim_report r, const char *label, const char *text, ...) SIM_PRINTF(3, 4);
void sim_report_end(struct sim_report r);
/* One of those that a note has listed. */
void sim_finding_add(const char *kind, const char *where, unsigned count, const char *message, ...)
    SIM_PRINTF(4, 5);
/* A launch has ended: show what its threads have found, with how many did. */
void sim_findings_show(void);
/* The process dies of a signal. */
void sim_findings_died(void);
/* The first call into the runtime. */
void sim_findings_start(void);

/* ---- report.c: what a report can say ---- */

/* "file.cu:12 in main", from a return address; the text lives until the next eight calls. */
const char *sim_where(const void *return_address);
/* The same in parts: the file (a text that stays) and the line; false, and NULL and 0, when they are unknown.
 */
bool sim_place(const void *return_address, const char **file, int *line);
/* Bytes of the UTF-8 sequence that begins here; 0 when there is none. */
int sim_utf8(const unsigned char *c);
const char *sim_where_call(const struct sim_call *call);
/* "byte 12 of the 400-byte block made by cudaMalloc at lab.cu:14", or what else is at `p`. */
const char *sim_what(const void *p);
const char *sim_function_name(const void *entry);
void sim_leaks_at_exit(void);
/* True when the address before this return address is in code compiled from a file that is not ours. */
bool sim_is_learner_code(const void *return_address);
/* True when it is in code of our headers, or of C++'s, inlined or not. */
bool sim_is_header_code(const void *return_address);

/* ---- pool.c ---- */

/* The host waits for operation `seq` of `stream`, or a host function comes after it. Said before it runs. */
void sim_pools_wait(struct CUstream_st *stream, unsigned long long seq);
/* What was freed, if that was waited for, or `all`, is for every stream once its free has run. */
void sim_pools_settle(bool all);
/* The same where the host has waited: pools give back what is above their release threshold. */
void sim_pools_synchronized(bool all);
void sim_pools_reset(void);
/* cudaFree of a block that a pool made: as cudaFreeAsync on a stream that is already done. */
cudaError_t sim_pool_free(struct sim_block *block);
/* The block of a pool at `p`, live or not; NULL where the segment is empty. Of a segment that was given back:
 * what it held there last, or its own record. */
struct sim_block *sim_pool_find(struct sim_block *segment, const void *p);
/* The record of a segment that was given back goes. */
void sim_pool_forget(struct sim_block *segment);

/* ---- inject.c: failures on demand ---- */

void sim_inject_start(void);
/* Each allocation, each call that waits, before it does anything: cudaSuccess, or the error to answer. */
cudaError_t sim_inject_alloc(void);
cudaError_t sim_inject_sync(void);

/* ---- fault.c ---- */

void sim_fault_init(void);
/* A stack for the fault handler, once for each host thread. */
void sim_fault_thread_init(void);
/* This host thread runs simulated threads from now on, or no longer. */
void sim_fault_device_thread(bool yes);
/* It runs one now: the caller is a kernel's code. */
bool sim_in_kernel(void);
/* The process is about to die of this signal: say where a kernel is, if one runs. True: it runs in another
 * host thread, which got the signal instead. */
bool sim_fault_interrupted(int signal, const void *context);

#endif
