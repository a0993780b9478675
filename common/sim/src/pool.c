/* SPDX-License-Identifier: MIT */
/*
 * Memory pools: allocation in stream order (cudaMallocAsync).
 *
 *   pool -> segment (a multiple of 32 MiB of device memory)
 *              | live | freed in stream s by its operation 7 | live | free |        pieces, by address
 *
 * A freed piece serves its own stream at once, since that stream's order makes it safe; another stream
 * once the free has run, or, where internal dependencies are allowed, at once and behind a wait. Pages
 * go back to the device when the host synchronises, down to the release threshold.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "graph.h"
#include "pool.h"

enum { STEP = 512 };
#define SEGMENT (32 * MIB)

struct piece {
    struct piece *next; /* at the next address, in the same segment */
    struct segment *segment;
    size_t offset, bytes;
    bool live;
    struct CUstream_st *stream; /* of a freed piece: usable by others once `seq` is done there */
    unsigned long long seq;
    struct sim_block *block; /* what it holds; of a freed piece: what it held last, by address (->next) */
};

struct segment {
    struct segment *next;
    struct CUmemPoolHandle_st *pool;
    struct sim_block *memory;
    struct piece *pieces;
};

static struct CUmemPoolHandle_st *pools, *default_pool, *chosen_pool;

struct CUmemPoolHandle_st *pool_new(void)
{
    struct CUmemPoolHandle_st *pool = calloc(1, sizeof *pool);
    if (pool) {
        pool->follow_events = pool->opportunistic = pool->internal_dependencies = 1;
        pool->next = pools;
        pools = pool;
    }
    return pool;
}

struct CUmemPoolHandle_st *pool_default(void)
{
    if (!default_pool)
        default_pool = pool_new();
    return default_pool;
}

struct CUmemPoolHandle_st *pool_current(void)
{
    return chosen_pool ? chosen_pool : pool_default();
}

void pool_choose(struct CUmemPoolHandle_st *pool)
{
    chosen_pool = pool;
}

struct CUmemPoolHandle_st *pool_find(cudaMemPool_t handle)
{
    struct CUmemPoolHandle_st *pool = pools;
    while (pool && pool != handle)
        pool = pool->next;
    return pool;
}

/* ---- pieces ---- */

static char *address_of(const struct piece *p)
{
    return p->segment->memory->base + p->offset * sim_spread();
}

static bool is_settled(const struct piece *p)
{
    return !p->live && (!p->stream || sim_stream_done(p->stream, p->seq));
}

static void drop_records(struct sim_block *first)
{
    for (struct sim_block *next; first; first = next) {
        next = first->next;
        sim_block_disown(first);
    }
}

/* The first record at `base` or after it. */
static struct sim_block **records_from(struct sim_block **first, const char *base)
{
    while (*first && (*first)->base < base)
        first = &(*first)->next;
    return first;
}

/* Join neighbours that anybody may use. */
static void join(struct segment *s)
{
    for (struct piece *p = s->pieces; p; p = p->next) {
        if (!is_settled(p))
            continue;
        p->stream = NULL;
        while (p->next && is_settled(p->next)) {
            struct piece *gone = p->next;
            *records_from(&p->block, address_of(gone)) = gone->block;
            p->bytes += gone->bytes;
            p->next = gone->next;
            free(gone);
        }
    }
}

static bool may_serve(const struct piece *p, size_t bytes, const struct CUstream_st *stream,
                      bool behind_a_wait)
{
    return !p->live && p->bytes >= bytes && (is_settled(p) || p->stream == stream || behind_a_wait);
}

/* The smallest piece that serves, in any segment of the pool. */
static struct piece *best_piece(struct CUmemPoolHandle_st *pool, size_t bytes,
                                const struct CUstream_st *stream, bool behind_a_wait, struct segment **where)
{
    struct piece *best = NULL;
    for (struct segment *s = pool->segments; s; s = s->next) {
        join(s);
        for (struct piece *p = s->pieces; p; p = p->next)
            if (may_serve(p, bytes, stream, behind_a_wait) && (!best || p->bytes < best->bytes)) {
                best = p;
                *where = s;
            }
    }
    return best;
}

static struct segment *segment_new(struct CUmemPoolHandle_st *pool, size_t bytes)
{
    size_t room = (bytes + SEGMENT - 1) / SEGMENT * SEGMENT;
    if (room > sim_memory_free() && bytes <= sim_memory_free())
        room = sim_memory_free();
    struct segment *s = calloc(1, sizeof *s);
    struct piece *p = calloc(1, sizeof *p);
    if (!s || !p || sim_block_new(SIM_SEGMENT, room, &s->memory)) {
        free(s);
        free(p);
        return NULL;
    }
    s->memory->extra = s;
    *p = (struct piece){.segment = s, .bytes = room};
    s->pieces = p;
    s->pool = pool;
    s->next = pool->segments;
    pool->segments = s;
    pool->reserved += room;
    if (pool->reserved_high < pool->reserved)
        pool->reserved_high = pool->reserved;
    return s;
}

