/* SPDX-License-Identifier: MIT */
/*
 * The device's heap: what kernels get from malloc and new.
 *
 *   one piece of device memory, of the size that cudaDeviceSetLimit asked for, taken when a kernel allocates
 * first | head | block    | gap | block | freed ...            |   units of 16 bytes; checked, with gaps of
 * as much
 *     -> table: for each unit the block that is there, live or the last that was
 *
 * Blocks stay from launch to launch. Addresses are handed out upwards and come back late, so that a stale
 * pointer meets the record of the freed block.
 */
#include <stdlib.h>
#include "check.h"

enum { UNIT = 16, STALE = 0xDD };

static struct sim_block *memory; /* NULL until a kernel allocates */
static struct sim_block **table;
static size_t units, used, cursor;
static size_t no_room; /* so many units in a row were not found since the last free */

/* What a block takes with what a heap notes of it. */
static size_t units_of(size_t bytes)
{
    return (bytes + UNIT - 1) / UNIT + 1;
}

static char *address_of(size_t unit)
{
    return memory->base + unit * UNIT * sim_spread();
}

static size_t unit_at(const void *p)
{
    return (size_t)((const char *)p - memory->base) / (UNIT * sim_spread());
}

/* At the first allocation. The piece is a segment, as pools have them: its blocks are what programs see. */
static bool start(void)
{
    if (memory)
        return true;
    const size_t limit = sim_heap_limit(), left = sim_memory_free();
    const size_t bytes = limit < left ? (limit + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE : left;
    table = calloc(bytes / UNIT, sizeof *table); /* pages of it come when they are touched */
    if (!bytes || !table || sim_block_new(SIM_SEGMENT, bytes, &memory)) {
        free(table);
        return false;
    }
    units = (limit < bytes ? limit : bytes) / UNIT;
    used = cursor = 0;
    no_room = SIZE_MAX;
    return true;
}

/* The first free units of a row of `count`, at such an address; SIZE_MAX when there is none. */
static size_t find_room(size_t count, size_t alignment)
{
    for (int turn = 0; turn < 2; turn++) {
        size_t have = 0;
        for (size_t i = turn ? 0 : cursor; i < units;) {
            const struct sim_block *b = table[i];
            if (b && b->live) {
                i = unit_at(b->base) + units_of(b->bytes);
                have = 0;
                continue;
            }
            if (have || (uintptr_t)address_of(i) % alignment == 0)
                have++;
            i++;
            if (have == count)
                return i - count;
        }
    }
    return SIZE_MAX;
}

static void unname(struct sim_block *b)
{
    if (b && !--b->refs)
        sim_block_disown(b);
}

static struct sim_block *take(size_t bytes, size_t alignment)
{
    size_t count = units_of(bytes);
    if (bytes > memory->bytes || count > units - used || count >= no_room)
        return NULL;
    size_t first = find_room(count, alignment);
    if (first == SIZE_MAX && alignment <= UNIT)
        no_room = count;
    struct sim_block *b = first == SIZE_MAX ? NULL : sim_block_adopt(SIM_HEAP, address_of(first), bytes);
    if (!b)
        return NULL;
    for (size_t i = first; i < first + count; i++) {
        unname(table[i]);
        table[i] = b;
    }
    b->refs = (unsigned)count;
    used += count;
    cursor = first + count;
    return b;
}

static struct sim_call refused; /* the last that found no room */

const char *sim_heap_refused_call(void)
{
    static char text[256];
    if (!refused.api)
        return "";
    snprintf(text, sizeof text, "; %s of %zu bytes at %s gave one: no room in the heap of %zu bytes",
             refused.api, refused.bytes, sim_where_call(&refused), sim_heap_limit());
    return text;
}

void *sim_heap_alloc(size_t bytes, size_t alignment, const char *api, void *pc)
{
    const struct sim_call outside = sim_call;
    sim_call = (struct sim_call){.api = api, .caller = pc, .bytes = bytes};
    sim_memory_unlock();
    struct sim_block *b = start() ? take(bytes, alignment) : NULL;
    if (b) {
        sim_fill(b->base, bytes, SIM_FRESH);
        sim_block_track(b);
        watch_block_new(b, false);
    } else {
        refused = sim_call;
    }
    sim_call = outside;
    return b ? b->base : NULL;
}

static void bad_free(const void *p, const struct sim_block *b, const char *api, const void *pc)
{
    const char *kind = !b                    ? "foreign free"
                       : b->kind != SIM_HEAP ? "wrong free"
                       : !b->live            ? "double free"
                                             : "interior free";
    const char *problem = !b                    ? "something that no kernel allocated"
                          : b->kind != SIM_HEAP ? "memory that no kernel allocated"
                          : !b->live            ? "a block that was freed before (double free)"
                                                : "a pointer into the middle of a block";
    struct sim_report r =
        sim_report_at(kind, pc, "KERNEL %s: %s(%p): %s", sim_running()->name, api, p, problem);
    sim_report_line(r, "at", "%s", sim_where(pc));
    check_say_thread(r, blockIdx, threadIdx);
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(
        r, "why",
        "what malloc or new gave a kernel is freed once, by one thread of a kernel, with that pointer; "
        "a GPU may stay silent and fail later");
    sim_report_end(r);
    /* as an H200 does: memory that is some thread's or the heap's own it takes without a word */
    bool passes = b ? b->kind == SIM_SYMBOL || b->kind == SIM_SEGMENT || (b->kind == SIM_HEAP && b->live)
                    : sim_shared_what(p) || is_own_stack(p);
    if (!passes)
        sim_thread_kill(b && b->kind == SIM_HEAP ? cudaErrorLaunchFailure : cudaErrorIllegalAddress);
}

void sim_heap_free(void *p, const char *api, void *pc)
{
    if (!p)
        return;
    struct sim_block *b = sim_find(p);
    if (!b || b->kind != SIM_HEAP || !b->live || b->base != p) {
        bad_free(p, b, api, pc);
        return;
    }
    const struct sim_call outside = sim_call;
    sim_call = b->freed = (struct sim_call){.api = api, .caller = pc};
    sim_memory_unlock();
    watch_block_free(b);
    sim_fill(b->base, b->bytes, STALE);
    b->live = false;
    sim_block_untrack(b);
    used -= units_of(b->bytes);
    no_room = SIZE_MAX;
    sim_call = outside;
}

void *__nv_aligned_device_malloc(size_t bytes, size_t alignment)
{
    bool power_of_2 = alignment && !(alignment & (alignment - 1));
    return power_of_2 ? sim_heap_alloc(bytes, alignment, __func__, __builtin_return_address(0)) : NULL;
}

struct sim_block *sim_heap_find(const void *p)
{
    return table[unit_at(p)];
}

bool sim_heap_is(const struct sim_block *segment)
{
    return segment == memory;
}

cudaError_t sim_heap_may_change(void)
{
    cudaError_t e = memory ? cudaSuccess : sim_device_finish(); /* a kernel that is queued may allocate */
    return !e && memory ? cudaErrorInvalidValue : e;
}

void sim_heap_reset(void)
{
    for (size_t i = 0; memory && i < units; i++) {
        struct sim_block *b = table[i];
        if (b && b->live) {
            b->freed = sim_call;
            watch_block_free(b);
            b->live = false;
            sim_block_untrack(b);
        }
        unname(b);
    }
    if (memory)
        free(table);
    memory = NULL; /* it goes with all other memory */
    sim_heap_limit_reset();
}
