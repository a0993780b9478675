/* SPDX-License-Identifier: MIT */
/*
 * Races: two accesses to the same bytes, one of them a write, and nothing that orders them.
 *
 * Everything runs one thing at a time, so each access has a tick, and order is a question about ticks. What
 * happened at tick t is ordered before what the running thread does now when
 *
 *   t < order_floor                         it belongs to something that ended before this launch, by the
 *                                           program's own streams, events and waits
 *   block_begin <= t < barrier              this block, before its last barrier
 *   same warp, t < its last __syncwarp()    for all lanes, or pair by pair where masks were partial
 *   released by a fence and an atomic, and acquired by an atomic of this thread
 *
 * Luck is not among these, so the verdict does not depend on the order in which threads happen to run.
 *
 * Each aligned 4 bytes have a cell of two records, their last write and the reads since:
 *
 *   | tick 32 | thread 10 | site 14 | WIDE MANY SPLIT ATOMIC | bytes 4 |
 *
 * A record stands for more threads than the one it names: MANY, others of the same warp did the same since
 * the last order; WIDE, threads of other warps or blocks did. Where threads share 4 bytes by parts, the cell
 * is SPLIT into four, one for each byte.
 */
#include <stdlib.h>
#include <string.h>
#include "exec.h"
#include "order.h"
#include "shadow.h"

check_tick check_now = 1;

enum { ATOMIC = 16, SPLIT = 32, MANY = 64, WIDE = 128, BYTES = 15 };
enum { SITES = 1 << 14 };

static check_tick grid_begin, block_begin, barrier, grid_barrier;
static check_tick warp_met[SIM_WARPS];

static inline check_tick tick_of(uint64_t record)
{
    return (check_tick)(record >> 32);
}

static inline unsigned thread_of(uint64_t record)
{
    return record >> 22 & 1023;
}

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

/* ---- fences and atomics ---- */

/*
 * A fence and then an atomic give away all that the thread knows; an atomic on the same address later takes
 * it. What was given at an address is a list that only grows, so "what this thread has taken" is a length.
 */
struct given {
    check_tick block_begin, barrier, fence; /* of the giver: its block's accesses before the barrier count,
                                               its own (`thread`) before the fence */
    unsigned thread;
    unsigned taken, takens; /* what it had taken itself: a part of `taken` below */
};

static struct place {
    uintptr_t home;
    struct given *list;
    unsigned count, room;
} * places;
static unsigned place_count, place_room;

static struct taken {
    unsigned place, count; /* the first `count` of what was given there */
    unsigned thread;       /* by this thread, SIM_MAX_THREADS: the whole block, since a barrier */
} * taken;
static unsigned taken_count, taken_room, taken_before_block;

static check_tick fence_of[SIM_MAX_THREADS], block_fence;

static void *grow(void *list, unsigned *room, size_t bytes)
{
    void *grown = realloc(list, (*room ? 2 * *room : 16) * bytes);
    if (grown)
        *room = *room ? 2 * *room : 16;
    return grown;
}

static int place_at(uintptr_t home, bool make)
{
    for (unsigned i = place_count; i-- > 0;)
        if (places[i].home == home)
            return (int)i;
    if (!make)
        return -1;
    if (place_count == place_room) {
        void *grown = grow(places, &place_room, sizeof *places);
        if (!grown)
            return -1;
        places = grown;
    }
    places[place_count] = (struct place){.home = home};
    return (int)place_count++;
}

static bool was_given(const struct place *p, unsigned count, check_tick t, unsigned thread, int depth);

static bool in_takens(unsigned first, unsigned count, check_tick t, unsigned thread, int depth)
{
    for (unsigned i = first; i < first + count; i++)
        if (was_given(&places[taken[i].place], taken[i].count, t, thread, depth))
            return true;
    return false;
}

/* Blocks run one after another, so the list is in the order of ticks. */
static bool was_given(const struct place *p, unsigned count, check_tick t, unsigned thread, int depth)
{
    for (unsigned i = count; i-- > 0;) {
        const struct given *g = &p->list[i];
        if (t >= g->block_begin && (t < g->barrier || (t < g->fence && thread == g->thread)))
            return true;
        if (g->takens && depth < 8 && in_takens(g->taken, g->takens, t, thread, depth + 1))
            return true;
    }
    return false;
}

/* Does the running thread know of it by what it or its block has taken? */
static bool was_taken(check_tick t, unsigned thread)
{
    for (unsigned i = taken_before_block; i < taken_count; i++)
        if ((taken[i].thread == SIM_MAX_THREADS || taken[i].thread / 32 == exec_block.thread / 32) &&
            was_given(&places[taken[i].place], taken[i].count, t, thread, 0))
            return true;
    return false;
}

