/* SPDX-License-Identifier: MIT */
/*
 * Every access of instrumented code: is there memory, may this side touch it, has anybody written it?
 *
 * A kernel's access to what is not there ends its thread, as the launch then ends with an error; one to what
 * nobody wrote is told and goes on.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include "exec.h"
#include "shadow.h"

__thread bool check_on_device;

static const char *noun(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation" : how & CHECK_WRITE ? "a write" : "a read";
}

void check_say_thread(struct sim_report r, uint3 block, uint3 index)
{
    sim_report_line(r, "thread", "block (%u,%u,%u) thread (%u,%u,%u) of %s, launched at %s", block.x,
                    block.y, block.z, index.x, index.y, index.z, sim_running()->name,
                    sim_where_call(&sim_call));
}

/* ---- accesses that must not be ---- */

static size_t distance(const struct sim_block *b, const char *p)
{
    return p < b->base              ? (size_t)(b->base - p)
           : p < b->base + b->bytes ? 0
                                    : (size_t)(p - b->base) - b->bytes;
}

/* A variable lies among other memory of the program: only what is close to it was meant for it. */
enum { VARIABLE_REACH = 64, GIVEN_REACH = 4096 };

struct guess {
    const struct sim_block *block;
    size_t doubt;
};

/* Doubt grows with the distance; fewer indices are below 0 than too large; most go to what the kernel was
 * given. */
static void consider(struct guess *g, const struct sim_block *b, const char *p, bool given)
{
    bool variable = b && (b->kind == SIM_SYMBOL || b->kind == SIM_REGISTERED);
    size_t reach = variable ? (given ? GIVEN_REACH : VARIABLE_REACH) : given ? (size_t)1 << 36 : 1 << 20;
    bool place = b && b->kind != SIM_SEGMENT && b->kind != SIM_RESERVED && b->kind != SIM_PHYSICAL;
    if (!place || distance(b, p) > reach)
        return;
    size_t doubt = (distance(b, p) + 1) * (p < b->base ? 32 : 1) * (given ? 1 : 4);
    if (!g->block || doubt < g->doubt)
        *g = (struct guess){b, doubt};
}

/* The block an address was most likely meant for; NULL when nothing is near. */
static const struct sim_block *meant(const char *p)
{
    const struct sim_block *at = sim_find(p);
    const struct sim_grid *grid = sim_running();
    struct guess g = {0};
    if (at && (size_t)(p - at->base) < at->bytes)
        return at;
    for (int i = 0; grid && i < grid->pointer_count; i++)
        consider(&g, sim_find(grid->pointers[i]), p, true);
    consider(&g, at, p, false);
    for (const struct sim_block *b = sim_live_first(); b->base; b = b->next)
        consider(&g, b, p, false);
    for (size_t step = 4; step <= VARIABLE_REACH && !has_home((uintptr_t)p); step += 4)
        consider(&g, sim_host_registered(p - step), p, false);
    return g.block;
}

void check_say_place(struct sim_report r, const char *p)
{
    const struct sim_block *b = sim_shared_what(p) ? NULL : meant(p);
    if (!b || (size_t)(p - b->base) < b->bytes || sim_reservation(p)) {
        sim_report_line(r, "is", "%s", sim_what(p));
        return;
    }
    bool variable = b->kind == SIM_SYMBOL;
    sim_report_line(r, "is", "%zu bytes %s the %zu-byte %s %s%s%s", distance(b, p),
                    p < b->base ? "before" : "past the end of", b->bytes,
                    variable ? "device variable" : "block made by", b->api, variable ? "" : " at ",
                    variable ? "" : sim_where_call(&b->made));
}

/* A size that looks like a number of elements: as many threads as the block has bytes, or more, were to have
 * one each. */
static void say_size_hint(struct sim_report r, const char *p, size_t bytes)
{
    const struct sim_block *b = sim_shared_what(p) ? NULL : meant(p);
    if (!b || !b->live || p < b->base || bytes < 2)
        return;
    size_t element = (size_t)(p - b->base) / bytes;
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
    if (element < b->bytes && threads >= b->bytes)
        sim_report_line(r, "hint", "%zu elements of %zu bytes would need %zu: is * sizeof missing?", b->bytes,
                        bytes, b->bytes * bytes);
}

