/* SPDX-License-Identifier: MIT */
/*
 * Recording for the memory profile. Threads run one after another, so what the lanes of a warp would have
 * done together is put together later: each lane keeps a list of its accesses until its warp has met.
 *
 *   lane 0   load a.cu:7  load a.cu:9  load a.cu:9  store a.cu:10 |
 *   lane 1   load a.cu:7  store a.cu:10                           | barrier: merge
 *   ...
 *
 * The lists lie in one reservation of address space; what they may take of it is limited. A launch that wants
 * more is not profiled from there on, and its rows say so.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "profile.h"
#include "shadow.h"

enum { DEEPEST = 64, SITES = 1 << 16, TABLE = 2 * SITES, RECENT = 1 << 10 };
enum { STEP = 64 << 10, STEPS = (512 << 20) / STEP }; /* bytes by which a list grows; in all */
#define LIST_BYTES ((size_t)64 << 20)                 /* of address space, for each */
#define SAME_FRAME ((uintptr_t)1 << 40) /* where the kernel's frame is said to be, in each lane */

bool profile_on;
struct profile_site *profile_sites;
unsigned profile_site_count = 1;
struct profile_kernel *profile_kernels;

static struct profile_lane lanes[SIM_MAX_THREADS];
static const void *passed[SIM_MAX_THREADS][DEEPEST + 1];
static struct profile_kernel *kernel;
static unsigned steps, contexts;
static uint64_t meetings;

/* ---- what cannot be kept ---- */

static void forget_events(void)
{
    for (unsigned t = 0; t < SIM_MAX_THREADS; t++)
        lanes[t].next = lanes[t].first;
}

static void give_up(void)
{
    kernel->incomplete = true;
    profile_on = false;
    forget_events();
}

/* ---- the call tree ---- */

static struct profile_context *new_context(struct profile_context *parent, const void *caller)
{
    struct profile_context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->caller = caller;
    c->number = ++contexts;
    if (parent) {
        c->kernel = parent->kernel;
        c->depth = parent->depth + 1;
        c->parent = parent;
        c->sibling = parent->child;
        parent->child = c;
    }
    return c;
}

static struct profile_context *child_of(struct profile_context *c, const void *caller)
{
    for (struct profile_context *child = c->child; child; child = child->sibling)
        if (child->caller == caller)
            return child;
    return new_context(c, caller);
}

void profile_enter(const void *caller)
{
    struct profile_lane *lane = &lanes[exec_block.thread];
    struct profile_context *c = (struct profile_context *)lane->context;
    if (!c->parent) { /* the kernel itself, which the runtime calls from more than one place */
        lane->stack = (uintptr_t)__builtin_frame_address(0);
        caller = NULL;
    }
    if (lane->deeper || c->depth == DEEPEST) {
        lane->deeper++;
        return;
    }
    if (!c->last || c->last->caller != caller)
        c->last = child_of(c, caller);
    if (!c->last) {
        give_up();
        return;
    }
    lane->context = c->last;
    lane->passed[lane->context->depth] = NULL;
}

void profile_leave(void)
{
    struct profile_lane *lane = &lanes[exec_block.thread];
    if (lane->deeper)
        lane->deeper--;
    else if (lane->context->parent) /* a block that was put aside comes back without its path */
        lane->context = lane->context->parent;
}

/* ---- sites ---- */

static unsigned table[TABLE]; /* open hash table of sites */

static bool is_site(const struct profile_site *s, const struct profile_context *c, const void *pc,
                    size_t bytes, unsigned how)
{
    return s->pc == pc && s->context == c && s->bytes == bytes && s->how == how;
}

static unsigned new_site(const struct profile_context *c, const void *pc, size_t bytes, unsigned how)
{
    static size_t room;
    struct profile_kernel *k = c->kernel;
    if (profile_site_count == SITES)
        return 0;
    struct profile_site *longer = sim_room(profile_sites, profile_site_count, &room, sizeof *longer);
    if (!longer)
        return 0;
    profile_sites = longer;
    unsigned *numbers = sim_room(k->sites, k->count, &k->room, sizeof *numbers);
    if (!numbers)
        return 0;
    k->sites = numbers;
    profile_sites[profile_site_count] =
        (struct profile_site){.pc = pc,
                              .context = c,
                              .bytes = bytes,
                              .how = how,
                              .uncounted = how & OF_STACK && sim_is_header_code(pc)};
    k->sites[k->count++] = profile_site_count;
    k->ordered = false;
    return profile_site_count++;
}

/* The site's number; 0 when there are too many. */
static unsigned find_site(const struct profile_context *c, const void *pc, size_t bytes, unsigned how)
{
    size_t i =
        ((uintptr_t)pc ^ c->number * 0x9e3779b97f4a7c15u ^ bytes << 32 ^ how) * 0x9e3779b97f4a7c15u >> 47;
    while (table[i] && !is_site(&profile_sites[table[i]], c, pc, bytes, how))
        i = (i + 1) % TABLE;
    if (!table[i])
        table[i] = new_site(c, pc, bytes, how);
    return table[i];
}

static inline unsigned site_of(const struct profile_context *c, const void *pc, size_t bytes, unsigned how)
{
    static struct {
        const struct profile_context *context;
        const void *pc;
        size_t bytes;
        unsigned how, site;
    } recent[RECENT];
    unsigned i = ((unsigned)(uintptr_t)pc ^ (unsigned)((uintptr_t)pc >> 10) ^ c->number * 37) % RECENT;
    if (recent[i].pc != pc || recent[i].context != c || recent[i].bytes != bytes || recent[i].how != how) {
        unsigned site = find_site(c, pc, bytes, how);
        if (!site)
            return 0;
        recent[i].context = c;
        recent[i].pc = pc;
        recent[i].bytes = bytes;
        recent[i].how = how;
        recent[i].site = site;
    }
    return recent[i].site;
}