static void take(uintptr_t home)
{
    int place = place_at(home, false);
    if (place < 0 || !places[place].count)
        return;
    for (unsigned i = taken_before_block; i < taken_count; i++)
        if (taken[i].place == (unsigned)place && taken[i].thread == exec_block.thread) {
            taken[i].count = places[place].count;
            return;
        }
    if (taken_count == taken_room) {
        void *grown = grow(taken, &taken_room, sizeof *taken);
        if (!grown)
            return;
        taken = grown;
    }
    taken[taken_count++] = (struct taken){(unsigned)place, places[place].count, exec_block.thread};
}

static void give(uintptr_t home)
{
    check_tick fence = fence_of[exec_block.thread];
    if (fence < block_fence)
        fence = block_fence;
    if (fence < block_begin)
        return; /* no fence: nobody learns anything */
    int place = place_at(home, true);
    if (place < 0)
        return;
    struct place *p = &places[place];
    struct given g = {block_begin,        barrier < fence ? barrier : fence, fence, exec_block.thread,
                      taken_before_block, taken_count - taken_before_block};
    if (p->count && !memcmp(&p->list[p->count - 1], &g, sizeof g))
        return;
    if (p->count == p->room) {
        void *grown = grow(p->list, &p->room, sizeof *p->list);
        if (!grown)
            return;
        p->list = grown;
    }
    p->list[p->count++] = g;
}

static void forget_gifts(void)
{
    for (unsigned i = 0; i < place_count; i++)
        free(places[i].list);
    place_count = taken_count = taken_before_block = 0;
}

/* ---- order ---- */

static inline bool is_ordered(uint64_t record, bool shared)
{
    check_tick t = tick_of(record);
    if (t < order_floor || t < grid_barrier)
        return true;
    if (t >= block_begin)
        return t < barrier;
    if (t < grid_begin)
        return order_before(t);
    return shared; /* of a block that ran before: another memory */
}

/* The slower reasons. */
static bool is_ordered_after_all(uint64_t record)
{
    check_tick t = tick_of(record);
    unsigned thread = thread_of(record);
    if (t >= block_begin && thread / 32 == exec_block.thread / 32 &&
        (t < warp_met[thread / 32] || known_to_lane(thread, t)))
        return true;
    return taken_count > taken_before_block && was_taken(t, thread);
}

static inline bool is_mine(uint64_t record)
{
    return tick_of(record) >= block_begin && thread_of(record) == exec_block.thread;
}

static bool same_warp(uint64_t record)
{
    return tick_of(record) >= block_begin && thread_of(record) / 32 == exec_block.thread / 32;
}

/* A thread that the record stands for, and that is not ordered before the running one? */
static bool conflicts(uint64_t record, bool shared)
{
    if (!record || is_ordered(record, shared))
        return false;
    if (tick_of(record) < grid_begin)
        return true;
    if (record & WIDE)
        return taken_count == taken_before_block;
    if (!is_mine(record))
        return !is_ordered_after_all(record);
    return record & MANY && tick_of(record) >= warp_met[exec_block.thread / 32];
}

/* The record after one more access of the same kind. */
static uint64_t joined(uint64_t old, uint64_t fresh, bool shared)
{
    if (!old || is_ordered(old, shared))
        return fresh;
    if (tick_of(old) < grid_begin && !order_before(tick_of(old)))
        return old; /* of another operation, or of the host: kept until a write meets it */
    unsigned flags = old & WIDE;
    if (same_warp(old)) {
        if (tick_of(old) >= warp_met[exec_block.thread / 32])
            flags |= (old & MANY) | (is_mine(old) ? 0 : MANY);
    } else {
        flags |= WIDE;
    }
    return fresh | flags;
}

/* ---- suspicions ---- */

struct race {
    uint64_t record;   /* the earlier access */
    unsigned how, now; /* then and now */
    uintptr_t home;
    const char *at;
    unsigned thread;
    uint3 index, block;
    const void *pc;
};

/* A write is looked at again when it has happened: of the same value it does no harm. */
static struct {
    struct race race;
    bool waiting;
    uint32_t before;
} last_write;

/* A plain read among atomics is forgiven when the same thread's atomic follows, as in a loop around
 * atomicCAS. */
enum { PEEKS = 64 };
static struct race peeks[PEEKS];
static unsigned peek_count;

static const char *verb(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation" : how & CHECK_WRITE ? "a write" : "a read";
}

static const char *where_site(uint64_t record)
{
    const void *pc = sites[record >> 8 & (SITES - 1)];
    return pc ? sim_where(pc) : "a place that was not kept";
}