static bool segment_is_empty(struct segment *s)
{
    join(s);
    return is_settled(s->pieces) && !s->pieces->next;
}

void pool_trim(struct CUmemPoolHandle_st *pool, size_t keep)
{
    for (struct segment **at = &pool->segments; *at && pool->reserved > keep;) {
        struct segment *s = *at;
        if (!segment_is_empty(s) || pool->reserved - s->memory->bytes < keep) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        pool->reserved -= s->memory->bytes;
        s->memory->extra = s->pieces->block; /* a later use of it can still be explained */
        free(s->pieces);
        sim_block_free(s->memory);
        free(s);
    }
}

void sim_pools_synchronized(void)
{
    for (struct CUmemPoolHandle_st *pool = pools; pool; pool = pool->next)
        if (pool->reserved > pool->threshold)
            pool_trim(pool, pool->threshold);
}

static struct sim_block *record_at(struct sim_block *first, const char *p)
{
    struct sim_block *b = first;
    while (b && b->next && b->next->base <= p)
        b = b->next;
    return b;
}

struct sim_block *sim_pool_find(struct sim_block *memory, const void *p)
{
    if (!memory->live)
        return memory->extra ? record_at(memory->extra, p) : memory;
    struct segment *s = memory->extra;
    size_t offset = (size_t)((const char *)p - memory->base) / sim_spread();
    for (struct piece *i = s->pieces; i; i = i->next)
        if (offset < i->offset + i->bytes)
            return i->live ? i->block : record_at(i->block, p);
    return NULL;
}

void sim_pool_forget(struct sim_block *memory)
{
    drop_records(memory->extra);
}

static struct piece *piece_of(const struct sim_block *b)
{
    return b->extra;
}

/* ---- allocation ---- */

/* A pool's block as it is in stream order: its record may be another's by the time an operation runs. */
static struct sim_block in_stream(char *base, size_t bytes, const struct sim_op *op)
{
    return (struct sim_block){.base = base,
                              .bytes = bytes,
                              .kind = SIM_POOL,
                              .live = true,
                              .api = op->call.api,
                              .made = op->call,
                              .freed = op->call};
}

struct fresh {
    char *base;
    size_t bytes;
};

static void run_fresh(struct sim_op *op)
{
    struct fresh *f = (void *)op->payload;
    sim_memory_unlock();
    memset(f->base, SIM_FRESH, f->bytes);
    struct sim_block b = in_stream(f->base, f->bytes, op);
    watch_block_new(&b, false);
}

static cudaError_t pool_alloc(struct CUmemPoolHandle_st *pool, size_t bytes, struct CUstream_st *stream,
                              void **out)
{
    size_t rounded = (bytes + STEP - 1) / STEP * STEP;
    struct segment *s = NULL;
    if (bytes > sim_settings.memory || sim_inject_alloc())
        return cudaErrorMemoryAllocation;
    struct piece *p = best_piece(pool, rounded, stream, false, &s);
    if (!p && pool->internal_dependencies)
        p = best_piece(pool, rounded, stream, true, &s);
    if (!p && (s = segment_new(pool, rounded)))
        p = s->pieces;
    if (!p) {
        cudaError_t e = sim_device_finish(); /* what is only waiting to be free becomes free */
        if (e)
            return e;
        for (struct CUmemPoolHandle_st *i = pools; i; i = i->next)
            pool_trim(i, 0);
        p = best_piece(pool, rounded, stream, false, &s);
        if (!p && (s = segment_new(pool, rounded)))
            p = s->pieces;
    }
    if (!p)
        return cudaErrorMemoryAllocation;
    struct sim_block *b = sim_block_adopt(SIM_POOL, address_of(p), bytes);
    struct piece *rest = calloc(1, sizeof *rest);
    struct sim_op *op = sim_op_new(stream, run_fresh, sizeof(struct fresh));
    if (!b || !rest || !op) {
        if (b)
            sim_block_disown(b);
        free(rest);
        if (op)
            sim_op_free(op);
        return cudaErrorMemoryAllocation;
    }
    if (!is_settled(p) && p->stream != stream)
        sim_stream_wait(stream, p->stream, p->seq);
    if (p->bytes > rounded) {
        *rest = (struct piece){.next = p->next,
                               .segment = s,
                               .offset = p->offset + rounded,
                               .bytes = p->bytes - rounded,
                               .stream = p->stream,
                               .seq = p->seq};
        p->next = rest;
        p->bytes = rounded;
        struct sim_block **kept = records_from(&p->block, address_of(rest));
        rest->block = *kept;
        *kept = NULL;
    } else {
        free(rest);
    }
    drop_records(p->block);
    p->block = b;
    b->extra = p;
    p->live = true;
    sim_block_track(b);
    *(struct fresh *)(void *)op->payload = (struct fresh){b->base, bytes};
    sim_op_submit(op);
    pool->used += bytes;
    if (pool->used_high < pool->used)
        pool->used_high = pool->used;
    *out = b->base;
    return cudaSuccess;
}

