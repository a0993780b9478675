/* SPDX-License-Identifier: MIT */
/*
 * What fences and atomics order, for race.c.
 *
 * A fence and then an atomic give away all that the thread knows; an atomic on the same address later takes
 * it. What was given at an address is a list that only grows, so "what this thread has taken" is a length.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"

struct given {
    check_tick block_begin, barrier, fence; /* of the giver: its block's accesses before the barrier count,
                                               its own (`thread`) before the fence */
    unsigned thread;
    unsigned taken, takens; /* what it had taken itself: a part of `taken` below */
};

static struct place {
    uintptr_t home;
    struct given *list;
    unsigned count;
    size_t room;
} * places;
static unsigned place_count;

static struct taken {
    unsigned place, count; /* the first `count` of what was given there */
    unsigned thread;       /* by this thread, SIM_MAX_THREADS: the whole block, since a barrier */
} * taken;
static unsigned taken_count, taken_before_block;
static size_t place_room, taken_room;

static check_tick fence_of[SIM_MAX_THREADS], last_fence;

bool handoff_taken(void)
{
    return taken_count > taken_before_block;
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

bool handoff_orders(check_tick t, unsigned thread)
{
    for (unsigned i = taken_before_block; i < taken_count; i++)
        if ((taken[i].thread == SIM_MAX_THREADS || taken[i].thread / 32 == exec_block.thread / 32) &&
            was_given(&places[taken[i].place], taken[i].count, t, thread, 0))
            return true;
    return false;
}

static unsigned place_at(uintptr_t home)
{
    unsigned i = place_count;
    while (i > 0 && places[i - 1].home != home)
        i--;
    return i - 1; /* UINT_MAX: none */
}

static void take(unsigned place)
{
    unsigned i = taken_before_block;
    while (i < taken_count && (taken[i].place != place || taken[i].thread != exec_block.thread))
        i++;
    if (i == taken_count) {
        taken = sim_room_or_end(taken, taken_count, &taken_room, sizeof *taken);
        taken_count++;
    }
    taken[i] = (struct taken){place, places[place].count, exec_block.thread};
}

static void give(struct place *p, check_tick barrier)
{
    check_tick fence = fence_of[exec_block.thread];
    struct given g = {race_block,         barrier < fence ? barrier : fence, fence, exec_block.thread,
                      taken_before_block, taken_count - taken_before_block};
    if (p->count && !memcmp(&p->list[p->count - 1], &g, sizeof g))
        return;
    p->list = sim_room_or_end(p->list, p->count, &p->room, sizeof *p->list);
    p->list[p->count++] = g;
}

void handoff_atomic(uintptr_t home, check_tick barrier)
{
    unsigned place = place_at(home);
    if (place < place_count)
        take(place);
    if (fence_of[exec_block.thread] < race_block)
        return; /* no fence: nobody learns anything */
    if (place >= place_count) {
        places = sim_room_or_end(places, place_count, &place_room, sizeof *places);
        place = place_count++;
        places[place] = (struct place){.home = home};
    }
    give(&places[place], barrier);
}

void handoff_fence(void)
{
    last_fence = fence_of[exec_block.thread] = check_next_tick();
}

bool handoff_fenced(check_tick t)
{
    return fence_of[exec_block.thread] > t;
}

/* What one thread has taken, and that it has made a fence, the whole block knows from now on. */
void handoff_barrier(void)
{
    for (unsigned t = 0; t < exec_block.threads && last_fence >= race_block; t++)
        fence_of[t] = last_fence;
    for (unsigned i = taken_before_block; i < taken_count; i++)
        taken[i].thread = SIM_MAX_THREADS;
}

void handoff_block_begin(void)
{
    taken_before_block = taken_count;
}

void handoff_grid_begin(void)
{
    for (unsigned i = 0; i < place_count; i++)
        free(places[i].list);
    place_count = taken_count = taken_before_block = 0;
    memset(fence_of, 0, sizeof fence_of);
    last_fence = 0;
}
