/* SPDX-License-Identifier: MIT */
/*
 * What happens in a run, kept for the page that SIM_REPORT asks for.
 *
 * Memory is bounded: of blocks and of operations at most TIMELINE_MOST are kept. When a list is full, every
 * second record goes and from then on only every second is taken; blocks that live always stay. Sums, peaks
 * and the line of bytes in use know everything that happened.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "profile.h"
#include "stream.h"
#include "timeline.h"

bool timeline_on;

enum { MOST = TIMELINE_MOST, SLOTS = 4 * MOST };
static struct timeline t;
static const char *path;
static pid_t owner; /* a child made by fork writes nothing */
static unsigned long block_stride = 1, op_stride = 1;
static unsigned *slots; /* block index + 1 of each live block, by its base: an open hash table */

static struct timeline_op running; /* kept when it ends */
static bool is_running;

void timeline_start(void)
{
    path = getenv("SIM_REPORT");
    if (!path)
        return;
    if (!sim_ends_in(path, ".html"))
        sim_bad_setting("SIM_REPORT", path, "give the page's file: FILE.html");
    t.blocks = malloc(MOST * sizeof *t.blocks);
    t.ops = malloc(MOST * sizeof *t.ops);
    t.deps = malloc(MOST * sizeof *t.deps);
    t.levels = malloc(MOST * sizeof *t.levels);
    slots = calloc(SLOTS, sizeof *slots);
    if (!t.blocks || !t.ops || !t.deps || !t.levels || !slots) {
        fprintf(stderr, "[sim] %s: no memory for what the report would show\n", path);
        return;
    }
    t.lane_count = 1;
    owner = getpid();
    timeline_on = true;
    profile_want_all();
}

const char *timeline_path(void)
{
    return timeline_on && owner == getpid() ? path : NULL;
}

/* ---- blocks ---- */

/* A pool's first block begins where its segment does. */
static uintptr_t key_of(enum sim_kind kind, uintptr_t base)
{
    return base + (kind == SIM_SEGMENT);
}

/* Of the last block of that key; what was freed stays until the table is filled anew. */
static unsigned *slot_of(uintptr_t key)
{
    size_t i = (key >> 9) * 0x9e3779b97f4a7c15u >> 40;
    for (i %= SLOTS; slots[i]; i = (i + 1) % SLOTS) {
        const struct timeline_block *b = &t.blocks[slots[i] - 1];
        if (key_of(b->kind, b->base) == key)
            break;
    }
    return &slots[i];
}

static void thin_blocks(void)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < t.block_count; i++)
        if (t.blocks[i].died == TIMELINE_LIVES || t.blocks[i].number % block_stride == 0)
            t.blocks[kept++] = t.blocks[i];
    t.block_count = kept;
    memset(slots, 0, SLOTS * sizeof *slots);
    for (unsigned i = 0; i < kept; i++)
        *slot_of(key_of(t.blocks[i].kind, t.blocks[i].base)) = i + 1;
}

static unsigned pages_in_use(void)
{
    return (unsigned)((sim_settings.memory - sim_memory_free()) / SIM_PAGE);
}

static bool is_on_device(enum sim_kind kind)
{
    return kind == SIM_DEVICE || kind == SIM_ARRAY || kind == SIM_POOL || kind == SIM_MAPPED;
}

/* What is in use from this step on, which ends it. */
static void end_step(void)
{
    unsigned pages = pages_in_use();
    if (t.level_count == MOST) {
        for (unsigned i = 0; i < MOST / 2; i++) {
            struct timeline_level a = t.levels[2 * i], b = t.levels[2 * i + 1];
            t.levels[i] = (struct timeline_level){a.step, a.pages > b.pages ? a.pages : b.pages,
                                                  a.bytes > b.bytes ? a.bytes : b.bytes};
        }
        t.level_count = MOST / 2;
    }
    t.levels[t.level_count++] = (struct timeline_level){t.steps, pages, t.live};
    if (t.peak < t.live) {
        t.peak = t.live;
        t.peak_step = t.steps;
    }
    if (t.peak_pages < pages)
        t.peak_pages = pages;
    t.steps++;
}

void timeline_block_new(const struct sim_block *b)
{
    bool segment = b->kind == SIM_SEGMENT;
    unsigned long number = segment ? 0 : t.blocks_seen++; /* segments are few, and stay */
    for (; t.block_count == MOST && block_stride < 1 << 24; thin_blocks())
        block_stride *= 2;
    if (t.block_count < MOST) {
        unsigned *slot = slot_of(key_of(b->kind, (uintptr_t)b->base));
        t.blocks[t.block_count++] = (struct timeline_block){.base = (uintptr_t)b->base,
                                                            .bytes = b->bytes,
                                                            .kind = b->kind,
                                                            .born = t.steps,
                                                            .died = TIMELINE_LIVES,
                                                            .number = number,
                                                            .made = b->made};
        *slot = t.block_count;
    }
    if (is_on_device(b->kind))
        t.live += b->bytes;
    if (!segment)
        end_step();
    if (is_running)
        running.what = TIMELINE_ALLOC;
}

