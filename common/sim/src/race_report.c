/* SPDX-License-Identifier: MIT */
/* What race.c finds, for a person; and what is no race for all that. */
#include <string.h>
#include "race.h"
#include "shadow.h"

static const char *verb(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation" : how & CHECK_WRITE ? "a write" : "a read";
}

static void say_who(struct sim_report report, const struct race *r)
{
    check_tick t = tick_of(r->record);
    const void *site = race_site(r->record);
    if (sim_running())
        sim_report_line(report, "by", "block (%u,%u,%u) thread (%u,%u,%u) of %s", r->block.x, r->block.y,
                        r->block.z, r->index.x, r->index.y, r->index.z, sim_running()->name);
    sim_report_line(report, "and", "%s, by %s", site ? sim_where(site) : "a place that was not kept",
                    t < race_block                        ? "a thread of another block"
                    : thread_of(r->record) == r->thread ? "other threads of the block"
                                                          : "another thread of the block");
}

static void tell(const struct race *r)
{
    if (tick_of(r->record) < race_grid) {
        unordered_access(&(struct unordered){tick_of(r->record), r->then, r->now, race_site(r->record), r->pc,
                                             r->at, r->index, r->block});
        return;
    }
    bool shared = r->home - SHARED_HOMES < DEVICE_HOMES - SHARED_HOMES;
    struct sim_report report = sim_report_at(shared ? "shared memory race" : "global memory race", r->pc,
                                             "RACE in %s memory: %s and %s, unordered",
                                             shared ? "shared" : "global", verb(r->then), verb(r->now));
    sim_report_line(report, "at", "%s", r->pc ? sim_where(r->pc) : order_who(check_now));
    say_who(report, r);
    sim_report_line(report, "is", "%s", sim_what(r->at));
    sim_report_line(report, "why", "%s",
                    tick_of(r->record) < race_block
                        ? "blocks of one launch run in any order, and together: use another launch, an "
                          "atomic, or give each its own place"
                        : "between a write by one thread and the access of another of its block there must "
                          "be a __syncthreads()");
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
