/* SPDX-License-Identifier: MIT */
/*
 * Shared memory. Dynamic: one window at a fixed address. Static: a second window, from which each
 * variable takes its place when the first thread of a block reaches its declaration.
 *
 *   0x1ff000000000  | dynamic, 227 KiB | no access |
 *   0x1ff100000000  | static           | no access |
 *
 * What a block finds there is a pattern, never what the block before it left: stale values hide a
 * missing barrier completely.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "shadow.h"

enum { WINDOW = 1 << 20 };
/* Between variables in the checked build, so that an index past one does not land in the next. */
enum { GAP = 128 };
static char *const dynamic_window = SIM_AT(SIM_DYNAMIC_SHARED);
static char *const static_window = SIM_AT(0x1ff100000000);

unsigned long long sim_block_epoch;
static unsigned long long epochs;                      /* handed out */
static size_t dynamic_bytes, static_top, static_bytes; /* static: where the next goes; what they take */
static sim_shared *touched;
static const struct sim_grid *grid;

static bool windows_open(void)
{
    static bool open;
    if (!open) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
        open = mmap(dynamic_window, WINDOW, PROT_READ | PROT_WRITE, flags, -1, 0) == dynamic_window &&
               mmap(static_window, WINDOW, PROT_READ | PROT_WRITE, flags, -1, 0) == static_window;
    }
    return open;
}

/* Only what the launch asked for, up to a page, can be touched: a forgotten third launch parameter is found.
 */
void sim_shared_begin(const struct sim_grid *g)
{
    static size_t open_bytes = WINDOW;
    grid = g;
    dynamic_bytes = windows_open() ? g->launch.shared_bytes : 0;
    size_t wanted = (dynamic_bytes + 4095) & ~(size_t)4095;
    if (wanted == open_bytes || !windows_open())
        return;
    mprotect(dynamic_window, WINDOW, PROT_NONE);
    mprotect(dynamic_window, wanted, PROT_READ | PROT_WRITE);
    open_bytes = wanted;
}

/* The variable whose place ends nearest below `p`, or that holds it. */
static const sim_shared *static_variable(const char *p)
{
    const sim_shared *best = NULL;
    for (const sim_shared *v = touched; v; v = v->next)
        if ((const char *)v->address <= p && (!best || v->address > best->address))
            best = v;
    return best;
}

const char *sim_shared_what(const void *p)
{
    static char text[160];
    long offset = (long)((const char *)p - dynamic_window);
    if (offset >= -WINDOW && offset < 4 * WINDOW) {
        snprintf(text, sizeof text, "byte %ld of dynamic shared memory; the launch gave a block %zu bytes",
                 offset, dynamic_bytes);
        return text;
    }
    offset = (long)((const char *)p - static_window);
    if (offset < -WINDOW || offset >= 4 * WINDOW)
        return NULL;
    const sim_shared *v = static_variable(p);
    if (v)
        snprintf(text, sizeof text, "byte %ld of a __shared__ variable of %zu bytes",
                 (long)((const char *)p - (char *)v->address), v->bytes);
    else
        snprintf(text, sizeof text, "byte %ld of static shared memory; the block has %zu bytes of it", offset,
                 static_bytes);
    return text;
}

void sim_shared_block(void)
{
    sim_block_epoch = ++epochs;
    if (sim_checked)
        shadow_set((uintptr_t)static_window, static_top, CHECK_NOTHING);
    static_top = static_bytes = 0;
    touched = NULL;
    if (dynamic_bytes)
        memset(dynamic_window, SIM_FRESH, dynamic_bytes);
    if (sim_checked)
        shadow_set((uintptr_t)dynamic_window, dynamic_bytes, CHECK_UNWRITTEN);
}

void sim_shared_touch(sim_shared *v)
{
    size_t at = (static_top + v->align - 1) & ~(v->align - 1);
    if (sim_checked)
        at = (at + GAP + GAP - 1) & ~(size_t)(GAP - 1);
    static_bytes = (static_bytes + v->align - 1) & ~(v->align - 1);
    if (!grid || static_bytes + v->bytes + dynamic_bytes > SIM_SHARED_OPTIN || at + v->bytes > WINDOW ||
        !windows_open()) {
        struct sim_report r = sim_report("shared", "too much shared memory in one block");
        sim_report_line(r, "asked", "%zu bytes static and %zu dynamic; a block has %d",
                        static_bytes + v->bytes, dynamic_bytes, SIM_SHARED_OPTIN);
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchFailure);
    }
    v->address = static_window + at;
    v->epoch = sim_block_epoch;
    v->next = touched;
    touched = v;
    static_top = at + v->bytes;
    static_bytes += v->bytes;
    memset(v->address, SIM_FRESH, v->bytes);
    if (sim_checked)
        shadow_set((uintptr_t)v->address, v->bytes, CHECK_UNWRITTEN);
}

struct saved {
    unsigned long long epoch;
    size_t variables, static_top, static_bytes;
    struct variable {
        sim_shared *variable;
        void *address;
    } * list;
    char *bytes; /* dynamic, then static */
};

void *sim_shared_save(void)
{
    size_t variables = 0;
    for (sim_shared *v = touched; v; v = v->next)
        variables++;
    struct saved *s = malloc(sizeof *s + variables * sizeof *s->list + dynamic_bytes + static_top);
    if (!s)
        return NULL;
    *s = (struct saved){sim_block_epoch, variables,       static_top,
                        static_bytes,    (void *)(s + 1), (char *)((struct variable *)(s + 1) + variables)};
    for (sim_shared *v = touched; v; v = v->next)
        s->list[--variables] = (struct variable){v, v->address};
    memcpy(s->bytes, dynamic_window, dynamic_bytes);
    memcpy(s->bytes + dynamic_bytes, static_window, static_top);
    return s;
}

void sim_shared_restore(void *saved)
{
    struct saved *s = saved;
    sim_block_epoch = s->epoch;
    static_top = s->static_top;
    static_bytes = s->static_bytes;
    touched = NULL;
    for (size_t i = 0; i < s->variables; i++) {
        sim_shared *v = s->list[i].variable;
        v->address = s->list[i].address;
        v->epoch = s->epoch;
        v->next = touched;
        touched = v;
    }
    memcpy(dynamic_window, s->bytes, dynamic_bytes);
    memcpy(static_window, s->bytes + dynamic_bytes, static_top);
    if (sim_checked) { /* what was unwritten is not kept */
        shadow_set((uintptr_t)dynamic_window, dynamic_bytes, CHECK_WRITTEN);
        for (sim_shared *v = touched; v; v = v->next)
            shadow_set((uintptr_t)v->address, v->bytes, CHECK_WRITTEN);
    }
    free(s);
}
