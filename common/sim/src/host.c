/* SPDX-License-Identifier: MIT */
/*
 * Host code in the checked build: what it does with pinned and managed memory, and with results.
 *
 * Plain host memory has no shadow. But where a copy brought bytes to it that nobody had written on the
 * device, the place is remembered; host code that reads the pattern there reads a result that is none.
 */
#include <string.h>
#include "shadow.h"

static bool is_fresh(const void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!sim_is_fresh((const char *)p + i))
            return false;
    return true;
}

/* ---- results that are none ---- */

enum { WATCHED = 64 };
static struct watched {
    const char *first;
    size_t bytes;
    size_t offset, whole; /* in what was copied, and how much that was */
    struct sim_call copied;
    struct sim_call made;
} watched[WATCHED];
static int watched_count;
uintptr_t host_watched_first, host_watched_bytes;

static void update_bounds(void)
{
    uintptr_t first = UINTPTR_MAX, end = 0;
    for (int i = 0; i < watched_count; i++) {
        uintptr_t a = (uintptr_t)watched[i].first, b = a + watched[i].bytes;
        first = a < first ? a : first;
        end = b > end ? b : end;
    }
    host_watched_first = watched_count ? first : 0;
    host_watched_bytes = watched_count ? end - first : 0;
}

static void forget(const char *p, size_t bytes)
{
    for (int i = 0; i < watched_count; i++)
        if (watched[i].first < p + bytes && p < watched[i].first + watched[i].bytes)
            watched[i--] = watched[--watched_count];
}

void host_overwritten(const void *p, size_t bytes)
{
    if (!watched_count)
        return;
    forget(p, bytes);
    update_bounds();
}

void host_copied(const void *dst, const void *src, uintptr_t home, size_t bytes)
{
    const struct sim_block *b = sim_find(src);
    for (size_t at = 0; at < bytes && watched_count < WATCHED;) {
        at += shadow_find(home + at, bytes - at, CHECK_UNWRITTEN);
        size_t run = at < bytes ? shadow_find(home + at, bytes - at, CHECK_WRITTEN) : 0;
        if (run >= 4 && is_fresh((const char *)dst + at, run))
            watched[watched_count++] =
                (struct watched){(const char *)dst + at, run, at, bytes, sim_call, b ? b->made : sim_call};
        at += run;
    }
    update_bounds();
}

void host_copied_on(const void *src, uintptr_t home, size_t bytes)
{
    const char *first = src, *end = first + bytes;
    for (int i = 0; i < watched_count; i++) {
        const struct watched *w = &watched[i];
        const char *a = w->first > first ? w->first : first;
        const char *b = w->first + w->bytes < end ? w->first + w->bytes : end;
        for (; a < b; a++)
            if (sim_is_fresh(a))
                shadow_set(home + (size_t)(a - first), 1, CHECK_UNWRITTEN);
    }
}

static void read_nothing(const struct watched *w, size_t bytes, const void *pc)
{
    size_t element = bytes ? bytes : 1, first = w->offset / element, count = w->bytes / element;
    struct sim_report r =
        sim_report_at("result not written", pc, "HOST code read a result that no kernel wrote");
    sim_report_line(r, "at", "%s", sim_where(pc));
    sim_report_line(r, "missing", "elements %zu to %zu of %zu bytes each: %zu of %zu were never written",
                    first, first + count - 1, element, count, w->whole / element);
    sim_report_line(r, "copied", "by %s at %s", w->copied.api, sim_where_call(&w->copied));
    sim_report_line(r, "from", "the block made at %s", sim_where_call(&w->made));
    sim_report_line(
        r, "why", "%s",
        w->offset && w->offset + w->bytes == w->whole
            ? "the last elements have no thread: n / block rounds down, (n + block - 1) / block rounds up"
            : "each element of a result needs a thread that writes it");
    sim_report_end(r);
}

/* ---- pinned and managed memory ---- */

static void pinned_unwritten(const char *p, size_t bytes, const void *pc)
{
    struct sim_report r =
        sim_report_at("unwritten", pc, "HOST code: a read of %zu bytes that nobody wrote", bytes);
    sim_report_line(r, "at", "%s", sim_where(pc));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why", "the result has not been copied here yet, or its copy brought nothing written");
    sim_report_end(r);
    shadow_set((uintptr_t)p, bytes, CHECK_WRITTEN);
}

static void pinned_outside(const char *p, size_t bytes, unsigned how, const void *pc)
{
    const struct sim_block *b = sim_find(p);
    bool freed = b && !b->live && (size_t)(p - b->base) < b->bytes;
    struct sim_report r = sim_report_at(
        freed ? "use after free" : "out of bounds", pc, "HOST code: a %s of %zu bytes %s",
        how & CHECK_WRITE ? "write" : "read", bytes, freed ? "that were freed" : "out of bounds");
    sim_report_line(r, "at", "%s", sim_where(pc));
    check_say_place(r, p);
    sim_report_line(r, "why", "%s",
                    freed ? "the block was given back before" : "an index outside 0 to n - 1");
    sim_report_end(r);
}

static void check_result(const char *p, size_t bytes, const void *pc)
{
    for (int i = 0; i < watched_count; i++) {
        const struct watched *w = &watched[i];
        if ((size_t)(p - w->first) >= w->bytes || !is_fresh(w->first, 4) || !is_fresh(p, bytes))
            continue;
        read_nothing(w, bytes, pc);
        if (has_home((uintptr_t)w->first))
            shadow_set((uintptr_t)w->first, w->bytes, CHECK_WRITTEN); /* once is enough */
        watched[i] = watched[--watched_count];
        update_bounds();
        return;
    }
}

static void check_pinned(const char *p, size_t bytes, unsigned how, const void *pc)
{
    uintptr_t home = (uintptr_t)p;
    if (shadow_find(home, bytes, CHECK_NOTHING) < bytes) {
        pinned_outside(p, bytes, how, pc);
        return;
    }
    bool in_use = watch_host_access(home, p, bytes, how, pc);
    if (how & CHECK_WRITE)
        shadow_set(home, bytes, CHECK_WRITTEN);
    else if (!in_use && shadow_find(home, bytes, CHECK_UNWRITTEN) < bytes && is_fresh(p, bytes))
        pinned_unwritten(p, bytes, pc);
}

void check_host_access(const void *p, size_t bytes, unsigned how, const void *pc)
{
    uintptr_t home = (uintptr_t)p;
    if (home >= DEVICE_HOMES && has_home(home))
        return; /* faults, and is explained there */
    how &= ~(unsigned)CHECK_ANYWHERE;
    sim_enter_always("host code", (void *)pc);
    if (watched_count && !(how & CHECK_WRITE))
        check_result(p, bytes, pc);
    if (has_home(home))
        check_pinned(p, bytes, how, pc);
    else if (order_watched_bytes)
        unordered_host(p, bytes, how, pc);
    sim_leave(cudaSuccess);
}
