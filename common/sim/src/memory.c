/* SPDX-License-Identifier: MIT */
/*
 * The card's memory: three ranges of address space, physical pages of 2 MiB, and the blocks in them.
 *
 *   device range   0x200000000000   host code may not touch it: PROT_NONE but while the device works
 *   pinned range   0x1e0000000000   host memory the device can reach (cudaMallocHost)
 *   managed range  0x1c0000000000   both may touch it (cudaMallocManaged)
 *
 * A range is a table with one entry for each 2 MiB of it:
 *
 *   chunk -> one large block (over one or more chunks, more than 1 MiB)
 *         -> or a box of small blocks, in steps of 512 bytes: slot[4096] -> block
 *
 * In the checked build all lies spread out: a chunk, and a slot, has twice the address space of its memory.
 * Behind each block as much is free as the block has, and an index too large or too small meets nothing.
 *
 * As on an H200, small blocks share a page and keep it; large ones take whole pages, wherever they are.
 * Addresses are handed out upwards and come back into use late, so that a stale pointer meets a fault
 * or a record of the freed block. Only the device range counts against SIM_MEMORY.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "check.h"

enum { STEP = 512, SLOTS = SIM_PAGE / STEP, SMALL = 1 << 20, GRAVES = 8192 };
enum { STALE = 0xDD };
/* Large blocks are filled this far from either end, so that a huge one does not take seconds. */
#define FILL_EDGE (64 * MIB)

struct box {
    unsigned used;     /* slots of live blocks */
    unsigned named;    /* slots that name a block, live or dead */
    unsigned top;      /* slots below were handed out once */
    unsigned freed_at; /* value of `frees` at its last one */
    struct sim_block *slot[SLOTS];
};

struct chunk {
    struct sim_block *large;
    struct box *box;
};

struct range {
    char *base;
    size_t space; /* bytes of address space */
    size_t chunks;
    struct chunk *chunk;
    size_t next;  /* where the search for address space goes on */
    size_t box;   /* chunk of the box that small blocks come from, or SIZE_MAX */
    size_t pages; /* in use */
    bool device;
};

static struct range ranges[] = {
    {.base = SIM_AT(0x200000000000), .space = (size_t)1 << (41 - SIM_LOWER), .next = 1, .device = true},
    {.base = SIM_AT(0x1e0000000000), .space = (size_t)1 << (39 - SIM_LOWER), .next = 1},
    {.base = SIM_AT(0x1c0000000000), .space = (size_t)1 << (39 - SIM_LOWER), .next = 1},
};
static struct range *const device = &ranges[0];

static struct sim_block live = {.next = &live, .prev = &live};
static struct sim_block graves = {.next = &graves, .prev = &graves};
static unsigned grave_count, frees;

size_t sim_spread(void)
{
    static size_t spread; /* stays, should a library say only later that it is instrumented */
    if (!spread)
        spread = sim_checked ? 2 : 1;
    return spread;
}

/* Address space of a chunk. */
static size_t room(void)
{
    return SIM_PAGE * sim_spread();
}

static struct range *range_of(enum sim_kind kind)
{
    return kind == SIM_PINNED ? &ranges[1] : kind == SIM_MANAGED ? &ranges[2] : device;
}

static void list_remove(struct sim_block *b)
{
    b->prev->next = b->next;
    b->next->prev = b->prev;
}

static void list_append(struct sim_block *list, struct sim_block *b)
{
    b->next = list;
    b->prev = list->prev;
    list->prev->next = b;
    list->prev = b;
}

/* ---- pages ---- */

