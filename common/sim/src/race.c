/* SPDX-License-Identifier: MIT */
/*
 * Races: two accesses to the same bytes, one of them a write, and nothing that orders them.
 *
 * Everything runs one thing at a time, so each access has a tick, and order is a question about ticks. What
 * happened at tick t is ordered before what the running thread does now when
 *
 *   t < order_floor                         it belongs to something that ended before this launch, by the
 *                                           program's own streams, events and waits
 *   race_block <= t < barrier               this block, before its last barrier
 *   same warp, t < its last __syncwarp()    for all lanes, or pair by pair where masks were partial
 *   same tile, t < its last sync()          of more than a warp
 *   handed off by a fence and an atomic, and taken by an atomic of this thread (handoff.c)
 *
 * Luck is not among these, so the verdict does not depend on the order in which threads happen to run.
 *
 * Each aligned 4 bytes have a cell of two records, their last write and the reads since:
 *
 *   | tick 32 | thread 10 | site 14 | WIDE MANY SPLIT ATOMIC | bytes 4 |
 *
 * A record stands for more threads than the one it names: MANY, others of the same warp did the same since
 * the last order; WIDE, threads of other warps or blocks did. Where threads share 4 bytes by parts, the cell
 * is SPLIT into four, one for each byte. A kernel's write that leaves the bytes as they were counts among the
 * reads (SAME in place of SPLIT): else the first of those that write a flag would be in a race, and which
 * thread that is depends on the order.
 */
#include <stdlib.h>
#include <string.h>
#include "order.h"
#include "race.h"
#include "shadow.h"

check_tick check_now = 1, race_grid, race_block;

enum { SITES = 1 << 14 };

static check_tick barrier, grid_barrier;
static check_tick warp_met[SIM_WARPS];
static check_tick tile_met[SYNC_TILE_SIZES][SIM_WARPS / 2];
static bool tiles_met; /* any of this block */

/* ---- sites ---- */

static const void *sites[SITES]; /* open hash table: a site's number is its place */
static unsigned site_count;

/* The number of the place in the code before `pc`; 0 when there are too many. */
static unsigned site_of(const void *pc)
{
    static struct {
        const void *pc;
        unsigned site;
    } recent[256];
    unsigned r = (unsigned)((uintptr_t)pc ^ (uintptr_t)pc >> 8) & 255;
    if (recent[r].pc == pc)
        return recent[r].site;
    unsigned i = (unsigned)(((uintptr_t)pc * 0x9e3779b97f4a7c15u) >> 50);
    while ((sites[i] && sites[i] != pc) || !i)
        i = (i + 1) % SITES;
    if (!sites[i]) {
        if (site_count == SITES / 2)
            return 0;
        site_count++;
        sites[i] = pc;
    }
    recent[r].pc = pc;
    recent[r].site = i;
    return i;
}

const void *race_site(uint64_t record)
{
    return sites[record >> 8 & (SITES - 1)];
}

static inline uint64_t record_of(unsigned site, unsigned flags)
{
    return (uint64_t)check_now << 32 | (uint64_t)exec_block.thread << 22 | site << 8 | flags;
}

/* ---- lanes that met in part ---- */

/* known[w][a][b]: what lane b did before this tick is known to lane a. Only of warps that met in part. */
static check_tick (*known)[32][32];
static bool partly[SIM_WARPS];

static bool known_to_lane(unsigned thread, check_tick t)
{
    unsigned w = thread / 32;
    return partly[w] && t < known[w][exec_block.thread % 32][thread % 32];
}

static void meet_in_part(unsigned w, unsigned mask)
{
    if (!known && !(known = calloc(SIM_WARPS, sizeof *known)))
        return; /* and what it orders is not seen */
    if (!partly[w])
        memset(known[w], 0, sizeof known[w]);
    partly[w] = true;
    check_tick all[32] = {0};
    for (unsigned a = 0; a < 32; a++)
        for (unsigned b = 0; mask >> a & 1 && b < 32; b++)
            if (all[b] < known[w][a][b])
                all[b] = known[w][a][b];
    for (unsigned b = 0; b < 32; b++)
        if (mask >> b & 1)
            all[b] = check_now;
    for (unsigned a = 0; a < 32; a++)
        if (mask >> a & 1)
            memcpy(known[w][a], all, sizeof all);
}

