/* SPDX-License-Identifier: MIT */
/*
 * Every access of instrumented code: is there memory, may this side touch it, has anybody written it?
 *
 * A kernel's access to what is not there ends its thread, as the launch then ends with an error; one to what
 * nobody wrote is told and goes on.
 */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include "exec.h"
#include "shadow.h"

__thread bool check_on_device;

static const char *verb(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation on" : how & CHECK_WRITE ? "a write of" : "a read of";
}

static void say_thread(struct sim_report r)
{
    char text[80];
    const sim_launch *l = &sim_running()->launch;
    sim_report_line(r, "thread", "%s of %s, launched at %s:%d", sim_thread_name(text), sim_running()->name,
                    l->site.file ? l->site.file : "?", l->site.line);
}

/* ---- accesses that must not be ---- */

/* The block that the address was most likely meant for: the one it is in, or the nearest below or above. */
static const struct sim_block *meant(const char *p)
{
    for (size_t step = 0; step <= 4096; step += 512) {
        const struct sim_block *b = sim_find(p - step);
        if (b && (b->live || !step))
            return b;
    }
    for (size_t step = 512; step <= 4096; step += 512) {
        const struct sim_block *b = sim_find(p + step);
        if (b && b->live)
            return b;
    }
    return NULL;
}

/* A size that looks like a number of elements: the access is at an element that would fit if it were. */
static const char *size_hint(const struct sim_block *b, const char *p, size_t bytes)
{
    static char text[120];
    size_t element = (size_t)(p - b->base) / bytes;
    if (!b || !b->live || p < b->base || bytes < 2 || element >= b->bytes)
        return NULL;
    if (b->bytes % bytes == 0 && element * bytes == b->bytes)
        return NULL; /* the first element past the end: a loop that runs too far */
    snprintf(text, sizeof text,
             "%zu elements of %zu bytes would need %zu bytes: is * sizeof missing from the size?", b->bytes,
             bytes, b->bytes * bytes);
    return text;
}

static void say_place(struct sim_report r, const char *p)
{
    const struct sim_block *b = meant(p);
    const char *shared = sim_shared_what(p);
    if (shared) {
        sim_report_line(r, "is", "%s", shared);
        return;
    }
    if (!b) {
        sim_report_line(r, "is", "%s", sim_what(p));
        return;
    }
    long offset = (long)(p - b->base);
    if (offset < 0)
        sim_report_line(r, "is", "%ld bytes before the %zu-byte block made by %s at %s", -offset, b->bytes,
                        b->api, sim_where_call(&b->made));
    else
        sim_report_line(r, "is", "%s", sim_what(p));
}

static void bad_access(const char *kind, const char *what, const char *p, size_t bytes, unsigned how,
                       const void *pc, const char *why, cudaError_t error)
{
    struct sim_report r = sim_report_at(kind, pc, "KERNEL %s: %s of %zu bytes %s", sim_running()->name,
                                        how & CHECK_ATOMIC  ? "an atomic operation"
                                        : how & CHECK_WRITE ? "a write"
                                                            : "a read",
                                        bytes, what);
    sim_report_line(r, "at", "%s", sim_where(pc));
    say_thread(r);
    say_place(r, p);
    const char *hint = size_hint(meant(p), p, bytes);
    if (hint)
        sim_report_line(r, "hint", "%s", hint);
    sim_report_line(r, "why", "%s", why);
    sim_report_end(r);
    sim_thread_kill(error);
}

static void nothing_there(const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct sim_block *b = sim_shared_what(p) ? NULL : sim_find(p);
    if (b && !b->live && (size_t)(p - b->base) < b->bytes)
        bad_access("use after free", "that were freed", p, bytes, how, pc,
                   "the block was given back: free it after the last launch that uses it",
                   cudaErrorIllegalAddress);
    bad_access("out of bounds", "out of bounds", p, bytes, how, pc,
               "an index outside 0 to n - 1; does each thread ask `if (i < n)`? On a GPU this may pass in "
               "silence and spoil other data",
               cudaErrorIllegalAddress);
}

static void is_misaligned(const char *p, size_t bytes, unsigned how, const void *pc)
{
    bad_access("misaligned", "at an address that is not a multiple of it", p, bytes, how, pc,
               "a float4 or double2 must lie at a multiple of 16 bytes, any type at a multiple of its size",
               cudaErrorMisalignedAddress);
}