static void bad_access(const char *kind, const char *what, const char *p, size_t bytes, unsigned how,
                       const void *pc, const char *why)
{
    bool outside = !strcmp(kind, "out of bounds"), misaligned = !strcmp(kind, "misaligned");
    struct sim_report r =
        sim_report_at(kind, pc, "KERNEL %s: %s of %zu bytes %s", sim_running()->name, noun(how), bytes, what);
    sim_report_line(r, "at", "%s", sim_where(pc));
    check_say_thread(r, blockIdx, threadIdx);
    check_say_place(r, p);
    if (outside)
        say_size_hint(r, p, bytes);
    sim_report_line(r, "why", "%s", why);
    sim_report_end(r);
    sim_thread_kill(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
}

static void nothing_there(const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct sim_block *b = sim_shared_what(p) ? NULL : sim_find(p);
    if (b && !b->live && (size_t)(p - b->base) < b->bytes)
        bad_access("use after free", "that were freed", p, bytes, how, pc,
                   "the block was given back: free it after the last work that uses it");
    if (b && b->live && graph_memory_is(b) && (size_t)(p - b->base) < b->bytes)
        bad_access("use after free", "that no graph holds now", p, bytes, how, pc,
                   "a graph's memory is there from the node that allocates it to the one that frees it, or "
                   "to cudaFree: put edges from the one to its users, and from these to the other");
    if (b && b->kind == SIM_MAPPED && b->live)
        bad_access("no access", "without access to them", p, bytes, how, pc,
                   "a mapping has none before cuMemSetAccess gives it");
    b = meant(p);
    bad_access("out of bounds", "out of bounds", p, bytes, how, pc,
               b && distance(b, p) >= 1 << 20
                   ? "an index far outside: did an int overflow, or a subtraction go below 0?"
                   : "an index outside 0 to n - 1; does each thread ask `if (i < n)`? On a GPU this may pass "
                     "in silence and spoil other data");
}

/* Freed by another thread of the launch, unordered: told as a race, like a use just before the free. */
static bool is_race_with_free(const char *p, size_t bytes)
{
    const struct sim_block *b = sim_find(p);
    return b && b->kind == SIM_HEAP && !b->live && (size_t)(p - b->base) + bytes <= b->bytes &&
           race_unordered((uintptr_t)p, bytes);
}

/* ---- memory outside the three ranges ---- */

struct segment {
    uintptr_t first, end;
};
static struct segment constants[256]; /* what programs and libraries hold read-only */
static int constant_count;

static int note_constants(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        bool constant = (h->p_type == PT_LOAD && !(h->p_flags & PF_W)) || h->p_type == PT_GNU_RELRO;
        uintptr_t first = info->dlpi_addr + h->p_vaddr;
        if (constant && constant_count < 256)
            constants[constant_count++] = (struct segment){first, first + h->p_memsz};
    }
    return 0;
}

static bool is_constant(uintptr_t p)
{
    if (!constant_count)
        dl_iterate_phdr(note_constants, NULL);
    for (int i = 0; i < constant_count; i++)
        if (p - constants[i].first < constants[i].end - constants[i].first)
            return true;
    return false;
}

/* A device variable or registered range that holds `p`. */
static struct sim_block *outside_block(const char *p)
{
    static struct sim_block *last; /* a variable, which never goes */
    if (last && (size_t)(p - last->base) < last->bytes)
        return last;
    struct sim_block *b = sim_host_registered(p);
    if (b && b->kind == SIM_SYMBOL)
        last = b;
    return b;
}

/* The home address of memory that is not in the ranges; 0 when it needs no watching. */
static uintptr_t outside_home(const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct sim_grid *g = sim_running();
    struct sim_block *b = outside_block(p);
    if (b && (size_t)(p - b->base) + bytes <= b->bytes)
        return shadow_home(b, p);
    if ((size_t)(p - (const char *)g->args) < g->args_bytes ||
        (!(how & CHECK_WRITE) && is_constant((uintptr_t)p)))
        return 0;
    if ((uintptr_t)p < 4096)
        return 0; /* it faults, and is explained there */
    if (bytes == sizeof p && !(how & CHECK_WRITE) && sim_shared_what(*(const char *const *)p))
        return 0; /* what the name of a __shared__ array at file scope stands for */
    if (meant(p))
        nothing_there(p, bytes, how, pc);
    bad_access("host memory", "in the host's memory", p, bytes, how, pc,
               "a kernel reaches only what CUDA allocated: copy it with cudaMemcpy, or allocate it with "
               "cudaMallocHost or cudaMallocManaged");
    return 0;
}

/* ---- a kernel's accesses ---- */

void check_access(const void *address, size_t bytes, unsigned how, const void *pc)
{
    const char *p = address;
    uintptr_t home = (uintptr_t)p;
    if (is_own_stack(p)) {
        if (profile_on)
            profile_access(p, bytes, how, pc);
        return;
    }
    if (!has_home(home)) {
        if (is_register(p))
            return;
        home = outside_home(p, bytes, how, pc);
        if (!home)
            return;
    }
    __builtin_prefetch(shadow_cell(home), 1); /* for race_access */
    bool whole = bytes == 4 && !(home & 3) && *shadow_state(home) == CHECK_WRITTEN * 0x55;
    if (!whole || unwritten_copying) {
        if (shadow_find(home, bytes, CHECK_NOTHING) < bytes) {
            if (is_race_with_free(p, bytes)) {
                race_access(home, p, bytes, how & ~CHECK_ANYWHERE, pc);
                return;
            }
            nothing_there(p, bytes, how, pc);
        }
        if (!(how & CHECK_ANYWHERE) && bytes <= 16 && home & (bytes - 1))
            bad_access(
                "misaligned", "at an address that is not a multiple of it", p, bytes, how, pc,
                "a float4 or double2 must lie at a multiple of 16 bytes, any type at a multiple of its "
                "size");
        unwritten_access(home, p, bytes, how, pc);
    }
    if (profile_on)
        profile_access(p, bytes, how, pc);
    race_access(home, p, bytes, how & ~CHECK_ANYWHERE, pc);
}
