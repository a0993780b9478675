/* SPDX-License-Identifier: MIT */
/*
 * What a pool holds.
 *
 *   pool -> segment (a multiple of 32 MiB of device memory)
 *              | live  | freed in stream s by its operation 7 | live  | free           |   pieces
 *              | b | b | a | a | a | a | a | a | a | a | a | a | c | c |   |   |   |   |   table
 *
 *        -> bins: the free pieces by size, one size each up to 32 KiB, then four to each power of two
 *
 * The table has for each 512 bytes the block that is there, live or the last that was.
 *
 * Neighbours that anybody may have are joined.
 */
#include <stddef.h>
#include <stdlib.h>
#include "check.h"
#include "pool.h"
#include "stream.h"

#define SEGMENT (32 * MIB)

struct segment {
    struct segment *next;
    struct CUmemPoolHandle_st *pool;
    struct sim_block *memory;
    struct piece *pieces;
    struct sim_block **table;
    size_t top; /* entries from here on were never used */
};

/* ---- lists ---- */

static void push(struct pool_link **list, struct pool_link *l)
{
    l->next = *list;
    l->at = list;
    if (l->next)
        l->next->at = &l->next;
    *list = l;
}

static void take_out(struct pool_link *l)
{
    *l->at = l->next;
    if (l->next)
        l->next->at = l->at;
}

static struct piece *in_bin(struct pool_link *l)
{
    return (struct piece *)((char *)l - offsetof(struct piece, bin));
}

static struct piece *waiting(struct pool_link *l)
{
    return (struct piece *)((char *)l - offsetof(struct piece, wait));
}

static int bin_of(size_t bytes)
{
    size_t steps = bytes / POOL_STEP;
    if (steps <= POOL_EXACT)
        return (int)steps - 1;
    int top = 63 - __builtin_clzl(steps);
    return POOL_EXACT + (top - 6) * 4 + (int)(steps >> (top - 2) & 3);
}

static void put_in_bin(struct piece *p)
{
    push(&p->segment->pool->bins[bin_of(p->bytes)], &p->bin);
}

/* ---- pieces ---- */

char *piece_address(const struct piece *p)
{
    return p->segment->memory->base + p->offset * sim_spread();
}

struct CUmemPoolHandle_st *piece_pool(const struct piece *p)
{
    return p->segment->pool;
}

bool piece_needs_wait(const struct piece *p, struct CUstream_st *stream)
{
    return p->stream && p->stream != stream &&
           !(p->segment->pool->follow_events && sim_stream_follows(stream, p->stream, p->seq));
}

struct piece *piece_find(struct CUmemPoolHandle_st *pool, size_t bytes, struct CUstream_st *stream,
                         bool behind_a_wait)
{
    for (int i = bin_of(bytes); i < POOL_BINS; i++) {
        struct piece *best = NULL;
        for (struct pool_link *l = pool->bins[i]; l; l = l->next) {
            struct piece *p = in_bin(l);
            if (p->bytes < bytes || (best && best->bytes <= p->bytes) ||
                (!behind_a_wait && piece_needs_wait(p, stream) && !p->stream->destroyed))
                continue;
            best = p;
            if (i < POOL_EXACT)
                break;
        }
        if (best)
            return best;
    }
    return NULL;
}

static bool is_settled(const struct piece *p)
{
    return !p->live && !p->stream;
}

/* `p` takes in the one behind it; both are in bins. */
static void merge(struct piece *p)
{
    struct piece *gone = p->next;
    take_out(&p->bin);
    take_out(&gone->bin);
    p->bytes += gone->bytes;
    p->next = gone->next;
    if (p->next)
        p->next->prev = p;
    free(gone);
    put_in_bin(p);
}

static void join(struct piece *p)
{
    if (p->next && is_settled(p->next))
        merge(p);
    if (p->prev && is_settled(p->prev))
        merge(p->prev);
}

void pool_note_wait(struct CUmemPoolHandle_st *pool)
{
    for (struct pool_link *l = pool->waiting; l; l = l->next)
        waiting(l)->waited |= stream_was_reached(waiting(l)->stream, waiting(l)->seq);
}

void pool_settle(struct CUmemPoolHandle_st *pool, bool all)
{
    for (struct pool_link *l = pool->waiting, *next; l; l = next) {
        struct piece *p = waiting(l);
        next = l->next;
        if (!sim_stream_done(p->stream, p->seq) || !(all || p->waited))
            continue;
        take_out(l);
        p->stream = NULL;
        join(p);
    }
}

/* An entry of a table names its block no longer. */
static void unname(struct sim_block *b)
{
    if (b && !--b->refs)
        sim_block_disown(b);
}

static void name(const struct piece *p)
{
    struct segment *s = p->segment;
    size_t first = p->offset / POOL_STEP, end = first + p->bytes / POOL_STEP;
    for (size_t i = first; i < end; i++) {
        unname(s->table[i]);
        s->table[i] = p->block;
    }
    p->block->refs = (unsigned)(end - first);
    if (s->top < end)
        s->top = end;
}

