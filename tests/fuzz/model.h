/* SPDX-License-Identifier: MIT */
/*
 * What api.c, which alone includes this, knows of the runtime: blocks and what they hold, streams, events,
 * the last error.
 *
 * Order is kept simple: a buffer belongs to the stream that used it last, or to the host; whoever else wants
 * it waits for that one first. A disorderly input may forget it; then nobody knows what buffers hold.
 */
#ifndef MODEL_H
#define MODEL_H

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"

const size_t fuzz_step = 8;
unsigned long long fuzz_calls;
int fuzz_tell;

enum { BLOCKS = 10, HOSTS = 3, MEMORIES = BLOCKS + HOSTS, STREAMS = 6, EVENTS = 4, TRACKED = 4096 };
enum { FRESH_BYTE = 0xA5 }; /* new memory holds it; never written: by it the checks know an empty result */
enum { HOST = -1 }; /* owner of a buffer that no stream works on; streams 0 and 1 are the default ones */
enum kind { NOTHING, DEVICE, POOLED, PINNED, MANAGED, PAGEABLE };
enum state { FRESH, WRITTEN, UNKNOWN };

static struct memory {
    char *p;
    size_t bytes;
    enum kind kind;
    int live, owner, registered;
    unsigned char value[TRACKED], state[TRACKED]; /* of its first bytes */
} memory[MEMORIES];

static struct {
    cudaStream_t handle;
    int live, blocking, busy; /* busy: there may be work in it that has not run */
} streams[STREAMS];

static struct {
    cudaEvent_t handle;
    int live, timed, stream; /* stream: where it was recorded, or HOST */
} events[EVENTS];

static char host[HOSTS][TRACKED];
static int orderly, racing; /* racing: work without an order has been queued, and may not have run yet */
static cudaError_t last;
static size_t total, leaving; /* leaving: bytes that frees in streams have yet to give back */

static const unsigned char *args; /* of this call */

/* ---- what is said and demanded ---- */

static char said[256];

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(said, sizeof said, format, list);
    va_end(list);
    fuzz_calls++;
    if (fuzz_tell)
        printf("%s;\n", said), fflush(stdout);
}

static void fail(const char *what, ...)
{
    va_list list;
    va_start(list, what);
    printf("// %s: ", said);
    vprintf(what, list);
    printf("\n");
    va_end(list);
    fflush(stdout);
    abort();
}

static cudaError_t wanted[4];
static int want_count;

static void want(int when, cudaError_t e)
{
    if (when && want_count < 4)
        wanted[want_count++] = e;
}

/* One of what was wanted, success when nothing was. */
static int answer(cudaError_t got)
{
    int good = !want_count && !got;
    for (int i = 0; i < want_count; i++)
        good |= got == wanted[i];
    if (!good)
        fail("answers %s, not %s", cudaGetErrorName(got),
             cudaGetErrorName(want_count ? wanted[0] : cudaSuccess));
    want_count = 0;
    if (got && got != cudaErrorNotReady)
        last = got;
    return !got;
}

/* ---- pointers ---- */

struct place {
    char *p;
    char text[32];
    struct memory *in; /* the live buffer it is in, or NULL */
};

static struct place place_at(char *p, const char *text, size_t offset)
{
    struct place at = {.p = p};
    snprintf(at.text, sizeof at.text, "%s + %zu", text, offset);
    for (int i = 0; i < MEMORIES; i++)
        if (memory[i].live && p >= memory[i].p && p < memory[i].p + memory[i].bytes)
            at.in = &memory[i];
    return at;
}

/* By two bytes; a disorderly input has null, dead, foreign and interior ones too. */
static struct place choose(unsigned which, unsigned offset)
{
    char name[8];
    struct memory *m = &memory[which % MEMORIES];
    if (!m->p || (!orderly && which >= 250))
        return place_at(NULL, "(char *)0", 0);
    snprintf(name, sizeof name, "m%d", (int)(m - memory));
    size_t at = offset < 128 ? 0 : offset - 128 < m->bytes ? offset - 128 : 0;
    if (!orderly && offset == 127)
        at = m->bytes - 1;
    return place_at(m->p + at, name, at);
}

static size_t room(const struct place *at)
{
    return at->in ? (size_t)(at->in->p + at->in->bytes - at->p) : 0;
}

static int on_host(const struct place *at)
{
    return at->in && at->in->kind == PAGEABLE && !at->in->registered;
}

static int on_device(const struct place *at)
{
    return at->in && at->in->kind <= POOLED;
}

/* ---- order ---- */

