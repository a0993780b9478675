/* SPDX-License-Identifier: MIT */
/*
 * Reads of memory that nobody wrote, by simulated threads.
 *
 * Such a read is held back until it is certain what it is:
 *   - another thread writes the place before anything orders the two: then it is a race, told as such
 *   - the thread's access just before or after writes as many bytes: then a struct is being copied, and the
 *     copy is as unwritten as what it was made from
 * Fewer than 4 unwritten bytes of 8 or more are the padding of a struct.
 */
#include <string.h>
#include "exec.h"
#include "shadow.h"

enum { HELD = 1024 };
static struct held {
    uintptr_t home;
    const char *at;
    size_t bytes;
    const void *pc;
    uint3 block, index;
    unsigned thread;
} held[HELD], candidate;
static unsigned held_count;
bool unwritten_copying; /* `candidate` waits for the thread's next access */
uintptr_t last_written; /* by the access before, if it wrote: */
size_t last_written_bytes;

static void report(const struct held *h)
{
    bool shared = sim_shared_what(h->at) != NULL;
    const struct sim_block *b = shared ? NULL : sim_find(h->at);
    struct sim_report r =
        sim_report_at("unwritten", h->pc, "KERNEL %s: a read of %zu bytes that nobody wrote",
                      sim_running()->name, h->bytes);
    sim_report_line(r, "at", "%s", sim_where(h->pc));
    check_say_thread(r, h->block, h->index);
    check_say_place(r, h->at);
    if (b && b->filled) {
        sim_report_line(r, "filled", "%zu of its %zu bytes, by %s at %s%s", b->filled, b->bytes,
                        b->filler.api, sim_where_call(&b->filler),
                        b->filled == sizeof(void *) ? ": as many as a pointer has; sizeof of a pointer?"
                                                    : "");
    }
    sim_report_line(
        r, "why", "%s",
        shared ? "shared memory holds nothing when a block starts: fill it, wait at a barrier, then read"
               : "fresh memory holds anything: copy or set all of it first; sizes are in bytes");
    sim_report_end(r);
}

static void hold(const struct held *h)
{
    if (held_count == HELD)
        report(h);
    else
        held[held_count++] = *h;
}

void unwritten_read(uintptr_t home, const char *p, size_t bytes, const void *pc)
{
    if (sim_is_host_range(p))
        host_look_again(p, bytes);
    size_t first = shadow_find(home, bytes, CHECK_UNWRITTEN);
    if (first == bytes)
        return;
    struct held h = {home, p + first, bytes, pc, blockIdx, threadIdx, exec_block.thread};
    size_t run = shadow_find(home + first, bytes - first, CHECK_WRITTEN);
    if (bytes < 8 || (run == bytes && bytes <= 16)) {
        hold(&h);
    } else if (last_written_bytes == bytes) {
        shadow_copy(last_written, home, bytes);
    } else if (run >= 4) {
        candidate = h;
        unwritten_copying = true;
    }
}

bool unwritten_next(uintptr_t home, size_t bytes, unsigned how)
{
    unwritten_copying = false;
    bool copied = how & CHECK_WRITE && !(how & CHECK_ATOMIC) && bytes == candidate.bytes;
    if (copied)
        shadow_copy(home, candidate.home, bytes);
    else
        hold(&candidate);
    return copied;
}

static bool is_running(const struct held *h)
{
    return h->thread == exec_block.thread && !memcmp(&h->block, &blockIdx, sizeof blockIdx);
}

void unwritten_write(uintptr_t home, size_t bytes)
{
    for (unsigned i = 0; i < held_count; i++)
        if (!is_running(&held[i]) && held[i].home < home + bytes && home < held[i].home + held[i].bytes)
            held[i--] = held[--held_count];
    shadow_set(home, bytes, CHECK_WRITTEN);
}

/* A barrier settles what was read in shared memory, the end of the launch the rest. */
void unwritten_settle(bool all)
{
    if (unwritten_copying)
        unwritten_next(0, 0, CHECK_READ);
    for (unsigned i = 0; i < held_count; i++)
        if (all || sim_shared_what(held[i].at)) {
            report(&held[i]);
            held[i--] = held[--held_count];
        }
}