void piece_use(struct piece *p, size_t bytes, struct sim_block *b, struct piece *spare)
{
    take_out(&p->bin);
    if (p->stream)
        take_out(&p->wait);
    if (p->bytes > bytes) {
        *spare = *p;
        spare->prev = p;
        spare->offset += bytes;
        spare->bytes -= bytes;
        if (p->next)
            p->next->prev = spare;
        p->next = spare;
        p->bytes = bytes;
        put_in_bin(spare);
        if (spare->stream)
            push(&p->segment->pool->waiting, &spare->wait);
    } else {
        free(spare);
    }
    p->live = true;
    p->stream = NULL;
    p->block = b;
    b->extra = p;
    name(p);
}

void piece_retire(struct piece *p, struct CUstream_st *stream, unsigned long long seq)
{
    p->live = false;
    p->stream = stream;
    p->seq = seq;
    p->waited = false;
    p->block->live = false;
    p->block->freed = sim_call;
    sim_block_untrack(p->block);
    put_in_bin(p);
    if (stream)
        push(&p->segment->pool->waiting, &p->wait);
    else
        join(p);
}

/* ---- segments ---- */

/* What a pool grows by: whole segments, or the last of the device's memory. */
static size_t growth(size_t bytes)
{
    size_t room = (bytes + SEGMENT - 1) / SEGMENT * SEGMENT;
    return room > sim_memory_free() && bytes <= sim_memory_free() ? sim_memory_free() : room;
}

bool pool_is_full(const struct CUmemPoolHandle_st *pool, size_t bytes)
{
    return pool->most && (pool->reserved + growth(bytes) - 1) / SEGMENT * SEGMENT >= pool->most;
}

struct piece *pool_grow(struct CUmemPoolHandle_st *pool, size_t bytes)
{
    size_t room = growth(bytes);
    if (pool_is_full(pool, bytes))
        return NULL;
    struct segment *s = calloc(1, sizeof *s);
    struct piece *p = calloc(1, sizeof *p);
    struct sim_block **table = calloc(room / POOL_STEP, sizeof *table); /* pages come when they are touched */
    if (!s || !p || !table || sim_block_new(SIM_SEGMENT, room, &s->memory)) {
        free(s);
        free(p);
        free(table);
        return NULL;
    }
    s->memory->extra = s;
    s->table = table;
    s->pool = pool;
    s->next = pool->segments;
    *p = (struct piece){.segment = s, .bytes = room};
    s->pieces = p;
    put_in_bin(p);
    pool->segments = s;
    pool->reserved += room;
    if (pool->reserved_high < pool->reserved)
        pool->reserved_high = pool->reserved;
    return p;
}

/* The blocks of a segment's table, by address: with them a later use of it can still be explained. */
static struct sim_block *records(struct segment *s)
{
    struct sim_block *first = NULL, **last = &first;
    for (size_t i = 0; i < s->top; i++) {
        struct sim_block *b = s->table[i];
        if (!b || !b->refs)
            continue;
        b->refs = 0;
        b->next = NULL;
        *last = b;
        last = &b->next;
    }
    return first;
}

static void drop_records(struct sim_block *first)
{
    for (struct sim_block *next; first; first = next) {
        next = first->next;
        sim_block_disown(first);
    }
}

static struct sim_block *record_at(struct sim_block *first, const char *p)
{
    struct sim_block *b = first;
    while (b && b->next && b->next->base <= p)
        b = b->next;
    return b;
}

static void give_back(struct segment *s)
{
    s->pool->reserved -= s->memory->bytes;
    for (struct piece *p = s->pieces, *next; p; p = next) {
        next = p->next;
        if (p->live)
            sim_block_untrack(p->block);
        else
            take_out(&p->bin);
        if (p->stream)
            take_out(&p->wait);
        free(p);
    }
    s->memory->extra = records(s);
    sim_block_free(s->memory);
    free(s->table);
    free(s);
}

void pool_trim(struct CUmemPoolHandle_st *pool, size_t most, size_t least)
{
    for (struct segment **at = &pool->segments; *at && pool->reserved > most;) {
        struct segment *s = *at;
        bool empty = is_settled(s->pieces) && !s->pieces->next;
        if (!empty || pool->reserved - s->memory->bytes < least) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        give_back(s);
    }
}

void pool_empty(struct CUmemPoolHandle_st *pool)
{
    while (pool->segments) {
        struct segment *s = pool->segments;
        for (struct piece *p = s->pieces; p; p = p->next)
            if (p->live)
                watch_block_free(p->block);
        pool->segments = s->next;
        give_back(s);
    }
}

struct sim_block *sim_pool_find(struct sim_block *memory, const void *p)
{
    if (!memory->live)
        return memory->extra ? record_at(memory->extra, p) : memory;
    const struct segment *s = memory->extra;
    return s->table[(size_t)((const char *)p - memory->base) / sim_spread() / POOL_STEP];
}

void sim_pool_forget(struct sim_block *memory)
{
    drop_records(memory->extra);
}