static cudaError_t alloc_async(void **out, size_t bytes, cudaMemPool_t handle, cudaStream_t stream)
{
    struct CUmemPoolHandle_st *pool = handle ? pool_find(handle) : pool_current();
    struct CUstream_st *s;
    if (!out || !pool)
        return cudaErrorInvalidValue;
    cudaError_t e = sim_stream_for_work(stream, &s);
    if (e)
        return e;
    *out = NULL;
    if (bytes && sim_capturing(s))
        return graph_capture_malloc(s, bytes, out);
    return bytes ? pool_alloc(pool, bytes, s, out) : cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : alloc_async(out, bytes, NULL, stream));
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !pool)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : alloc_async(out, bytes, pool, stream));
}

/* ---- freeing ---- */

struct release {
    struct sim_block *block; /* of cudaMalloc; NULL for a pool's */
    struct CUmemPoolHandle_st *pool;
    char *base;
    size_t bytes;
};

static void run_release(struct sim_op *op)
{
    struct release *r = (void *)op->payload;
    struct sim_block b = in_stream(r->base, r->bytes, op);
    if (!r->block)
        watch_block_free(&b);
    if (r->block)
        sim_block_free(r->block);
    else if (pool_find(r->pool))
        r->pool->used -= r->bytes;
}

static void untrack(struct piece *p)
{
    sim_block_untrack(p->block);
    p->block->next = NULL;
}

static void retire(struct piece *p, struct CUstream_st *stream, unsigned long long seq)
{
    p->live = false;
    p->stream = stream;
    p->seq = seq;
    p->block->live = false;
    p->block->freed = sim_call;
    untrack(p);
}

static cudaError_t free_async(void *ptr, cudaStream_t handle)
{
    struct CUstream_st *stream;
    cudaError_t e = sim_stream_for_work(handle, &stream);
    if (e || !ptr)
        return e;
    if (sim_capturing(stream))
        return graph_capture_free(stream, ptr);
    struct sim_block *b = sim_find(ptr);
    if (b && b->base == ptr && graph_memory_is(b))
        return graph_memory_free_async(b, stream);
    if (!b || !b->live || b->dying || b->base != ptr || (b->kind != SIM_POOL && b->kind != SIM_DEVICE))
        return sim_bad_free(ptr, "cudaFreeAsync");
    struct sim_op *op = sim_op_new(stream, run_release, sizeof(struct release));
    if (!op)
        return cudaErrorMemoryAllocation;
    op->frees = true;
    struct release *r = (void *)op->payload;
    struct piece *p = b->kind == SIM_POOL ? piece_of(b) : NULL;
    *r = p ? (struct release){.pool = p->segment->pool, .base = b->base, .bytes = b->bytes}
           : (struct release){.block = b};
    sim_op_submit(op);
    if (p)
        retire(p, stream, op->seq);
    else
        b->dying = true;
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : free_async(p, stream));
}

cudaError_t sim_pool_free(struct sim_block *b)
{
    struct piece *p = piece_of(b);
    p->segment->pool->used -= b->bytes;
    b->freed = sim_call;
    watch_block_free(b);
    retire(p, NULL, 0);
    return cudaSuccess;
}

/* ---- pools ---- */

cudaError_t pool_destroy(struct CUmemPoolHandle_st *pool)
{
    cudaError_t e = sim_device_finish();
    if (e)
        return e;
    if (!pool_find(pool))
        return cudaErrorInvalidValue; /* another thread's doing, while a host function ran */
    pool_trim(pool, 0);
    if (pool->segments)
        return cudaErrorInvalidValue; /* a block of it is alive */
    struct CUmemPoolHandle_st **at = &pools;
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    if (chosen_pool == pool)
        chosen_pool = NULL;
    free(pool);
    return cudaSuccess;
}

void sim_pools_reset(void)
{
    while (pools) {
        struct CUmemPoolHandle_st *pool = pools;
        for (struct segment *s = pool->segments, *next; s; s = next) {
            next = s->next;
            for (struct piece *p = s->pieces, *after; p; p = after) {
                after = p->next;
                if (p->live) {
                    watch_block_free(p->block);
                    untrack(p);
                }
                drop_records(p->block);
                free(p);
            }
            s->memory->extra = NULL;
            sim_block_free(s->memory);
            free(s);
        }
        pools = pool->next;
        free(pool);
    }
    default_pool = chosen_pool = NULL;
}
