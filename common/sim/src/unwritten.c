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
} held[HELD], first_half;
static unsigned held_count;
/* The access before, when it may be half of a copy: a read of bytes not all written, or (as gcc has it) the
 * write. */
bool unwritten_copying;
static bool write_first;

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
        sim_report_line(r, "filled", "%zu of %zu bytes, by %s at %s%s", b->filled, b->bytes,
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

static bool is_running(const struct held *h)
{
    return h->thread == exec_block.thread && !memcmp(&h->block, &blockIdx, sizeof blockIdx);
}

static void begin_copy(const struct held *h, bool writes)
{
    first_half = *h;
    write_first = writes;
    unwritten_copying = true;
}

/* `target`: where the write of as many bytes just before went, 0 for none. */
static void read_some(struct held h, uintptr_t target)
{
    size_t bytes = h.bytes, first = shadow_find(h.home, bytes, CHECK_UNWRITTEN);
    if (first == bytes)
        return;
    shadow_look_again(h.home, h.at, bytes);
    first = shadow_find(h.home, bytes, CHECK_UNWRITTEN);
    if (first == bytes)
        return;
    h.at += first;
    size_t run = shadow_find(h.home + first, bytes - first, CHECK_WRITTEN);
    if (bytes < 8 || (run == bytes && bytes <= 16))
        hold(&h);
    else if (target)
        shadow_copy(target, h.home, bytes);
    else if (run >= 4)
        begin_copy(&h, false);
}

static void write_some(const struct held *h)
{
    for (unsigned i = 0; i < held_count; i++)
        if (!is_running(&held[i]) && held[i].home < h->home + h->bytes &&
            h->home < held[i].home + held[i].bytes)
            held[i--] = held[--held_count];
    shadow_set(h->home, h->bytes, CHECK_WRITTEN);
    if (h->bytes >= 8)
        begin_copy(h, true);
}

void unwritten_access(uintptr_t home, const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct held h = {home, p, bytes, pc, blockIdx, threadIdx, exec_block.thread};
    const bool writes = how & CHECK_WRITE, atomic = how & CHECK_ATOMIC,
               copies = unwritten_copying && !atomic && write_first != writes && bytes == first_half.bytes &&
                        is_running(&first_half);
    if (unwritten_copying && !write_first && !copies)
        hold(&first_half);
    unwritten_copying = false;
    if (!writes || atomic)
        read_some(h, copies ? first_half.home : 0);
    else if (copies)
        shadow_copy(home, first_half.home, bytes);
    if (writes && !copies)
        write_some(&h);
}

/* A barrier settles what was read in shared memory, the end of the launch the rest. */
void unwritten_settle(bool all)
{
    if (unwritten_copying && !write_first)
        hold(&first_half);
    unwritten_copying = false;
    for (unsigned i = 0; i < held_count; i++)
        if (all || sim_shared_what(held[i].at)) {
            report(&held[i]);
            held[i--] = held[--held_count];
        }
}