/* The thread, or of a WIDE record any thread of a tile, was in a tile with the running one, which met after
 * `t`. */
static bool known_to_tile(unsigned thread, check_tick t, bool any)
{
    for (unsigned k = 0; tiles_met && k < SYNC_TILE_SIZES; k++) {
        unsigned mine = exec_block.thread >> (6 + k);
        if (t < tile_met[k][mine] && (any || thread >> (6 + k) == mine))
            return true;
    }
    return false;
}

/* ---- order ---- */

static inline bool is_ordered(uint64_t record, bool shared)
{
    check_tick t = tick_of(record);
    if (t < order_floor || t < grid_barrier)
        return true;
    if (t >= race_block)
        return t < barrier;
    return shared /* of a block that ran before: another memory */ || (t < race_grid && order_before(t));
}

/* The slower reasons. */
static bool is_ordered_after_all(uint64_t record)
{
    check_tick t = tick_of(record);
    unsigned thread = thread_of(record);
    if (t >= race_block && thread / 32 == exec_block.thread / 32 &&
        (t < warp_met[thread / 32] || known_to_lane(thread, t)))
        return true;
    if (t >= race_block && known_to_tile(thread, t, false))
        return true;
    return handoff_taken() && handoff_orders(t, thread);
}

static inline bool is_mine(uint64_t record)
{
    return tick_of(record) >= race_block && thread_of(record) == exec_block.thread;
}

static bool same_warp(uint64_t record)
{
    return tick_of(record) >= race_block && thread_of(record) / 32 == exec_block.thread / 32;
}

/* A thread that the record stands for, and that is not ordered before the running one? */
static bool conflicts(uint64_t record, bool shared)
{
    if (!record || is_ordered(record, shared))
        return false;
    if (tick_of(record) < race_grid)
        return true;
    if (record & WIDE)
        return !handoff_taken() && (tick_of(record) < race_block || !known_to_tile(0, tick_of(record), true));
    if (!is_mine(record))
        return !is_ordered_after_all(record);
    return record & MANY && tick_of(record) >= warp_met[exec_block.thread / 32];
}

/* Whom a record for more threads names may be ordered before the one that meets it: another of them. */
static struct other {
    const uint64_t *at;
    uint64_t record;
} others[1 << 12];

static struct other *other_of(const uint64_t *at)
{
    return &others[(uintptr_t)at * 0x9e3779b97f4a7c15u >> 52];
}

/* The record for one more access of the same kind. */
static void join(uint64_t *at, uint64_t fresh, bool shared)
{
    uint64_t old = *at;
    if (!old || is_ordered(old, shared)) {
        *at = fresh;
        return;
    }
    if (tick_of(old) < race_grid && !order_before(tick_of(old)))
        return; /* of another operation, or of the host: kept until a write meets it */
    unsigned flags = old & WIDE;
    if (!same_warp(old))
        flags |= WIDE;
    else if (tick_of(old) >= warp_met[exec_block.thread / 32])
        flags |= (old & MANY) | (is_mine(old) ? 0 : MANY);
    struct other *o = other_of(at);
    if (!is_mine(old) && (o->at != at || !same_warp(old) || is_ordered(o->record, shared)))
        *o = (struct other){at, old};
    *at = fresh | flags;
}

/* The record to tell of, when what is at `at` conflicts with the running thread. */
static uint64_t culprit(const uint64_t *at, bool shared)
{
    const struct other *o = other_of(at);
    bool named = !is_mine(*at) && !is_ordered_after_all(*at);
    return !named && o->at == at && conflicts(o->record & ~(uint64_t)(WIDE | MANY), shared) ? o->record : *at;
}