static bool range_start(struct range *r)
{
    if (r->chunk)
        return true;
    r->chunks = r->space / room();
    r->chunk = calloc(r->chunks, sizeof *r->chunk); /* pages of it come when they are touched */
    char *base = mmap(r->base, r->space, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (!r->chunk || base != r->base) {
        free(r->chunk);
        r->chunk = NULL;
        fprintf(stderr, "[sim] cannot reserve address space at %p: is `ulimit -v` set?\n", (void *)r->base);
        return false;
    }
    madvise(base, r->space, MADV_HUGEPAGE); /* opening and closing is 100 times cheaper so */
    r->box = SIZE_MAX;
    return true;
}

static void forget(struct sim_block *dead)
{
    if (dead->kind == SIM_SEGMENT)
        sim_pool_forget(dead);
    if (dead->kind == SIM_RESERVED)
        sim_vmm_forget(dead);
    list_remove(dead);
    free(dead);
    grave_count--;
}

static void unname(struct sim_block *b)
{
    if (b && --b->refs == 0 && !b->live)
        forget(b);
}

static void chunk_clear(struct chunk *c)
{
    unname(c->large);
    c->large = NULL;
    if (c->box) {
        for (unsigned i = 0; i < SLOTS; i++)
            unname(c->box->slot[i]);
        free(c->box);
        c->box = NULL;
    }
}

static bool chunk_busy(const struct range *r, size_t i)
{
    const struct chunk *c = &r->chunk[i];
    return (c->large && c->large->live) || (c->box && (c->box->used || i == r->box));
}

/* `count` chunks in a row without a live block, looked for upwards from where the last ones were. */
static size_t find_space(struct range *r, size_t count, size_t alignment)
{
    for (int turn = 0; turn < 2; turn++) {
        size_t from = turn ? 0 : r->next, have = 0;
        for (size_t i = from; i < r->chunks; i++) {
            have = chunk_busy(r, i) ? 0 : have + 1;
            if (have >= count && (i + 1 - count) * room() % alignment == 0)
                return i + 1 - count;
        }
    }
    return SIZE_MAX;
}

/* Take pages and address space for `count` chunks; SIZE_MAX when either runs out. All of it is mapped, gaps
 * too, so that neighbours are opened and closed as one. */
static size_t take_chunks(struct range *r, size_t count)
{
    size_t open = count * room();
    if (count > r->chunks || (r->device && count > sim_settings.memory / SIM_PAGE - r->pages))
        return SIZE_MAX;
    size_t first = find_space(r, count, 1);
    if (first == SIZE_MAX)
        return SIZE_MAX;
    char *base = r->base + first * room();
    if (r->device && !sim_memory_map(base, base + open))
        return SIZE_MAX;
    if (mprotect(base, open, PROT_READ | PROT_WRITE)) {
        if (r->device)
            sim_memory_unmap(base, base + open);
        return SIZE_MAX;
    }
    for (size_t i = first; i < first + count; i++)
        chunk_clear(&r->chunk[i]);
    r->next = first + count;
    r->pages += count;
    return first;
}

static void give_chunks(struct range *r, size_t first, size_t count)
{
    char *base = r->base + first * room();
    size_t open = count * room();
    watch_pages_go(base, open);
    madvise(base, open, MADV_DONTNEED);
    mprotect(base, open, PROT_NONE);
    if (r->device)
        sim_memory_unmap(base, base + open);
    r->pages -= count;
}

/* Protect the pages of a block; device memory that is open stays so. */
static void protect(const struct range *r, char *p, size_t bytes, int protection)
{
    if (r->device && sim_memory_unlocked())
        return;
    char *first = p - (size_t)(p - r->base) % SIM_PAGE;
    size_t pages = ((size_t)(p - first) + bytes + SIM_PAGE - 1) / SIM_PAGE;
    mprotect(first, pages * SIM_PAGE, protection);
}

void sim_fill(char *p, size_t bytes, int pattern)
{
    if (bytes <= 2 * FILL_EDGE) {
        memset(p, pattern, bytes);
    } else {
        memset(p, pattern, FILL_EDGE);
        memset(p + bytes - FILL_EDGE, pattern, FILL_EDGE);
    }
}

static void fill(const struct range *r, char *p, size_t bytes, int pattern)
{
    protect(r, p, bytes, PROT_READ | PROT_WRITE);
    sim_fill(p, bytes, pattern);
    if (r->device)
        protect(r, p, bytes, PROT_NONE);
}

/* ---- small blocks ---- */

/* First run of `count` slots in the box that no live block holds; SLOTS when there is none. */
static unsigned box_find(const struct box *box, unsigned count)
{
    unsigned have = 0;
    for (unsigned i = 0; i < SLOTS; i++) {
        have = box->slot[i] && box->slot[i]->live ? 0 : have + 1;
        if (have == count)
            return i + 1 - count;
    }
    return SLOTS;
}

static void box_name(struct box *box, unsigned first, unsigned count, struct sim_block *b)
{
    for (unsigned i = first; i < first + count; i++) {
        box->named += !box->slot[i];
        unname(box->slot[i]);
        box->slot[i] = b;
        b->refs++;
    }
    box->used += count;
    if (box->top < first + count)
        box->top = first + count;
}

/* Room among freed blocks, in the box whose last free is the longest ago; SIZE_MAX when there is none. */
static size_t find_hole(struct range *r, unsigned count, unsigned *slot)
{
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < r->chunks && c < r->next; c++) {
        struct box *box = r->chunk[c].box;
        if (!box || !box->used || SLOTS - box->used < count ||
            (best != SIZE_MAX && box->freed_at >= r->chunk[best].box->freed_at))
            continue;
        unsigned at = box_find(box, count);
        if (at == SLOTS)
            continue;
        best = c;
        *slot = at;
    }
    return best;
}