void timeline_block_free(const struct sim_block *b)
{
    unsigned *slot = slot_of(key_of(b->kind, (uintptr_t)b->base));
    struct timeline_block *kept = *slot ? &t.blocks[*slot - 1] : NULL;
    if (kept && kept->died == TIMELINE_LIVES) {
        kept->died = t.steps;
        kept->freed = b->freed;
        kept->freed.api = b->freed.api ? b->freed.api : sim_call.api;
    }
    if (is_on_device(b->kind))
        t.live -= b->bytes < t.live ? b->bytes : t.live;
    if (b->kind != SIM_SEGMENT) {
        t.frees++;
        end_step();
    }
    if (is_running)
        running.what = TIMELINE_FREE;
}

void timeline_pages(void)
{
    if (t.level_count)
        t.levels[t.level_count - 1].pages = pages_in_use();
}

/* ---- operations ---- */

static unsigned lane_of(const struct CUstream_st *s)
{
    static unsigned last;
    if (last && t.lanes[last].id == s->id)
        return last;
    for (last = 1; last < t.lane_count; last++)
        if (t.lanes[last].id == s->id)
            return last;
    if (t.lane_count == TIMELINE_LANES)
        return last = TIMELINE_LANES - 1;
    t.lanes[t.lane_count++] = (struct timeline_lane){.id = s->id,
                                                     .flags = s->flags,
                                                     .priority = s->priority,
                                                     .is_default = sim_stream(cudaStreamLegacy) == s,
                                                     .of_thread = s->of_thread,
                                                     .of_graph = s->of_graph};
    return last;
}

static void keep(const struct timeline_op *op)
{
    unsigned long number = t.ops_seen++;
    if (t.op_count == MOST) {
        unsigned kept = 0;
        op_stride *= 2;
        for (unsigned i = 0; i < MOST; i++)
            if (t.ops[i].number % op_stride == 0)
                t.ops[kept++] = t.ops[i];
        t.op_count = kept;
    }
    if (number % op_stride)
        return;
    t.ops[t.op_count] = *op;
    t.ops[t.op_count++].number = number;
}

void timeline_op_submit(const struct sim_op *op)
{
    t.submitted++;
    unsigned lane = lane_of(op->stream);
    for (int i = 0; i < op->dep_count; i++, t.deps_seen++)
        if (t.dep_count < MOST)
            t.deps[t.dep_count++] =
                (struct timeline_dep){lane, lane_of(op->deps[i].stream), op->seq, op->deps[i].seq};
}

static enum timeline_what kind_of(const struct sim_op *op)
{
    return sim_op_grid(op)                              ? TIMELINE_KERNEL
           : op->node == cudaGraphNodeTypeEventRecord ? TIMELINE_MARK
           : op->node == cudaGraphNodeTypeHost        ? TIMELINE_CALL
                                                      : TIMELINE_WAIT;
}

void timeline_op_begin(const struct sim_op *op)
{
    const struct sim_grid *g = sim_op_grid(op);
    is_running = true;
    running = (struct timeline_op){.what = kind_of(op),
                                   .lane = lane_of(op->stream),
                                   .step = t.steps,
                                   .seq = op->seq,
                                   .start_ns = op->start_ns,
                                   .end_ns = op->end_ns,
                                   .call = op->call};
    if (g) {
        running.name = g->name;
        running.grid = g->launch.grid;
        running.block = g->launch.block;
        running.bytes = g->launch.shared_bytes;
        running.call.site = g->launch.site;
    }
}

static const char *place_name(const void *p)
{
    const struct sim_block *b = sim_find(p);
    if (sim_in_device_range(p) || (b && b->kind == SIM_SYMBOL))
        return "device";
    return !b ? "pageable host" : b->kind == SIM_MANAGED ? "managed" : "pinned host";
}

void timeline_copy(const void *dst, const void *src, size_t bytes)
{
    if (!is_running || running.what == TIMELINE_KERNEL)
        return;
    if (!running.bytes) {
        running.what = src ? TIMELINE_COPY : TIMELINE_FILL;
        running.to = place_name(dst);
        running.from = src ? place_name(src) : NULL;
    }
    running.bytes += bytes;
}

void timeline_op_end(void)
{
    if (!is_running)
        return; /* it took the device down, and what it did is kept */
    is_running = false;
    t.ran++;
    t.launches += running.what == TIMELINE_KERNEL;
    t.copies += running.what == TIMELINE_COPY;
    t.fills += running.what == TIMELINE_FILL;
    t.copied += running.what == TIMELINE_COPY ? running.bytes : 0;
    running.failed = sim_sticky() != cudaSuccess;
    keep(&running);
    if (running.what <= TIMELINE_FILL)
        end_step();
}

void timeline_host_clock(double from_ns, double to_ns)
{
    struct timeline_op wait = {.what = TIMELINE_HOST,
                               .lane = TIMELINE_HOST_LANE,
                               .step = t.steps,
                               .start_ns = from_ns,
                               .end_ns = to_ns,
                               .call = sim_call};
    keep(&wait);
}

const struct timeline *timeline_end(void)
{
    thin_blocks();
    return &t;
}