/* ---- cells ---- */

/* An access, as far as it is the same for all cells that it touches. */
struct access {
    unsigned how, site, thread;
    bool shared;
    const void *pc;
    ptrdiff_t from_home;        /* to the address itself */
    const uint3 *index, *block; /* of the thread */
};

/* The access conflicts with what is at `at`, the cell's write or its reads. */
static void suspect(const uint64_t *at, bool is_write, const struct access *a, uintptr_t home)
{
    uint64_t r = culprit(at, a->shared);
    unsigned then =
        is_write ? CHECK_WRITE | (r & ATOMIC ? CHECK_ATOMIC : 0) : (r & SAME ? CHECK_WRITE : CHECK_READ);
    race_found(&(struct race){r, then, a->how, home, (char *)home + a->from_home, a->thread, *a->index,
                              *a->block, a->pc});
}

static void read_cell(struct shadow_cell *c, unsigned bytes, const struct access *a, uintptr_t home)
{
    uint64_t w = c->write;
    if (!is_ordered(w, a->shared) && w & bytes && conflicts(w, a->shared))
        suspect(&c->write, true, a, home);
    join(&c->read, record_of(a->site, bytes), a->shared);
}

/* A plain write by the running thread, which its own atomics on the place do not make up for. */
static bool is_fresh_of_mine(uint64_t record, unsigned bytes, bool shared)
{
    return (record & BYTES) == bytes && is_mine(record) && !is_ordered(record, shared);
}

/* Nothing that its thread did since lets others know of it. The host's calls do. */
static bool is_unshared(uint64_t record)
{
    check_tick t = tick_of(record);
    return sim_running() && t >= warp_met[thread_of(record) / 32] && !handoff_fenced(t);
}

static void write_cell(struct shadow_cell *c, unsigned bytes, const struct access *a, uintptr_t home)
{
    uint64_t w = c->write, r = c->read;
    unsigned atomic = a->how & CHECK_ATOMIC ? ATOMIC : 0;
    if (!is_ordered(w, a->shared) && w & bytes && !(atomic & w) && conflicts(w, a->shared))
        suspect(&c->write, true, a, home);
    else if (r & bytes && conflicts(r, a->shared))
        suspect(&c->read, false, a, home);
    bool again = is_fresh_of_mine(w, bytes, a->shared);
    /* Of a thread's writes with nothing in between the first is named: which of them others meet is luck. */
    unsigned site = again && !(atomic | (w & ATOMIC)) && is_unshared(w) ? w >> 8 & (SITES - 1) : a->site;
    uint64_t fresh = record_of(site, bytes | atomic);
    if (atomic & w)
        join(&c->write, fresh, a->shared);
    else if (!atomic || !again)
        c->write = fresh;
    c->read = atomic && r & SAME && is_fresh_of_mine(r, bytes, a->shared) ? r : 0;
}

/* A write that changed nothing. */
static void keep_cell(struct shadow_cell *c, unsigned bytes, const struct access *a, uintptr_t home)
{
    uint64_t w = c->write;
    if (w & ATOMIC && !is_ordered(w, a->shared) && w & bytes && conflicts(w, a->shared))
        suspect(&c->write, true, a, home);
    join(&c->read, record_of(a->site, bytes | SAME), a->shared);
}

/* Parts of the cell are another's, with nothing in between: a cell for each byte from now on. */
static bool must_split(const struct shadow_cell *c, unsigned bytes, bool shared)
{
    uint64_t w = c->write, r = c->read;
    return (w && (w & BYTES) != bytes && !is_ordered(w, shared) && !is_mine(w)) ||
           (r && (r & BYTES) != bytes && !is_ordered(r, shared) && !is_mine(r));
}

typedef void touch(struct shadow_cell *, unsigned bytes, const struct access *, uintptr_t home);