/*
 * The current box stays mapped when its last block goes, and its page is not counted meanwhile: to map it
 * anew for every block of a loop would cost a hundred times more.
 */
static bool box_is_idle(const struct range *r)
{
    return r->box != SIZE_MAX && !r->chunk[r->box].box->used;
}

static bool box_has_room(struct range *r, unsigned count)
{
    if (r->box == SIZE_MAX || r->chunk[r->box].box->top + count > SLOTS)
        return false;
    if (!box_is_idle(r))
        return true;
    if (r->device && r->pages == sim_settings.memory / SIM_PAGE)
        return false;
    r->pages++;
    return true;
}

static void leave_box(struct range *r)
{
    size_t c = r->box;
    if (box_is_idle(r)) {
        r->pages++; /* to be given back like any other */
        give_chunks(r, c, 1);
    }
    r->box = SIZE_MAX;
}

static unsigned steps_of(size_t bytes)
{
    return (unsigned)((bytes + STEP - 1) / STEP);
}

/* By an offset in a range. */
static size_t slot_at(size_t offset)
{
    return offset % room() / (STEP * sim_spread());
}

static char *small_new(struct range *r, size_t bytes, struct sim_block *b)
{
    unsigned count = steps_of(bytes), slot = 0;
    size_t c = r->box;
    if (box_has_room(r, count)) {
        slot = r->chunk[c].box->top;
    } else {
        c = find_hole(r, count, &slot);
        struct box *box = c == SIZE_MAX ? calloc(1, sizeof *box) : NULL;
        if (box && (c = take_chunks(r, 1)) != SIZE_MAX) {
            leave_box(r);
            r->chunk[c].box = box;
            r->box = c;
            slot = 0;
        } else {
            free(box);
        }
    }
    if (c == SIZE_MAX)
        return NULL;
    box_name(r->chunk[c].box, slot, count, b);
    return r->base + c * room() + slot * STEP * sim_spread();
}

static void small_free(struct range *r, size_t c, struct sim_block *b)
{
    struct box *box = r->chunk[c].box;
    box->used -= steps_of(b->bytes);
    box->freed_at = ++frees;
    if (box->used)
        return;
    if (r->box == c)
        r->pages--;
    else
        give_chunks(r, c, 1);
}

/* ---- blocks ---- */

static bool is_small(size_t bytes)
{
    return bytes <= SMALL;
}

