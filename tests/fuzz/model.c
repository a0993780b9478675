/* SPDX-License-Identifier: MIT */
/* The model: see model.h. */
#include "model.h"
#include <stdarg.h>

const size_t fuzz_step = 8;
unsigned long long fuzz_calls;
int fuzz_tell;

struct memory memory[MEMORIES];
struct streams streams[STREAMS];
struct events events[EVENTS];
cudaMemPool_t pools[POOLS];
int pool_now, orderly, racing, pool_leaves;
cudaError_t last;
size_t leaving;
const unsigned char *args, *args_end;

static struct bytes contents[MEMORIES];

/* ---- what is said and demanded ---- */

static char said[256];

void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(said, sizeof said, format, list);
    va_end(list);
    fuzz_calls++;
    if (fuzz_tell)
        printf("%s;\n", said), fflush(stdout);
}

void fail(const char *what, ...)
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

void want(int when, cudaError_t e)
{
    if (when && want_count < 4)
        wanted[want_count++] = e;
}

static int is_wanted(cudaError_t got)
{
    int good = !want_count && !got;
    for (int i = 0; i < want_count; i++)
        good |= got == wanted[i];
    if (!good)
        fail("answers %s, not %s", cudaGetErrorName(got),
             cudaGetErrorName(want_count ? wanted[0] : cudaSuccess));
    want_count = 0;
    return !got;
}

int answer(cudaError_t got)
{
    int good = is_wanted(got);
    if (!good && got != cudaErrorNotReady)
        last = got;
    return good;
}

int driver_answer(CUresult got)
{
    return is_wanted((cudaError_t)got);
}

int wanted_count(void)
{
    return want_count;
}

void unwant(void)
{
    want_count = 0;
}

/* ---- pointers ---- */

int number(const struct memory *m)
{
    return (int)(m - memory);
}

static struct place place_at(char *p, const char *text, size_t offset)
{
    struct place at = {.p = p};
    snprintf(at.text, sizeof at.text, "%s + %zu", text, offset);
    for (int i = 0; i < MEMORIES; i++)
        if (memory[i].live && p >= memory[i].p && p < memory[i].p + memory[i].bytes)
            at.in = &memory[i];
    return at;
}

struct place choose(unsigned which, unsigned offset)
{
    char name[8];
    struct memory *m = &memory[which % MEMORIES];
    for (int i = 0; orderly && !m->live && i < MEMORIES; i++)
        m = &memory[(which + (unsigned)i) % MEMORIES];
    if (!m->p || (!orderly && which >= 250))
        return place_at(NULL, "(char *)0", 0);
    snprintf(name, sizeof name, "m%d", number(m));
    size_t at = offset < 128 ? 0 : offset - 128 < m->bytes ? offset - 128 : 0;
    if (!orderly && offset == 127)
        at = m->bytes - 1;
    return place_at(m->p + at, name, at);
}

size_t room(const struct place *at, int access)
{
    return at->in && (at->in->access & access) == access ? (size_t)(at->in->p + at->in->bytes - at->p) : 0;
}

int on_host(const struct place *at)
{
    return at->in && at->in->kind == PAGEABLE && !at->in->registered;
}

int on_device(const struct place *at)
{
    return at->in && at->in->kind <= MAPPED;
}

int stream_of(unsigned which)
{
    int s = (int)(which % STREAMS);
    return orderly && !streams[s].live ? 0 : s;
}

void appear(struct memory *m, void *p, size_t bytes, enum kind kind, int owner)
{
    struct bytes *is = &contents[number(m)];
    *m = (struct memory){
        .p = p, .bytes = bytes, .kind = kind, .live = p != NULL, .access = READ | WRITE, .is = is};
    is->owner = owner;
    memset(is->value, kind == MANAGED ? 0 : FRESH_BYTE, TRACKED);
    memset(is->state, racing ? UNKNOWN : kind == MANAGED ? WRITTEN : FRESH, TRACKED);
    if ((p == NULL) != (bytes == 0))
        fail("gives %p", p);
}

void forget_dead(const char *p, size_t bytes)
{
    for (int i = 0; i < MEMORIES; i++)
        if (bytes && !memory[i].live && memory[i].p >= p && memory[i].p < p + bytes)
            memory[i] = (struct memory){.is = &contents[i]};
}

/* ---- order ---- */