static void touch_parts(touch *f, struct shadow_cell *c, unsigned bytes, const struct access *a,
                        uintptr_t home)
{
    if (!(c->write & SPLIT) && !must_split(c, bytes, a->shared)) {
        f(c, bytes, a, home);
        return;
    }
    if (!(c->write & SPLIT))
        race_split(c, home);
    for (unsigned i = 0; i < 4; i++)
        if (bytes >> i & 1)
            f(&race_parts(c)[i], 15, a, home + i);
}

static __attribute__((noinline)) void touch_each(touch *f, uintptr_t home, size_t bytes,
                                                 const struct access *a)
{
    struct shadow_cell *c = shadow_cell(home & ~(uintptr_t)3);
    uintptr_t end = home + bytes;
    for (uintptr_t at = home & ~(uintptr_t)3; at < end; at += 4, c++) {
        unsigned part = 15;
        if (at < home)
            part &= 15u << (home - at);
        if (end - at < 4)
            part &= (1u << (end - at)) - 1;
        if (part == 15 && !(c->write & SPLIT))
            f(c, 15, a, at);
        else
            touch_parts(f, c, part, a, at);
    }
}

/* The usual case is worth a call that the compiler knows. */
static inline __attribute__((always_inline)) void touch_cells(touch *f, uintptr_t home, size_t bytes,
                                                              const struct access *a)
{
    if (bytes == 4 && !(home & 3) && !(shadow_cell(home)->write & SPLIT))
        f(shadow_cell(home), 15, a, home);
    else
        touch_each(f, home, bytes, a);
}

/* ---- accesses ---- */

/* The last plain write of a kernel: whether it changes anything shows when the next access comes. */
static struct {
    struct access access;
    uint3 index, block;
    uintptr_t home;
    size_t bytes; /* 0: none */
    char before[16];
} last_write;

static inline bool differ(const char *a, const char *b, size_t bytes)
{
    return bytes == 4 ? memcmp(a, b, 4) : memcmp(a, b, bytes);
}

static void settle_write(void)
{
    unsigned running = exec_block.thread;
    size_t bytes = last_write.bytes;
    const struct access *a = &last_write.access;
    last_write.bytes = 0;
    exec_block.thread = a->thread;
    if (differ((const char *)last_write.home + a->from_home, last_write.before, bytes))
        touch_cells(write_cell, last_write.home, bytes, a);
    else
        touch_cells(keep_cell, last_write.home, bytes, a);
    exec_block.thread = running;
}

static void take_back(struct shadow_cell *c)
{
    if (is_mine(c->read) && !(c->read & (MANY | WIDE | SAME)))
        c->read = 0;
}

/* A thread's plain look at the old value, before its atomic, is no access of its own. */
static void before_atomic(uintptr_t home, size_t bytes)
{
    struct shadow_cell *c = shadow_cell(home & ~(uintptr_t)3);
    race_excuse(home, bytes);
    for (size_t i = 0; 4 * i < bytes; i++)
        take_back(&c[i]);
    handoff_atomic(home, barrier);
}

void race_take_back(uintptr_t home, size_t bytes)
{
    uintptr_t first = home & ~(uintptr_t)3;
    race_excuse(home, bytes);
    for (struct shadow_cell *c = shadow_cell(first); first < home + bytes; first += 4, c++)
        for (unsigned i = 0; i < (c->write & SPLIT ? 4 : 1); i++)
            take_back(c->write & SPLIT ? &race_parts(c)[i] : c);
}

void race_access(uintptr_t home, const char *p, size_t bytes, unsigned how, const void *pc)
{
    bool shared = home - SHARED_HOMES < DEVICE_HOMES - SHARED_HOMES;
    if (last_write.bytes)
        settle_write();
    if (how & CHECK_ATOMIC)
        before_atomic(home, bytes);
    unsigned site = site_of(pc), thread = exec_block.thread;
    ptrdiff_t from_home = p - (char *)home;
    if (how == CHECK_WRITE && bytes <= sizeof last_write.before && sim_running()) {
        last_write.access =
            (struct access){how, site, thread, shared, pc, from_home, &last_write.index, &last_write.block};
        last_write.index = threadIdx;
        last_write.block = blockIdx;
        last_write.home = home;
        /* may fault */
        bytes == 4 ? memcpy(last_write.before, p, 4) : memcpy(last_write.before, p, bytes);
        last_write.bytes = bytes;
        return;
    }
    struct access a = {how, site, thread, shared, pc, from_home, &threadIdx, &blockIdx};
    if (how & CHECK_WRITE)
        touch_cells(write_cell, home, bytes, &a);
    else
        touch_cells(read_cell, home, bytes, &a);
}