static void finished(void)
{
    want_count = 0;
    say("cudaDeviceSynchronize()");
    answer(cudaDeviceSynchronize());
    for (int i = 0; i < MEMORIES; i++)
        memory[i].owner = HOST;
    for (int i = 0; i < STREAMS; i++)
        streams[i].busy = 0;
    leaving = 0;
    racing = 0;
}

static int is_ordered(int before, int after)
{
    return before == HOST || before == after || (before == 0 && after > 0 && streams[after].blocking) ||
           (after == 0 && streams[before].blocking);
}

/* Make `m` the stream's, or the host's: behind what works on it. */
static void own(struct memory *m, int owner, int how)
{
    int before = m->owner;
    if (!is_ordered(before, owner)) {
        if (!orderly && how % 4 == 0) {
            racing = 1;
            for (int i = 0; i < MEMORIES; i++)
                memset(memory[i].state, UNKNOWN, TRACKED);
        } else if (owner != HOST && how % 4 == 1 && streams[before].live && events[0].live) {
            say("cudaEventRecord(e0, s%d)", before);
            answer(cudaEventRecord(events[0].handle, streams[before].handle));
            say("cudaStreamWaitEvent(s%d, e0, 0)", owner);
            answer(cudaStreamWaitEvent(streams[owner].handle, events[0].handle, 0));
            events[0].stream = before;
            streams[before].busy = streams[owner].busy = 1;
        } else {
            finished();
        }
    }
    m->owner = owner;
}

/* ---- contents ---- */

static void put(struct memory *m, size_t at, size_t bytes, int value, enum state state)
{
    for (size_t i = at; i < at + bytes && i < TRACKED; i++) {
        m->value[i] = (unsigned char)value;
        m->state[i] = (unsigned char)(racing ? UNKNOWN : state);
    }
}

static void move(struct memory *to, size_t at, const struct memory *from, size_t from_at, size_t bytes)
{
    int overlap = to == from && at < from_at + bytes && from_at < at + bytes;
    for (size_t i = 0; i < bytes && at + i < TRACKED; i++) {
        size_t k = from_at + i;
        to->state[at + i] = overlap || racing || k >= TRACKED ? UNKNOWN : from->state[k];
        to->value[at + i] = k < TRACKED ? from->value[k] : 0;
    }
}

static void verify(struct memory *m)
{
    static char back[TRACKED];
    size_t n = m->bytes < TRACKED ? m->bytes : TRACKED;
    const char *p = m->p;
    if (!m->live)
        return;
    own(m, HOST, 3);
    if (m->kind <= POOLED) {
        say("cudaMemcpy(back, m%d, %zu, cudaMemcpyDeviceToHost)", (int)(m - memory), n);
        answer(cudaMemcpy(back, p, n, cudaMemcpyDeviceToHost));
        p = back;
    }
    for (size_t i = 0; i < n; i++)
        if ((m->state[i] == WRITTEN || (m->state[i] == FRESH && !orderly)) &&
            (unsigned char)p[i] != m->value[i])
            fail("byte %zu of m%d is %02x, not %02x", i, (int)(m - memory), (unsigned char)p[i], m->value[i]);
}

/* ---- memory in use ---- */

static void check_books(void)
{
    const size_t mib = 1 << 20;
    size_t large = 0, small = 0, count = 0, pooled = 0, now = 0, all = 0;
    unsigned long long used = 0, reserved = 0;
    cudaMemPool_t pool;
    for (int i = 0; i < BLOCKS; i++) {
        const struct memory *m = &memory[i];
        size_t pages = (m->bytes + 2 * mib - 1) / (2 * mib);
        if (m->live && m->kind == POOLED)
            pooled += m->bytes;
        if (m->live && m->kind == DEVICE && m->bytes > mib)
            large += 2 * mib * pages;
        if (m->live && m->kind == DEVICE && m->bytes <= mib)
            small += m->bytes, count++;
    }
    say("cudaMemGetInfo(&now, &all)");
    answer(cudaMemGetInfo(&now, &all));
    say("cudaDeviceGetDefaultMemPool(&pool, 0)");
    answer(cudaDeviceGetDefaultMemPool(&pool, 0));
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    answer(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    size_t least = large + small, most = large + 2 * mib * count + leaving + 2 * mib * BLOCKS * (leaving > 0);
    if (all != total || now > all || all - now - reserved < least || all - now - reserved > most)
        fail("%zu bytes taken, of which pools have %llu; wanted %zu to %zu", all - now, reserved, least,
             most);
    if (used < pooled || used > pooled + leaving || reserved < used)
        fail("the pool uses %llu of %llu bytes; wanted %zu to %zu", used, reserved, pooled, pooled + leaving);
}

#endif