void finished(void)
{
    want_count = 0;
    say("cudaDeviceSynchronize()");
    answer(cudaDeviceSynchronize());
    pool_leaves = 0;
    for (int i = 0; i < MEMORIES; i++) {
        memory[i].is->owner = HOST;
        pool_leaves |= memory[i].live && memory[i].kind == POOLED && memory[i].from == GONE;
    }
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

void own(struct memory *m, int owner, int how)
{
    int before = m->is->owner;
    if (!is_ordered(before, owner)) {
        if (!orderly && how % 4 == 0) {
            racing = 1;
            for (int i = 0; i < MEMORIES; i++)
                memset(memory[i].is->state, UNKNOWN, TRACKED);
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
    m->is->owner = owner;
}

/* ---- contents ---- */

void put(struct memory *m, size_t at, size_t bytes, int value, enum state state)
{
    for (size_t i = at; i < at + bytes && i < TRACKED; i++) {
        m->is->value[i] = (unsigned char)value;
        m->is->state[i] = (unsigned char)(racing ? UNKNOWN : state);
    }
}

void move(struct memory *to, size_t at, const struct memory *from, size_t from_at, size_t bytes)
{
    int overlap = to->is == from->is && at < from_at + bytes && from_at < at + bytes;
    for (size_t i = 0; i < bytes && at + i < TRACKED; i++) {
        size_t k = from_at + i;
        to->is->state[at + i] = overlap || racing || k >= TRACKED ? UNKNOWN : from->is->state[k];
        to->is->value[at + i] = k < TRACKED ? from->is->value[k] : 0;
    }
}

int is_written(const struct memory *m, size_t at, size_t bytes)
{
    for (size_t i = at; i < at + bytes; i++)
        if (i >= TRACKED || m->is->state[i] != WRITTEN)
            return 0;
    return 1;
}

void verify(struct memory *m)
{
    static char back[TRACKED];
    size_t n = m->bytes < TRACKED ? m->bytes : TRACKED;
    const char *p = m->p;
    if (!m->live || !(m->access & READ))
        return;
    own(m, HOST, 3);
    if (m->kind <= MAPPED) {
        say("cudaMemcpy(back, m%d, %zu, cudaMemcpyDeviceToHost)", number(m), n);
        answer(cudaMemcpy(back, p, n, cudaMemcpyDeviceToHost));
        p = back;
    }
    for (size_t i = 0; i < n; i++) {
        int is_known = m->is->state[i] == WRITTEN || (m->is->state[i] == FRESH && !orderly);
        if (is_known && (unsigned char)p[i] != m->is->value[i])
            fail("byte %zu of m%d is %02x, not %02x", i, number(m), (unsigned char)p[i], m->is->value[i]);
    }
}

/* ---- memory in use ---- */

static void check_pool(int i, unsigned long long *reserved)
{
    size_t pooled = 0;
    unsigned long long used = 0;
    for (int k = 0; k < BLOCKS; k++)
        if (memory[k].live && memory[k].kind == POOLED && memory[k].from == i)
            pooled += memory[k].bytes;
    say("cudaMemPoolGetAttribute(p%d, ...)", i);
    answer(cudaMemPoolGetAttribute(pools[i], cudaMemPoolAttrUsedMemCurrent, &used));
    answer(cudaMemPoolGetAttribute(pools[i], cudaMemPoolAttrReservedMemCurrent, reserved));
    if (used < pooled || used > pooled + leaving || *reserved < used)
        fail("the pool uses %llu of %llu bytes; wanted %zu to %zu", used, *reserved, pooled,
             pooled + leaving);
}

void check_books(void)
{
    const size_t mib = 1 << 20, segment = 32 * mib;
    size_t least = space_taken(), most, now = 0, all = 0;
    unsigned long long reserved, pooled = 0;
    most = least + leaving + 2 * mib * BLOCKS * (leaving > 0);
    for (int i = 0; i < BLOCKS; i++) {
        const struct memory *m = &memory[i];
        size_t pages = (m->bytes + 2 * mib - 1) / (2 * mib), whole = 2 * mib * pages;
        if (m->live && m->kind == DEVICE) {
            least += m->bytes > mib ? whole : m->bytes;
            most += whole;
        }
    }
    for (int i = 0; i < POOLS; i++)
        if (pools[i]) {
            check_pool(i, &reserved);
            pooled += reserved;
        }
    most += (pool_leaves ? segment * BLOCKS : 0) + 2 * mib * through;
    say("cudaMemGetInfo(&now, &all)");
    answer(cudaMemGetInfo(&now, &all));
    if (now > all || all - now < least + pooled || all - now > most + pooled)
        fail("%zu bytes taken, of which pools have %llu; wanted %zu to %zu", all - now, pooled, least, most);
}