static void say_who(struct sim_report report, const struct race *r)
{
    bool blocks = tick_of(r->record) < block_begin;
    if (sim_running())
        sim_report_line(report, "by", "block (%u,%u,%u) thread (%u,%u,%u) of %s", r->block.x, r->block.y,
                        r->block.z, r->index.x, r->index.y, r->index.z, sim_running()->name);
    sim_report_line(report, "and", "%s, by %s", where_site(r->record),
                    blocks ? "a thread of another block"
                    : is_mine(r->record) && thread_of(r->record) == r->thread
                        ? "other threads of the block"
                        : "another thread of the block");
}

static void report_race(const struct race *r)
{
    if (tick_of(r->record) < grid_begin) {
        unordered_access(&(struct unordered){tick_of(r->record), r->how, r->now,
                                             sites[r->record >> 8 & (SITES - 1)], r->pc, r->at, r->index,
                                             r->block});
        return;
    }
    bool shared = r->home - SHARED_HOMES < DEVICE_HOMES - SHARED_HOMES;
    bool blocks = tick_of(r->record) < block_begin;
    struct sim_report report = sim_report_at(shared ? "shared memory race" : "global memory race", r->pc,
                                             "RACE in %s memory: %s and %s, unordered",
                                             shared ? "shared" : "global", verb(r->how), verb(r->now));
    sim_report_line(report, "at", "%s", r->pc ? sim_where(r->pc) : order_who(check_now));
    say_who(report, r);
    sim_report_line(report, "is", "%s", sim_what(r->at));
    sim_report_line(report, "why", "%s",
                    blocks
                        ? "blocks of one launch run in any order, and together: use another launch, an "
                          "atomic, or give each its own place"
                        : "between a write by one thread and the access of another of its block there must "
                          "be a __syncthreads()");
    sim_report_end(report);
}

static uint32_t value_at(const struct race *r)
{
    uint32_t value;
    memcpy(&value, r->at - (r->home & 3), sizeof value);
    return value;
}

static void settle_write(void)
{
    last_write.waiting = false;
    if (value_at(&last_write.race) != last_write.before)
        report_race(&last_write.race);
}

static ptrdiff_t from_home; /* to the address itself, in the access now looked at */

static void suspect(uint64_t record, unsigned then, unsigned how, uintptr_t home, const void *pc)
{
    struct race r = {record,    then,     how, home, (char *)home + from_home, exec_block.thread,
                     threadIdx, blockIdx, pc};
    if (then & CHECK_ATOMIC && how == CHECK_READ) {
        if (peek_count == PEEKS) {
            report_race(&peeks[0]);
            memmove(peeks, peeks + 1, --peek_count * sizeof *peeks);
        }
        peeks[peek_count++] = r;
    } else if (then == CHECK_WRITE && how == CHECK_WRITE && sim_running()) {
        if (last_write.waiting)
            settle_write();
        last_write.race = r;
        last_write.waiting = true;
        last_write.before = value_at(&r);
    } else {
        report_race(&r);
    }
}

static void forgive_peek(uintptr_t home, size_t bytes)
{
    for (unsigned i = 0; i < peek_count; i++)
        if (peeks[i].home + 4 > home && peeks[i].home < home + bytes && peeks[i].thread == exec_block.thread)
            peeks[i--] = peeks[--peek_count];
}

void race_settle(void)
{
    if (last_write.waiting)
        settle_write();
    for (unsigned i = 0; i < peek_count; i++)
        report_race(&peeks[i]);
    peek_count = 0;
}

/* ---- cells ---- */

static struct shadow_cell (*parts)[4];
static unsigned part_count, part_room;

static inline unsigned how_of(uint64_t write)
{
    return write & ATOMIC ? CHECK_WRITE | CHECK_ATOMIC : CHECK_WRITE;
}

static void read_cell(struct shadow_cell *c, unsigned bytes, uintptr_t home, unsigned site, const void *pc,
                      bool shared)
{
    uint64_t w = c->write;
    if (!is_ordered(w, shared) && w & bytes && conflicts(w, shared))
        suspect(w, how_of(w), CHECK_READ, home, pc);
    c->read = joined(c->read, record_of(site, bytes), shared);
}

static void write_cell(struct shadow_cell *c, unsigned bytes, unsigned how, uintptr_t home, unsigned site,
                       const void *pc, bool shared)
{
    uint64_t w = c->write, r = c->read;
    bool atomic = how & CHECK_ATOMIC;
    if (!is_ordered(w, shared) && w & bytes && !(atomic && w & ATOMIC) && conflicts(w, shared))
        suspect(w, how_of(w), how, home, pc);
    else if (r && r & bytes && conflicts(r, shared))
        suspect(r, CHECK_READ, how, home, pc);
    uint64_t fresh = record_of(site, bytes | (atomic ? ATOMIC : 0));
    c->write = atomic && w & ATOMIC ? joined(w, fresh, shared) : fresh;
    c->read = 0;
}

