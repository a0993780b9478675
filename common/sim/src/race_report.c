/* SPDX-License-Identifier: MIT */
/* What race.c finds, for a person; and what is no race for all that. */
#include <stdio.h>
#include <string.h>
#include "race.h"
#include "shadow.h"

static const char *verb(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation" : how & CHECK_WRITE ? "a write" : "a read";
}

/* One of the two accesses. */
struct side {
    const void *pc;
    unsigned how;
    bool is_later; /* the running thread's */
};

/* The order in which threads ran must not show: a write is named first, of two the first in the code. */
static bool comes_first(const struct side *a, const struct side *b)
{
    if (!a->pc || (a->how ^ b->how) & CHECK_WRITE)
        return a->pc && a->how & CHECK_WRITE;
    return (uintptr_t)a->pc < (uintptr_t)b->pc;
}

static const char *who(const struct race *r, bool is_later)
{
    static char text[200];
    if (!is_later)
        return tick_of(r->record) < race_block     ? "a thread of another block"
               : thread_of(r->record) == r->thread ? "other threads of the block"
                                                   : "another thread of the block";
    if (!sim_running())
        return "the host";
    snprintf(text, sizeof text, "block (%u,%u,%u) thread (%u,%u,%u) of %.80s", r->block.x, r->block.y,
             r->block.z, r->index.x, r->index.y, r->index.z, sim_running()->name);
    return text;
}

static const char *advice(const struct race *r)
{
    if (tick_of(r->record) < race_block)
        return "blocks of one launch run in any order, and together: use another launch, an atomic "
               "(atomicAdd, "
               "for a flag atomicExch; volatile is none), or give each its own place";
    if (thread_of(r->record) / 32 == r->thread / 32)
        return "the threads of a warp do not run in lockstep: between a write by one and the access of "
               "another "
               "there must be a __syncwarp() or __syncthreads(); a value that all of them change needs an "
               "atomic";
    return "between a write by one thread and the access of another of its block there must be a "
           "__syncthreads(); a value that all of them change needs an atomic (atomicAdd)";
}

static void tell(const struct race *r)
{
    if (tick_of(r->record) < race_grid) {
        unordered_access(&(struct unordered){tick_of(r->record), r->then, r->now, race_site(r->record), r->pc,
                                             r->at, r->index, r->block});
        return;
    }
    bool shared = r->home - SHARED_HOMES < DEVICE_HOMES - SHARED_HOMES;
    struct side a = {race_site(r->record), r->then, false}, b = {r->pc, r->now, true};
    struct side *first = comes_first(&a, &b) ? &a : &b, *other = first == &a ? &b : &a;
    struct sim_report report =
        sim_report_at(shared ? "shared memory race" : "global memory race", first->pc,
                      "RACE in %s memory: %s and %s, unordered", shared ? "shared" : "global",
                      verb(first->how), verb(other->how));
    if (!report.shown)
        return;
    sim_report_line(report, "at", "%s", first->pc ? sim_where(first->pc) : order_who(check_now));
    sim_report_line(report, "by", "%s", who(r, first->is_later));
    sim_report_line(report, "and", "%s, by %s",
                    other->pc ? sim_where(other->pc) : "a place that was not kept", who(r, other->is_later));
    sim_report_line(report, "is", "%s", sim_what(r->at));
    sim_report_line(report, "why", "%s", advice(r));
    sim_report_end(report);
}

/* A loop around atomicCAS begins with a plain read of what others change: the CAS finds out if they did. */
enum { PEEKS = 64 };
static struct race peeks[PEEKS];
static unsigned peek_count;

void race_found(const struct race *r)
{
    if (!(r->then & CHECK_ATOMIC) || r->now != CHECK_READ) {
        tell(r);
        return;
    }
    if (peek_count == PEEKS) {
        tell(&peeks[0]);
        memmove(peeks, peeks + 1, --peek_count * sizeof *peeks);
    }
    peeks[peek_count++] = *r;
}

void race_excuse(uintptr_t home, size_t bytes)
{
    for (unsigned i = 0; i < peek_count; i++)
        if (peeks[i].home + 4 > home && peeks[i].home < home + bytes && peeks[i].thread == exec_block.thread)
            peeks[i--] = peeks[--peek_count];
}

void race_tell_rest(void)
{
    for (unsigned i = 0; i < peek_count; i++)
        tell(&peeks[i]);
    peek_count = 0;
}
