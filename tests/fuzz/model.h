/* SPDX-License-Identifier: MIT */
/*
 * What the harness knows of the runtime: blocks and what they hold, streams, events, the last error. model.c
 * keeps it, calls.c, work.c and space.c make calls and say what they must do to it, api.c mixes them.
 *
 * Order is kept simple: a buffer belongs to the stream that used it last, or to the host; whoever else wants
 * it waits for that one first. A disorderly input may forget it; then nobody knows what buffers hold.
 */
#ifndef MODEL_H
#define MODEL_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"

enum { BLOCKS = 10, HOSTS = 3, PLACES = 4, MEMORIES = BLOCKS + HOSTS + PLACES, TRACKED = 4096 };
enum { STREAMS = 6, EVENTS = 4, POOLS = 2 };
enum { FRESH_BYTE = 0xA5 }; /* new memory holds it; never written: by it the checks know an empty result */
enum { HOST = -1 }; /* owner of a buffer that no stream works on; streams 0 and 1 are the default ones */
enum kind { NOTHING, DEVICE, POOLED, MAPPED, PINNED, MANAGED, PAGEABLE };
enum state { FRESH, WRITTEN, UNKNOWN };
enum { READ = 1, WRITE = 2, GONE = -1 };

/* The first bytes of some memory, which may have several addresses. */
struct bytes {
    int owner;
    unsigned char value[TRACKED], state[TRACKED];
};

extern struct memory {
    char *p;
    size_t bytes;
    enum kind kind;
    int live, registered;
    int access; /* READ and WRITE; of a mapping it may be less than both */
    int from;   /* the pool, GONE when that is destroyed; the handle that is mapped */
    struct bytes *is;
} memory[MEMORIES]; /* blocks, then the program's own buffers, then places of mappings */

extern struct streams {
    cudaStream_t handle;
    int live, blocking, busy; /* busy: there may be work in it that has not run */
} streams[STREAMS];

extern struct events {
    cudaEvent_t handle;
    int live, timed, stream; /* stream: where it was recorded, or HOST */
} events[EVENTS];

extern cudaMemPool_t pools[POOLS]; /* the default one, and NULL or one of the program's own */
extern int pool_now;               /* the one that cudaMallocAsync takes from */
extern int orderly, racing; /* racing: work without an order has been queued, and may not have run yet */
extern cudaError_t last;
extern size_t leaving;  /* bytes that frees in streams have yet to give back */
extern int pool_leaves; /* a destroyed pool may have memory still */

extern const unsigned char *args, *args_end; /* of this call; of the input */

/* Say what is about to be called; end with a message about it. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fail(const char *what, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The call that comes may answer `e`, when this is so. */
void want(int when, cudaError_t e);
int wanted_count(void);
/* One of what was wanted, success when nothing was; of a call of the driver, which keeps no last error. */
int answer(cudaError_t got);
int driver_answer(CUresult got);
/* Forget what was wanted. */
void unwant(void);

struct place {
    char *p;
    char text[32];
    struct memory *in; /* the live buffer it is in, or NULL */
};

/* By two bytes; a disorderly input has null, dead, foreign and interior ones too. */
struct place choose(unsigned which, unsigned offset);
int number(const struct memory *m);
/* Bytes from there to the end that allow this; 0 when there is none. */
size_t room(const struct place *at, int access);
int on_host(const struct place *at);
int on_device(const struct place *at);
int stream_of(unsigned which);
void appear(struct memory *m, void *p, size_t bytes, enum kind kind, int owner);
/* A dead pointer into this range is forgotten: it is alive again. */
void forget_dead(const char *p, size_t bytes);

void finished(void);
/* Make `m` the stream's, or the host's: behind what works on it, unless `how` says to forget that. */
void own(struct memory *m, int owner, int how);

void put(struct memory *m, size_t at, size_t bytes, int value, enum state state);
void move(struct memory *to, size_t at, const struct memory *from, size_t from_at, size_t bytes);
int is_written(const struct memory *m, size_t at, size_t bytes);
void verify(struct memory *m);
void check_books(void);

/* calls.c */
void allocate(void);
void release(void);
void copy(int rows, int peer);
void fill(void);
void host_writes(void);
void register_host(void);
void stream_calls(void);
void event_calls(void);
void ask(void);

/* work.c */
void work(void);
void graph_calls(void);
/* Before memory goes, or loses access: so do the graphs that use it. */
void forget_graphs(const struct bytes *is);
void work_begin(void);
extern size_t through; /* small blocks that may be left of what work allocated for itself */

/* space.c */
void pool_calls(void);
void space_calls(void);
size_t space_taken(void); /* bytes of memory of virtual addresses */
void space_begin(void);
void space_end(void);

#endif
