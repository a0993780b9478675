/* SPDX-License-Identifier: MIT */
/* Memory pools inside: what they hold (pool_piece.c), allocation (pool.c), the calls on them (pool_api.c). */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include "sim.h"

enum { POOL_STEP = 512, POOL_EXACT = 64, POOL_BINS = POOL_EXACT + 4 * 26 };

struct pool_link {
    struct pool_link *next, **at; /* what points to this one */
};

struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    struct segment *segments;
    struct pool_link *bins[POOL_BINS]; /* free pieces, by size */
    struct pool_link *waiting;         /* those of them that only one stream may have yet */
    bool destroyed;                    /* and goes once its last block is free */
    uint64_t most;                     /* bytes that it may reserve; 0: any */
    bool ran;                          /* frees have run since it was looked which may be everybody's now */
    uint64_t threshold, used, used_high, reserved, reserved_high;
    int follow_events, opportunistic, internal_dependencies;
};

struct piece {
    struct pool_link bin, wait;
    struct piece *next, *prev; /* by address, in the same segment */
    struct segment *segment;
    size_t offset, bytes; /* multiples of POOL_STEP */
    bool live;
    struct CUstream_st *stream; /* of a freed piece: others may have it once `seq` is done there */
    unsigned long long seq;
    bool waited;             /* the host waits for that, or has */
    struct sim_block *block; /* of a live one */
};

/* ---- pool_piece.c ---- */

/* The smallest free piece that may serve. `behind_a_wait`: one that another stream has yet to free, too, as
 * always if that stream is destroyed. */
struct piece *piece_find(struct CUmemPoolHandle_st *pool, size_t bytes, struct CUstream_st *stream,
                         bool behind_a_wait);
/* The stream must be made to wait for the piece's free. */
bool piece_needs_wait(const struct piece *piece, struct CUstream_st *stream);
char *piece_address(const struct piece *piece);
/* The first `bytes` of a free piece are the block's; `spare` is the rest of it, or freed. */
void piece_use(struct piece *piece, size_t bytes, struct sim_block *block, struct piece *spare);
/* It is free: after operation `seq` of `stream`, or now (NULL). */
void piece_retire(struct piece *piece, struct CUstream_st *stream, unsigned long long seq);
struct CUmemPoolHandle_st *piece_pool(const struct piece *piece);
/* The host, or a host function, waits for what stream_reach() was asked about. */
void pool_note_wait(struct CUmemPoolHandle_st *pool);
/* Pieces whose free has run are everybody's: those that were waited for, or all. */
void pool_settle(struct CUmemPoolHandle_st *pool, bool all);
/* So many bytes more would be beyond what it may reserve. */
bool pool_is_full(const struct CUmemPoolHandle_st *pool, size_t bytes);
/* A new segment, as one piece; NULL when memory is short. */
struct piece *pool_grow(struct CUmemPoolHandle_st *pool, size_t bytes);
/* Give empty segments back while more than `most` bytes are reserved, if `least` are left then. */
void pool_trim(struct CUmemPoolHandle_st *pool, size_t most, size_t least);
/* Give all of them back, whatever is in them. */
void pool_empty(struct CUmemPoolHandle_st *pool);

/* ---- pool.c ---- */

struct CUmemPoolHandle_st *pool_new(void);
/* NULL when no such pool is alive. */
struct CUmemPoolHandle_st *pool_find(cudaMemPool_t handle);
struct CUmemPoolHandle_st *pool_default(void);
/* What cudaMallocAsync allocates from: the pool chosen last, or the default one. */
struct CUmemPoolHandle_st *pool_current(void);
void pool_choose(struct CUmemPoolHandle_st *pool);
void pool_destroy(struct CUmemPoolHandle_st *pool);

#endif