static void unwritten(const char *p, uintptr_t home, size_t bytes, const void *pc)
{
    size_t first = shadow_find(home, bytes, CHECK_UNWRITTEN);
    struct sim_report r = sim_report_at("unwritten", pc, "KERNEL %s: a read of %zu bytes that nobody wrote",
                                        sim_running()->name, bytes);
    sim_report_line(r, "at", "%s", sim_where(pc));
    say_thread(r);
    say_place(r, p + first);
    sim_report_line(
        r, "why", "%s",
        sim_shared_what(p)
            ? "shared memory holds nothing when a block starts: fill it, wait at a barrier, then read"
            : "fresh memory holds anything: copy or set all of it first. Sizes are in bytes, "
              "also cudaMemcpy's and cudaMemset's");
    sim_report_end(r);
    shadow_set(home, bytes, CHECK_WRITTEN); /* once is enough */
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

/* A device variable or registered range that holds `p`, or ends just before it. */
static struct sim_block *outside_block(const char *p)
{
    static struct sim_block *last;
    if (last && last->live && (size_t)(p - last->base) < last->bytes)
        return last;
    struct sim_block *b = sim_host_registered(p);
    if (b)
        last = b;
    return b;
}

static struct sim_block *variable_before(const char *p)
{
    for (size_t step = 4; step <= 256; step += 4) {
        struct sim_block *b = sim_host_registered(p - step);
        if (b)
            return b;
    }
    return NULL;
}

/* The home address of memory that is not in the ranges; 0 when it needs no watching. */
static uintptr_t outside_home(const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct sim_grid *g = sim_running();
    struct sim_block *b = outside_block(p);
    if (b && (size_t)(p - b->base) + bytes <= b->bytes)
        return shadow_home(b) + (uintptr_t)(p - b->base);
    if ((size_t)(p - (const char *)g->args) < g->args_bytes ||
        (!(how & CHECK_WRITE) && is_constant((uintptr_t)p)))
        return 0;
    if ((uintptr_t)p < 4096)
        return 0; /* faults, and is explained there */
    b = b ? b : variable_before(p);
    if (b) {
        struct sim_report r = sim_report_at("out of bounds", pc, "KERNEL %s: %s %zu bytes out of bounds",
                                            g->name, verb(how), bytes);
        sim_report_line(r, "at", "%s", sim_where(pc));
        say_thread(r);
        sim_report_line(r, "is", "byte %ld of the %zu-byte variable %s", (long)(p - b->base), b->bytes,
                        b->api);
        sim_report_line(r, "why", "an index outside 0 to n - 1");
        sim_report_end(r);
        sim_thread_kill(cudaErrorIllegalAddress);
    }
    bad_access("host memory", "in the host's memory", p, bytes, how, pc,
               "a kernel reaches only what CUDA allocated: copy it with cudaMemcpy, or allocate it with "
               "cudaMallocHost or cudaMallocManaged",
               cudaErrorIllegalAddress);
    return 0;
}

/* ---- a kernel's accesses ---- */

static bool is_own_stack(const void *p)
{
    return (uintptr_t)p - (uintptr_t)__builtin_frame_address(0) < 256 << 10;
}

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
    if (bytes <= 16 && home & (bytes - 1) && !(bytes & (bytes - 1)))
        is_misaligned(p, bytes, how, pc);
    bool whole = !(home & 3) && bytes == 4 && *shadow_state(home) == CHECK_WRITTEN * 0x55;
    if (!whole) {
        if (shadow_find(home, bytes, CHECK_NOTHING) < bytes)
            nothing_there(p, bytes, how, pc);
        if (!(how & CHECK_WRITE) || how & CHECK_ATOMIC) {
            if (sim_is_host_range(p))
                host_look_again(p, bytes);
            size_t first = shadow_find(home, bytes, CHECK_UNWRITTEN);
            if (bytes <= 16 ? first < bytes : shadow_find(home, bytes, CHECK_WRITTEN) == bytes)
                unwritten(p, home, bytes, pc);
        }
        if (how & CHECK_WRITE)
            shadow_set(home, bytes, CHECK_WRITTEN);
    }
    if (profile_on)
        profile_access(p, bytes, how, pc);
    race_access(home, p, bytes, how, pc);
}