/* Parts of the cell are another's, with nothing in between: a cell for each byte from now on. */
static bool must_split(const struct shadow_cell *c, unsigned bytes, bool shared)
{
    uint64_t w = c->write, r = c->read;
    return (w && (w & BYTES) != bytes && !is_ordered(w, shared) && !is_mine(w)) ||
           (r && (r & BYTES) != bytes && !is_ordered(r, shared) && !is_mine(r));
}

static bool split(struct shadow_cell *c)
{
    if (part_count == part_room) {
        void *grown = grow(parts, &part_room, sizeof *parts);
        if (!grown)
            return false;
        parts = grown;
    }
    for (unsigned i = 0; i < 4; i++) {
        parts[part_count][i].write = c->write >> i & 1 ? c->write : 0;
        parts[part_count][i].read = c->read >> i & 1 ? c->read : 0;
    }
    *c = (struct shadow_cell){SPLIT | (uint64_t)part_count++ << 8, 0};
    return true;
}

static void touch(struct shadow_cell *c, unsigned bytes, unsigned how, uintptr_t home, unsigned site,
                  const void *pc, bool shared)
{
    if (how & CHECK_WRITE)
        write_cell(c, bytes, how, home, site, pc, shared);
    else
        read_cell(c, bytes, home, site, pc, shared);
}

static void touch_parts(struct shadow_cell *c, unsigned bytes, unsigned how, uintptr_t home, unsigned site,
                        const void *pc, bool shared)
{
    if (!(c->write & SPLIT) && (!must_split(c, bytes, shared) || !split(c))) {
        touch(c, bytes, how, home, site, pc, shared);
        return;
    }
    struct shadow_cell *part = parts[c->write >> 8];
    for (unsigned i = 0; i < 4; i++)
        if (bytes >> i & 1)
            touch(&part[i], 15, how, home + i, site, pc, shared);
}

void race_access(uintptr_t home, const char *p, size_t bytes, unsigned how, const void *pc)
{
    bool shared = home - SHARED_HOMES < DEVICE_HOMES - SHARED_HOMES;
    struct shadow_cell *c = shadow_cell(home & ~(uintptr_t)3);
    unsigned site = site_of(pc);
    from_home = p - (char *)home;
    if (last_write.waiting)
        settle_write();
    if (how & CHECK_ATOMIC) {
        if (peek_count)
            forgive_peek(home, bytes);
        for (size_t i = 0; 4 * i < bytes; i++)
            if (thread_of(c[i].read) == exec_block.thread && !(c[i].read & (MANY | WIDE)))
                c[i].read = 0; /* its own look at the old value */
        take(home);
        give(home);
    }
    uintptr_t end = home + bytes;
    for (uintptr_t at = home & ~(uintptr_t)3; at < end; at += 4, c++) {
        unsigned part = 15;
        if (at < home)
            part &= 15u << (home - at);
        if (end - at < 4)
            part &= (1u << (end - at)) - 1;
        if (part == 15 && !(c->write & SPLIT))
            touch(c, 15, how, at, site, pc, shared);
        else
            touch_parts(c, part, how, at, site, pc, shared);
    }
}

/* The later of `t` and the cell's last use, where that is not ordered before now. */
static check_tick used_after(check_tick t, const struct shadow_cell *c)
{
    if (c->write & SPLIT) {
        for (unsigned i = 0; i < 4; i++)
            t = used_after(t, &parts[c->write >> 8][i]);
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
        check_now = 0;
        order_restart();
    }
    return ++check_now;
}

void race_begin(void)
{
    grid_begin = block_begin = barrier = check_next_tick();
    grid_barrier = 0;
    exec_block.thread = 0;
}

void race_grid_begin(void)
{
    race_begin();
    forget_gifts();
}

void race_block_begin(void)
{
    race_settle();
    block_begin = barrier = check_next_tick();
    memset(warp_met, 0, sizeof warp_met);
    memset(partly, 0, sizeof partly);
    block_fence = 0;
    taken_before_block = taken_count;
}

void race_barrier(void)
{
    race_settle();
    for (unsigned t = 0; t < exec_block.threads; t++)
        if (block_fence < fence_of[t])
            block_fence = fence_of[t];
    for (unsigned i = taken_before_block; i < taken_count; i++)
        taken[i].thread = SIM_MAX_THREADS;
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

void race_grid_barrier(void)
{
    race_settle();
    grid_barrier = check_next_tick();
}

void race_fence(void)
{
    fence_of[exec_block.thread] = check_next_tick();
}
