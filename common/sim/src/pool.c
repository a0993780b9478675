/* SPDX-License-Identifier: MIT */
/*
 * Memory pools: allocation in stream order (cudaMallocAsync).
 *
 * A freed piece serves its own stream at once, since that stream's order makes it safe. Another stream has it
 *   - at once, when an event makes it wait for the free           (cudaMemPoolReuseFollowEventDependencies)
 *   - once the free has run                                       (cudaMemPoolReuseAllowOpportunistic)
 *   - once the host has waited for it, or for what follows it, or a host function has run behind it, or its
 *     stream was destroyed. When the host waits, pages go back to the device, down to the threshold
 *   - when memory is short, and a wait for the free is put before (cudaMemPoolReuseAllowInternalDependencies)
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "graph.h"
#include "pool.h"
#include "stream.h"

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

static bool is_there(const struct CUmemPoolHandle_st *wanted)
{
    const struct CUmemPoolHandle_st *pool = pools;
    while (pool && pool != wanted)
        pool = pool->next;
    return pool;
}

struct CUmemPoolHandle_st *pool_find(cudaMemPool_t handle)
{
    return is_there(handle) && !handle->destroyed ? handle : NULL;
}

void sim_pools_wait(struct CUstream_st *stream, unsigned long long seq)
{
    if (pools)
        stream_reach(stream, seq);
    for (struct CUmemPoolHandle_st *pool = pools; pool; pool = pool->next)
        pool_note_wait(pool);
}

void sim_pools_settle(bool all)
{
    for (struct CUmemPoolHandle_st *pool = pools; pool; pool = pool->next)
        pool_settle(pool, all);
}

/* What no block is in goes back, but for what the threshold keeps, and a destroyed pool once it is empty. */
static void tidy(struct CUmemPoolHandle_st *pool)
{
    struct CUmemPoolHandle_st **at = &pools;
    pool_trim(pool, pool->destroyed ? 0 : pool->threshold, 0);
    if (!pool->destroyed || pool->segments)
        return;
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    free(pool);
}

void sim_pools_synchronized(bool all)
{
    sim_pools_settle(all);
    for (struct CUmemPoolHandle_st *pool = pools, *next; pool; pool = next) {
        next = pool->next;
        tidy(pool);
    }
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
    if (sim_is_gone(op, f->base, f->bytes))
        return;
    sim_memory_unlock();
    memset(f->base, SIM_FRESH, f->bytes);
    struct sim_block b = in_stream(f->base, f->bytes, op);
    watch_block_new(&b, false);
}

/* A piece to allocate from, which may be after a wait; NULL when memory is short. */
static struct piece *find(struct CUmemPoolHandle_st *pool, size_t bytes, struct CUstream_st *stream)
{
    if (pool->ran && pool->opportunistic) {
        pool->ran = false;
        pool_settle(pool, true);
    }
    struct piece *p = piece_find(pool, bytes, stream, false);
    if (!p)
        p = pool_grow(pool, bytes);
    return p || !pool->internal_dependencies ? p : piece_find(pool, bytes, stream, true);
}

static cudaError_t pool_alloc(struct CUmemPoolHandle_st *pool, size_t bytes, struct CUstream_st *stream,
                              void **out)
{
    size_t rounded = (bytes + POOL_STEP - 1) / POOL_STEP * POOL_STEP;
    if (bytes > sim_settings.memory || sim_inject_alloc())
        return cudaErrorMemoryAllocation;
    struct piece *p = find(pool, rounded, stream);
    if (!p) {
        if (!pool_is_full(pool, rounded)) { /* what is only waiting to be free becomes free */
            cudaError_t e = sim_device_finish();
            if (e)
                return e;
            sim_pools_settle(true);
        }
        for (struct CUmemPoolHandle_st *i = pools; i; i = i->next)
            pool_trim(i, 0, 0);
        p = find(pool, rounded, stream);
    }
    if (!p)
        return cudaErrorMemoryAllocation;
    struct sim_block *b = sim_block_adopt(SIM_POOL, piece_address(p), bytes);
    struct piece *spare = calloc(1, sizeof *spare);
    struct sim_op *op = sim_op_new(stream, run_fresh, sizeof(struct fresh));
    if (!b || !spare || !op || (piece_needs_wait(p, stream) && sim_stream_wait(stream, p->stream, p->seq))) {
        sim_block_disown(b);
        free(spare);
        if (op)
            sim_op_free(op);
        return cudaErrorMemoryAllocation;
    }
    piece_use(p, rounded, b, spare);
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
    else if (is_there(r->pool)) {
        r->pool->used -= r->bytes;
        r->pool->ran = true;
    }
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
    struct piece *p = b->kind == SIM_POOL ? b->extra : NULL;
    *r = p ? (struct release){.pool = piece_pool(p), .base = b->base, .bytes = b->bytes}
           : (struct release){.block = b};
    sim_op_submit(op);
    if (p)
        piece_retire(p, stream, op->seq);
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
    struct piece *p = b->extra;
    piece_pool(p)->used -= b->bytes;
    b->freed = sim_call;
    watch_block_free(b);
    piece_retire(p, NULL, 0);
    return cudaSuccess;
}

/* ---- pools ---- */

void pool_destroy(struct CUmemPoolHandle_st *pool)
{
    pool->destroyed = true;
    if (chosen_pool == pool)
        chosen_pool = NULL;
    pool_settle(pool, true);
    tidy(pool);
}

void sim_pools_reset(void)
{
    while (pools) {
        struct CUmemPoolHandle_st *pool = pools;
        pool_empty(pool);
        pools = pool->next;
        free(pool);
    }
    default_pool = chosen_pool = NULL;
}