static size_t chunks_of(size_t bytes)
{
    return (bytes + SIM_PAGE - 1) / SIM_PAGE;
}

cudaError_t sim_block_new(enum sim_kind kind, size_t bytes, struct sim_block **out)
{
    struct range *r = range_of(kind);
    if (bytes > r->space || !range_start(r) || (kind != SIM_SEGMENT && sim_inject_alloc()))
        return cudaErrorMemoryAllocation;
    struct sim_block *b = calloc(1, sizeof *b);
    if (!b)
        return cudaErrorMemoryAllocation;
    *b =
        (struct sim_block){.bytes = bytes, .kind = kind, .live = true, .api = sim_call.api, .made = sim_call};
    if (is_small(bytes)) {
        b->base = small_new(r, bytes, b);
    } else {
        size_t count = chunks_of(bytes), first = take_chunks(r, count);
        for (size_t i = first; first != SIZE_MAX && i < first + count; i++)
            r->chunk[i].large = b;
        b->refs = (unsigned)count;
        b->base = first == SIZE_MAX ? NULL : r->base + first * room();
    }
    if (!b->base) {
        free(b);
        return cudaErrorMemoryAllocation;
    }
    const bool managed = r == &ranges[2]; /* reads zero, as on hardware; new pages do so by themselves */
    if (managed ? is_small(bytes) : kind != SIM_SEGMENT)
        fill(r, b->base, bytes, managed ? 0 : SIM_FRESH);
    else if (r->device)
        protect(r, b->base, chunks_of(bytes) * room(), PROT_NONE);
    list_append(&live, b);
    watch_block_new(b, r == &ranges[2]);
    *out = b;
    return cudaSuccess;
}

/* Drop the record of a dead block and every table entry that names it. */
static void bury_for_good(struct sim_block *b)
{
    struct range *r = range_of(b->kind);
    size_t offset = (size_t)(b->base - r->base);
    struct chunk *c = &r->chunk[offset / room()];
    unsigned left = b->refs;
    for (struct chunk *i = c; left && !is_small(b->bytes); i++)
        if (i->large == b)
            i->large = NULL, left--;
    for (unsigned i = slot_at(offset); left; i++)
        if (c->box->slot[i] == b)
            c->box->slot[i] = NULL, c->box->named--, left--;
    if (c->box && !c->box->used && !c->box->named && c != &r->chunk[r->box]) {
        free(c->box);
        c->box = NULL;
    }
    forget(b);
}

void sim_block_free(struct sim_block *b)
{
    struct range *r = range_of(b->kind);
    size_t first = (size_t)(b->base - r->base) / room();
    b->freed = sim_call;
    watch_block_free(b);
    free(b->hints);
    b->hints = NULL;
    b->live = false;
    list_remove(b);
    list_append(&graves, b);
    if (is_small(b->bytes)) {
        fill(r, b->base, b->bytes, STALE);
        small_free(r, first, b);
    } else {
        give_chunks(r, first, chunks_of(b->bytes));
    }
    watch_pages();
    if (++grave_count > GRAVES)
        bury_for_good(graves.next);
}

/* ---- address space without memory ---- */

static size_t chunks_over(size_t bytes)
{
    return (bytes + room() - 1) / room();
}

/* First chunk of a free place at `hint`; SIZE_MAX when there is none. */
static size_t place_at(const char *hint, size_t count, size_t alignment)
{
    size_t offset = (size_t)(hint - device->base), first = offset / room();
    if (offset >= device->space || offset % room() || offset % alignment || count > device->chunks - first)
        return SIZE_MAX;
    for (size_t i = first; i < first + count; i++)
        if (chunk_busy(device, i))
            return SIZE_MAX;
    return first;
}

