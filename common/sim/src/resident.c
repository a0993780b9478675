/* SPDX-License-Identifier: MIT */
/*
 * Cooperative launches: all blocks are on the device together and can wait for each other.
 *
 * Here they take turns. A block runs until its threads have ended or all wait for the grid; then its
 * state is put aside and the next block's comes in. When every block has had its turn, those that wait
 * have met.
 *
 * What the stacks of its threads hold is put aside too, so that hundreds of blocks need no more stacks than
 * one. It comes back to the same addresses, for there may be pointers to it.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "exec.h"

static struct resident {
    enum { NOT_BEGUN, WAITING, OVER } state;
    struct kept {
        struct exec_block block;
        struct exec_schedule schedule;
        uint3 index;
        void *shared;
        uint64_t *stacks; /* of each thread that waits, in order: its stack pointer, and what is above */
        char sync[];
    } * kept;
} * blocks;
static unsigned count, current;

bool resident_begin(unsigned n)
{
    blocks = calloc(n, sizeof *blocks);
    count = n;
    current = 0;
    return blocks != NULL;
}

/* What of the sync state lasts while all threads wait for the grid. */
static size_t sync_bytes(void)
{
    return offsetof(struct sync_state, places) + exec_block.threads * sizeof *sync_now.places;
}

/* The stack on which thread `t` waits for the grid, NULL when it has ended. */
static struct sim_fiber *stack_of(unsigned t)
{
    return sync_now.places[t].at == AT_GRID ? exec_now.runner_of[t] : NULL;
}

static size_t used_bytes(const struct sim_fiber *f)
{
    return (size_t)(f->stack + f->stack_bytes - (char *)f->sp);
}

/* AddressSanitizer keeps a byte for each 8, which says whether they may be touched: it is kept too. */
void __asan_get_shadow_mapping(size_t *scale, size_t *offset) __attribute__((weak));

/* Copies what is used of a stack to or from `saved`; returns what is behind it there. By words, for a
 * sanitizer to overlook. */
__attribute__((noinline, no_sanitize("address"))) static uint64_t *
move_stack(struct sim_fiber *f, uint64_t *saved, bool back)
{
    size_t words = used_bytes(f) / 8, scale, offset;
    volatile uint64_t *stack = f->sp;
    for (size_t i = 0; i < words; i++)
        if (back)
            stack[i] = saved[i];
        else
            saved[i] = stack[i];
    if (!__asan_get_shadow_mapping)
        return saved + words;
    __asan_get_shadow_mapping(&scale, &offset);
    volatile uint8_t *shadow = (uint8_t *)(((uintptr_t)f->sp >> scale) + offset);
    uint8_t *kept = (uint8_t *)(saved + words);
    for (size_t i = 0; i < words; i++)
        if (back)
            shadow[i] = kept[i];
        else
            kept[i] = shadow[i];
    return saved + words + (words + 7) / 8;
}

static uint64_t *save_stacks(void)
{
    size_t words = 1;
    for (unsigned t = 0; t < exec_block.threads; t++)
        if (stack_of(t))
            words += 3 + used_bytes(stack_of(t)) / 8 * (__asan_get_shadow_mapping ? 9 : 8) / 8;
    uint64_t *saved = malloc(words * sizeof *saved), *to = saved;
    for (unsigned t = 0; saved && t < exec_block.threads; t++) {
        struct sim_fiber *f = stack_of(t);
        if (!f)
            continue;
        *to++ = (uintptr_t)f->sp;
        *to++ = (uintptr_t)f->fake_stack;
        to = move_stack(f, to, false);
    }
    return saved;
}

static void restore_stacks(uint64_t *saved)
{
    for (unsigned t = 0; t < exec_block.threads; t++) {
        struct sim_fiber *f = stack_of(t);
        if (!f)
            continue;
        f->taken = true;
        f->sp = (void *)*saved++;
        f->fake_stack = (void *)*saved++;
        saved = move_stack(f, saved, true);
    }
}

static void put_aside(struct resident *b)
{
    struct kept *k = b->kept = malloc(sizeof *k + sync_bytes());
    void *shared = sim_shared_save();
    uint64_t *stacks = save_stacks();
    if (!k || !shared || !stacks) {
        free(k);
        free(shared);
        free(stacks);
        b->kept = NULL;
        sim_grid_abort(cudaErrorMemoryAllocation);
    }
    *k = (struct kept){exec_block, exec_now, blockIdx, shared, stacks};
    memcpy(k->sync, &sync_now, sync_bytes());
    b->state = WAITING;
    exec_restock();
}

static void bring_in(struct resident *b)
{
    struct kept *k = b->kept;
    exec_block = k->block;
    exec_now = k->schedule;
    memcpy(&sync_now, k->sync, sync_bytes());
    blockIdx = k->index;
    sim_threads_tracked = 1;
    if (sim_checked)
        watch_block_begin();
    sim_shared_restore(k->shared);
    restore_stacks(k->stacks);
    exec_restock();
    free(k->stacks);
    free(k);
    b->kept = NULL;
    sync_grid_release();
}

enum exec_next resident_next(bool over)
{
    if (over)
        blocks[current].state = OVER;
    else
        put_aside(&blocks[current]);
    for (unsigned i = 0; i < count; i++) {
        current = (current + 1) % count;
        if (current == 0 && sim_checked)
            watch_grid_barrier(); /* all have had their turn */
        if (blocks[current].state == NOT_BEGUN) {
            exec_begin_block(current);
            return EXEC_BEGUN;
        }
        if (blocks[current].state == WAITING) {
            bring_in(&blocks[current]);
            return EXEC_PARKED;
        }
    }
    return EXEC_DONE;
}

void resident_end(void)
{
    for (unsigned i = 0; blocks && i < count; i++)
        if (blocks[i].kept) {
            free(blocks[i].kept->shared);
            free(blocks[i].kept->stacks);
            free(blocks[i].kept);
        }
    free(blocks);
    blocks = NULL;
}