void race_freed(uintptr_t home, size_t bytes, const void *pc)
{
    struct access a = {CHECK_WRITE, site_of(pc), exec_block.thread, false, pc, 0, &threadIdx, &blockIdx};
    if (last_write.bytes)
        settle_write();
    touch_cells(write_cell, home, bytes, &a);
}

static bool is_unordered(const struct shadow_cell *c)
{
    const struct shadow_cell *part = c->write & SPLIT ? race_parts(c) : NULL;
    for (unsigned i = 0; part && i < 4; i++)
        if (is_unordered(&part[i]))
            return true;
    return !part && conflicts(c->write, false);
}

bool race_unordered(uintptr_t home, size_t bytes)
{
    for (uintptr_t at = home & ~(uintptr_t)3; at < home + bytes; at += 4)
        if (is_unordered(shadow_cell(at)))
            return true;
    return false;
}

void race_settle(void)
{
    if (last_write.bytes)
        settle_write();
    race_tell_rest();
}

/* The later of `t` and the cell's last use, where that is not ordered before now. */
static check_tick used_after(check_tick t, const struct shadow_cell *c)
{
    if (c->write & SPLIT) {
        for (unsigned i = 0; i < 4; i++)
            t = used_after(t, &race_parts(c)[i]);
        return t;
    }
    check_tick w = tick_of(c->write), r = tick_of(c->read);
    if (w > t && !order_before(w))
        t = w;
    return r > t && !order_before(r) ? r : t;
}

check_tick race_used(uintptr_t home, size_t bytes)
{
    check_tick t = 0;
    if (order_all_known())
        return 0;
    for (uintptr_t at = home & ~(uintptr_t)3; at < home + bytes; at += 4)
        t = used_after(t, shadow_cell(at));
    return t;
}

/* ---- what moves time on ---- */

check_tick check_next_tick(void)
{
    if (check_now > UINT32_MAX - (1u << 20) && !sim_running()) {
        shadow_forget_order();
        race_forget_splits();
        check_now = 0;
        order_restart();
    }
    return ++check_now;
}

void race_begin(void)
{
    race_grid = race_block = barrier = check_next_tick();
    grid_barrier = 0;
    exec_block.thread = 0;
}

void race_grid_begin(void)
{
    race_begin();
    handoff_grid_begin();
}

void race_block_begin(void)
{
    race_settle();
    race_block = barrier = check_next_tick();
    memset(warp_met, 0, sizeof warp_met);
    memset(tile_met, 0, sizeof tile_met);
    tiles_met = false;
    memset(partly, 0, sizeof partly);
    handoff_block_begin();
}

void race_barrier(void)
{
    race_settle();
    handoff_barrier();
    barrier = check_next_tick();
    memset(partly, 0, sizeof partly);
}

void race_warp(unsigned w, unsigned mask)
{
    race_settle();
    check_next_tick();
    unsigned all = ~sync_now.warps[w].gone;
    if ((mask & all) == all)
        warp_met[w] = check_now;
    else
        meet_in_part(w, mask);
}

void race_tile(unsigned first, unsigned size)
{
    race_settle();
    tile_met[__builtin_ctz(size) - 6][first / size] = check_next_tick();
    tiles_met = true;
}

void race_grid_barrier(void)
{
    race_settle();
    grid_barrier = check_next_tick();
}

void race_fence(void)
{
    if (last_write.bytes)
        settle_write();
    handoff_fence();
}
