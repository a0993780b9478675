/* SPDX-License-Identifier: MIT */
/*
 * Cooperative launches: all blocks are on the device together and can wait for each other.
 *
 * Here they take turns. A block runs until its threads have ended or all wait for the grid; then its
 * state is put aside and the next block's comes in. When every block has had its turn, those that wait
 * have met.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "exec.h"

static struct resident {
    enum { NOT_BEGUN, WAITING, OVER } state;
    struct kept {
        struct exec_block block;
        struct exec_schedule schedule;
        struct sync_state sync;
        uint3 index;
        void *shared;
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

static void put_aside(struct resident *b)
{
    b->kept = malloc(sizeof *b->kept);
    void *shared = sim_shared_save();
    if (!b->kept || !shared) {
        free(shared);
        sim_grid_abort(cudaErrorMemoryAllocation);
    }
    *b->kept = (struct kept){exec_block, exec_now, sync_now, blockIdx, shared};
    b->state = WAITING;
}

static void bring_in(struct resident *b)
{
    exec_block = b->kept->block;
    exec_now = b->kept->schedule;
    sync_now = b->kept->sync;
    blockIdx = b->kept->index;
    sim_threads_tracked = 1;
    if (sim_checked)
        watch_block_begin();
    sim_shared_restore(b->kept->shared);
    free(b->kept);
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
            free(blocks[i].kept);
        }
    free(blocks);
    blocks = NULL;
}