/* ---- events ---- */

static bool open_lists(void)
{
    static char *reserved;
    if (reserved)
        return true;
    char *p = mmap(NULL, SIM_MAX_THREADS * LIST_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    madvise(p, SIM_MAX_THREADS * LIST_BYTES, MADV_DONTDUMP);
    reserved = p;
    for (unsigned t = 0; t < SIM_MAX_THREADS; t++) /* not all in the same lines of the cache */
        lanes[t].first = lanes[t].next = lanes[t].end = (uint64_t *)(p + t * LIST_BYTES + t * 9 % 64 * 64);
    return true;
}

static bool more_room(struct profile_lane *lane)
{
    if (steps == STEPS || (size_t)((char *)lane->end - (char *)lane->first) + 2 * STEP > LIST_BYTES) {
        give_up();
        return false;
    }
    steps++;
    lane->end += STEP / sizeof *lane->end;
    return true;
}

/* What long lists took is given back to the system. */
static void shorten_lists(void)
{
    for (unsigned t = 0; t < exec_block.threads; t++) {
        struct profile_lane *lane = &lanes[t];
        size_t bytes = (size_t)((char *)lane->end - (char *)lane->first);
        if (bytes <= STEP)
            continue;
        char *page = (char *)(((uintptr_t)lane->first + STEP + 4095) & ~(uintptr_t)4095);
        madvise(page, (size_t)((char *)lane->end - page), MADV_DONTNEED);
        steps -= (unsigned)(bytes / STEP - 1);
        lane->end = lane->first + STEP / sizeof *lane->end;
    }
}

static inline void keep(struct profile_lane *lane, unsigned site, uintptr_t address)
{
    if (lane->next == lane->end && !more_room(lane))
        return;
    *lane->next++ = (uint64_t)site << 48 | (address & ~((uintptr_t)0xffff << 48));
}

void profile_access(const void *p, size_t bytes, unsigned how, const void *pc)
{
    struct profile_lane *lane = &lanes[exec_block.thread];
    uintptr_t at = (uintptr_t)p;
    if (!has_home(at) && at - (uintptr_t)__builtin_frame_address(0) < 256 << 10) {
        how |= OF_STACK;
        at += SAME_FRAME - lane->stack;
    }
    unsigned site = site_of(lane->context, pc, bytes, how);
    if (site)
        keep(lane, site, at);
    else
        give_up();
}

/* Backwards is where a loop goes round: its lanes wait there for those that are still inside. */
void profile_pass(const void *pc)
{
    struct profile_lane *lane = &lanes[exec_block.thread];
    const void **passed = &lane->passed[lane->context->depth], *before = *passed;
    if (lane->deeper)
        return;
    *passed = pc;
    if (pc > before)
        return;
    unsigned site = site_of(lane->context, pc, 0, LOOP);
    if (!site) {
        give_up();
        return;
    }
    if (before > profile_sites[site].end) {
        profile_sites[site].end = before;
        kernel->ordered = false;
    }
    keep(lane, site, 0);
}

/* ---- when lanes have met ---- */

static void merge_warp(unsigned w)
{
    for (unsigned l = 0; l < 32; l++)
        if (lanes[32 * w + l].next != lanes[32 * w + l].first) {
            profile_merge(&lanes[32 * w], kernel);
            return;
        }
}

void profile_barrier(void)
{
    for (unsigned w = 0; 32 * w < exec_block.threads; w++)
        merge_warp(w);
}

void profile_warp(unsigned warp, unsigned mask)
{
    if ((mask | sync_now.warps[warp].gone) == ~0u) {
        merge_warp(warp);
        return;
    }
    meetings++;
    for (unsigned l = 0; l < 32 && profile_on; l++)
        if (mask >> l & 1)
            keep(&lanes[32 * warp + l], MEETING, meetings);
}

static void begin_threads(void)
{
    for (unsigned t = 0; t < exec_block.threads; t++) {
        lanes[t].context = kernel->root;
        lanes[t].deeper = 0;
        lanes[t].passed = passed[t];
        passed[t][0] = NULL;
    }
}

void profile_block_begin(void)
{
    profile_barrier(); /* of a block that waits for the grid */
    begin_threads();
}

void profile_block_end(void)
{
    profile_barrier();
    begin_threads();
    shorten_lists();
}

/* ---- grids ---- */

static struct profile_kernel *kernel_named(const char *name)
{
    struct profile_kernel **at = &profile_kernels;
    while (*at && strcmp((*at)->name, name))
        at = &(*at)->next;
    if (*at)
        return *at;
    struct profile_kernel *k = calloc(1, sizeof *k + strlen(name) + 1);
    if (!k || !(k->root = new_context(NULL, NULL))) {
        free(k);
        return NULL;
    }
    k->root->kernel = k;
    strcpy(k->name, name);
    return *at = k;
}

void profile_grid_begin(const struct sim_grid *grid)
{
    if (!profile_wanted || !(kernel = kernel_named(grid->name)))
        return;
    if (!open_lists()) {
        kernel->incomplete = true;
        return;
    }
    profile_on = true;
    begin_threads();
}

void profile_grid_end(void)
{
    if (profile_on)
        forget_events(); /* of a launch that was ended within a block */
    profile_on = false;
}