struct sim_block *sim_reserve(size_t bytes, size_t alignment, char *hint)
{
    size_t count = chunks_over(bytes), first = place_at(hint, count, alignment);
    if (first == SIZE_MAX)
        first = count > device->chunks ? SIZE_MAX : find_space(device, count, alignment);
    struct sim_block *b = first == SIZE_MAX ? NULL : sim_block_adopt(SIM_RESERVED, NULL, bytes);
    if (!b)
        return NULL;
    b->base = device->base + first * room();
    for (size_t i = first; i < first + count; i++) {
        chunk_clear(&device->chunk[i]);
        device->chunk[i].large = b;
    }
    b->refs = (unsigned)count;
    device->next = first + count + (sim_spread() > 1); /* checked, an index too large meets nothing */
    list_append(&live, b);
    return b;
}

void sim_unreserve(struct sim_block *b)
{
    b->freed = sim_call;
    b->live = false;
    list_remove(b);
    list_append(&graves, b);
    if (++grave_count > GRAVES)
        bury_for_good(graves.next);
}

bool sim_pages_take(size_t count)
{
    if (count > sim_settings.memory / SIM_PAGE - device->pages)
        return false;
    device->pages += count;
    return true;
}

void sim_pages_give(size_t count)
{
    device->pages -= count;
}

struct sim_block *sim_block_adopt(enum sim_kind kind, void *base, size_t bytes)
{
    struct sim_block *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct sim_block){
        .base = base, .bytes = bytes, .kind = kind, .live = true, .api = sim_call.api, .made = sim_call};
    return b;
}

void sim_block_track(struct sim_block *b)
{
    list_append(&live, b);
}

void sim_block_untrack(struct sim_block *b)
{
    list_remove(b);
}

void sim_block_disown(struct sim_block *b)
{
    free(b);
}

struct sim_block *sim_live_first(void)
{
    return live.next;
}

static struct sim_block *find_in(struct range *r, const char *p)
{
    size_t offset = (size_t)(p - r->base);
    if (!r->chunk || offset >= r->space)
        return NULL;
    struct chunk *c = &r->chunk[offset / room()];
    return c->box ? c->box->slot[slot_at(offset)] : c->large;
}

struct sim_block *sim_reservation(const void *p)
{
    struct sim_block *b = find_in(device, p);
    return b && b->kind == SIM_RESERVED && b->live ? b : NULL;
}

struct sim_block *sim_find(const void *p)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct sim_block *b = find_in(&ranges[i], p);
        if (b)
            return sim_heap_is(b)            ? sim_heap_find(p)
                   : b->kind == SIM_SEGMENT  ? sim_pool_find(b, p)
                   : b->kind == SIM_RESERVED ? sim_vmm_find(b, p)
                                             : b;
    }
    return sim_host_registered(p);
}

bool sim_in_device_range(const void *p)
{
    return (size_t)((const char *)p - device->base) < device->space;
}

bool sim_is_host_range(const void *p)
{
    return (size_t)((const char *)p - ranges[1].base) < ranges[1].space ||
           (size_t)((const char *)p - ranges[2].base) < ranges[2].space;
}

bool sim_is_fresh(const void *p)
{
    const unsigned char byte = *(const unsigned char *)p;
    const struct sim_block *b = byte ? NULL : sim_find(p);
    return byte == SIM_FRESH || (b && b->bytes - 2 * FILL_EDGE < b->bytes &&
                                 (size_t)((const char *)p - b->base) - FILL_EDGE < b->bytes - 2 * FILL_EDGE);
}

size_t sim_memory_free(void)
{
    return sim_settings.memory - device->pages * SIM_PAGE;
}

void sim_memory_reset(void)
{
    for (struct sim_block *b = live.next, *next; b != &live; b = next) {
        next = b->next;
        if (b->kind == SIM_POOL)
            list_remove(b); /* its pool's own, and gone with its segment */
        else if (b->kind != SIM_RESERVED && b->kind != SIM_PHYSICAL) /* they outlive a reset */
            sim_block_free(b);
    }
    range_start(device);
}
