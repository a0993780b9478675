/* SPDX-License-Identifier: MIT */
/*
 * Calls by chance, against a simple model (model.h) of the runtime: what each must answer, the last error,
 * what every buffer holds, how much memory is in use. An input is a row of calls, eight bytes each.
 *
 *   orderly inputs  (last byte odd) make no mistake and order what they do: the checked build finds nothing
 *   the others      have wrong arguments, freed pointers, dead handles, work that nothing orders
 */
#include "model.h"
#include <sim/check.h>

static const size_t sizes[] = {1, 7, 64, 511, 512, 513, 1000, 4096, 1 << 20, (1 << 20) + 1, 3 << 20};
static const size_t too_much[] = {(size_t)1 << 50, (size_t)1 << 60, SIZE_MAX, SIZE_MAX - 511};

static int stream_of(unsigned which)
{
    int s = (int)(which % STREAMS);
    return orderly && !streams[s].live ? 0 : s;
}

static void appear(struct memory *m, void *p, size_t bytes, enum kind kind, int owner)
{
    *m = (struct memory){.p = p, .bytes = bytes, .kind = kind, .live = p != NULL, .owner = owner};
    memset(m->value, kind == MANAGED ? 0 : FRESH_BYTE, TRACKED);
    memset(m->state, racing ? UNKNOWN : kind == MANAGED ? WRITTEN : FRESH, TRACKED);
    if ((p == NULL) != (bytes == 0))
        fail("gives %p", p);
}

static void allocate(void)
{
    struct memory *m = &memory[args[1] % BLOCKS];
    int wild = !orderly && args[2] >= 240, none = wild && args[2] < 244, huge = wild && args[2] >= 252;
    size_t bytes = sizes[args[2] % 11], flags = !orderly && args[4] >= 250 ? 0x100 : 0;
    int how = args[3] % 5, s = how == 4 ? stream_of(args[4]) : 0, i = (int)(m - memory);
    void *p = (void *)8, **out = none ? NULL : &p;
    if (m->live)
        return;
    if (huge)
        bytes = too_much[args[3] % 4];
    else if (wild && !none)
        bytes = 0;
    const enum kind kinds[] = {DEVICE, PINNED, PINNED, MANAGED, POOLED};
    want(huge, cudaErrorMemoryAllocation);
    want(none || (flags && (how == 2 || how == 3)), cudaErrorInvalidValue);
    want(how == 4 && !streams[s].live, cudaErrorInvalidResourceHandle);
    const char *to = none ? "NULL" : "&m";
    cudaError_t e;
    if (how == 0)
        say("cudaMalloc(%s%d, %zu)", to, i, bytes), e = cudaMalloc(out, bytes);
    else if (how == 1)
        say("cudaMallocHost(%s%d, %zu)", to, i, bytes), e = cudaMallocHost(out, bytes);
    else if (how == 2)
        say("cudaHostAlloc(%s%d, %zu, %zu)", to, i, bytes, flags),
            e = cudaHostAlloc(out, bytes, (unsigned)flags);
    else if (how == 3)
        say("cudaMallocManaged(%s%d, %zu, %zu)", to, i, bytes, flags | 1),
            e = cudaMallocManaged(out, bytes, (unsigned)flags | 1);
    else
        say("cudaMallocAsync(%s%d, %zu, s%d)", to, i, bytes, s),
            e = cudaMallocAsync(out, bytes, streams[s].handle);
    if (!answer(e)) {
        if (huge && p && e == cudaErrorMemoryAllocation)
            fail("fails and gives a pointer");
        return;
    }
    for (int k = 0; k < BLOCKS; k++) /* a dead pointer that is alive again is forgotten */
        if (bytes && !memory[k].live && memory[k].p >= (char *)p && memory[k].p < (char *)p + bytes)
            memory[k] = (struct memory){.owner = HOST};
    appear(m, p, bytes, kinds[how], how == 4 && bytes ? s : HOST);
    if (how == 4)
        streams[s].busy |= bytes != 0;
}

static void release(void)
{
    struct place at = choose(args[1], args[2] < 64 ? args[2] + 64 : 0);
    int how = args[3] % 3, s = stream_of(args[4]), base = at.in && at.in->p == at.p, null = !at.p;
    struct memory *m = base ? at.in : NULL;
    enum kind kind = m ? m->kind : NOTHING;
    if (orderly && (!m || kind == PAGEABLE))
        return;
    if (orderly)
        how = kind == PINNED ? 1 : kind == MANAGED ? 0 : 2 * (args[3] & 1);
    int right = how == 0   ? kind == DEVICE || kind == POOLED || kind == MANAGED
                : how == 1 ? kind == PINNED
                           : kind == DEVICE || kind == POOLED;
    if (right && racing && kind == DEVICE)
        finished(); /* what runs after the free would end the program */
    if (right)
        own(m, how == 2 && streams[s].live ? s : HOST, 3);
    want(!right && !null, cudaErrorInvalidValue);
    want(how == 2 && !streams[s].live, cudaErrorInvalidResourceHandle);
    cudaError_t e;
    if (how == 0)
        say("cudaFree(%s)", at.text), e = cudaFree(at.p);
    else if (how == 1)
        say("cudaFreeHost(%s)", at.text), e = cudaFreeHost(at.p);
    else
        say("cudaFreeAsync(%s, s%d)", at.text, s), e = cudaFreeAsync(at.p, streams[s].handle);
    if (!answer(e) || !m)
        return;
    m->live = 0;
    if (how == 2) {
        leaving += m->bytes;
        streams[s].busy = 1;
        if (m->kind == DEVICE)
            finished(); /* until then it is alive */
    }
}

static const char *const kind_names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                         "cudaMemcpyDefault"};

static int right_kind(int kind, const struct place *to, const struct place *from)
{
    int to_managed = to->in && to->in->kind == MANAGED, from_managed = from->in && from->in->kind == MANAGED;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return on_device(to) || to_managed;
    case cudaMemcpyDeviceToHost:
        return on_device(from) || from_managed;
    case cudaMemcpyDeviceToDevice:
        return !on_host(to) && !on_host(from);
    default:
        return 1;
    }
}

/* Rows of a copy; height 0 stands for a plain one. */
static void copy(int rows)
{
    struct place to = choose(args[1], args[5]), from = choose(args[2], args[6]);
    int async = args[3] & 1, kind = args[3] / 2 % 5, s = async ? stream_of(args[4]) : 0;
    size_t height = rows ? 1 + args[7] % 3 : 1, pitch = 64;
    size_t width = rows ? 1 + args[7] % 64 : args[7] * 5 % 600;
    if (!orderly && args[3] >= 252)
        kind = 9;
    if (orderly && !right_kind(kind, &to, &from))
        kind = cudaMemcpyDefault;
    size_t bytes = width ? (height - 1) * pitch + width : 0;
    int bounded = to.in && from.in && bytes <= room(&to) && bytes <= room(&from);
    if ((!to.in && !(to.p == NULL)) || (!from.in && !(from.p == NULL)))
        if (memory[args[1] % MEMORIES].kind > POOLED || memory[args[2] % MEMORIES].kind > POOLED)
            return; /* freed host memory may be anybody's */
    if ((on_host(&to) && bytes > room(&to)) || (on_host(&from) && bytes > room(&from)))
        return;
    if (orderly && (!bounded || (to.in == from.in)))
        return;
    want(kind == 9, cudaErrorInvalidMemcpyDirection);
    want(!streams[s].live, cudaErrorInvalidResourceHandle);
    want(bytes && (!bounded || (kind != 9 && !right_kind(kind, &to, &from))), cudaErrorInvalidValue);
    if (!want_count && bytes) {
        own(from.in, on_host(&from) ? HOST : s, args[0] / 16);
        own(to.in, on_host(&to) ? HOST : s, args[0] / 32);
        if (!on_host(&from)) /* the second may have waited for all */
            from.in->owner = s;
    }
    const char *name = kind == 9 ? "9" : kind_names[kind];
    enum cudaMemcpyKind k = (enum cudaMemcpyKind)kind;
    cudaStream_t stream = streams[s].handle;
    cudaError_t e;
    int good = !want_count && bytes;
    if (rows && async)
        say("cudaMemcpy2DAsync(%s, 64, %s, 64, %zu, %zu, %s, s%d)", to.text, from.text, width, height, name,
            s),
            e = cudaMemcpy2DAsync(to.p, pitch, from.p, pitch, width, height, k, stream);
    else if (rows)
        say("cudaMemcpy2D(%s, 64, %s, 64, %zu, %zu, %s)", to.text, from.text, width, height, name),
            e = cudaMemcpy2D(to.p, pitch, from.p, pitch, width, height, k);
    else if (async)
        say("cudaMemcpyAsync(%s, %s, %zu, %s, s%d)", to.text, from.text, width, name, s),
            e = cudaMemcpyAsync(to.p, from.p, width, k, stream);
    else
        say("cudaMemcpy(%s, %s, %zu, %s)", to.text, from.text, width, name),
            e = cudaMemcpy(to.p, from.p, width, k);
    answer(e);
    if (!good)
        return;
    for (size_t y = 0; y < height; y++)
        if (to.in == from.in && height > 1)
            put(to.in, (size_t)(to.p - to.in->p) + y * pitch, width, 0, UNKNOWN);
        else
            move(to.in, (size_t)(to.p - to.in->p) + y * pitch, from.in,
                 (size_t)(from.p - from.in->p) + y * pitch, width);
    streams[s].busy = 1;
}

static void fill(void)
{
    struct place to = choose(args[1], args[5]);
    int async = args[3] & 1, rows = args[3] & 2, s = async ? stream_of(args[4]) : 0, value = args[6];
    size_t height = rows ? 1 + args[7] % 3 : 1, width = rows ? 1 + args[7] % 64 : args[7] * 5 % 600;
    size_t bytes = width ? (height - 1) * 64 + width : 0;
    value -= value == FRESH_BYTE;
    int bad = !to.in || bytes > room(&to) || on_host(&to);
    if (orderly && bad)
        return;
    if (!to.in && to.p && memory[args[1] % MEMORIES].kind > POOLED)
        return;
    want(bad && bytes, cudaErrorInvalidValue);
    want(!streams[s].live, cudaErrorInvalidResourceHandle);
    int good = !want_count && bytes;
    if (good)
        own(to.in, s, args[0] / 16);
    cudaStream_t stream = streams[s].handle;
    cudaError_t e;
    if (rows && async)
        say("cudaMemset2DAsync(%s, 64, %d, %zu, %zu, s%d)", to.text, value, width, height, s),
            e = cudaMemset2DAsync(to.p, 64, value, width, height, stream);
    else if (rows)
        say("cudaMemset2D(%s, 64, %d, %zu, %zu)", to.text, value, width, height),
            e = cudaMemset2D(to.p, 64, value, width, height);
    else if (async)
        say("cudaMemsetAsync(%s, %d, %zu, s%d)", to.text, value, width, s),
            e = cudaMemsetAsync(to.p, value, width, stream);
    else
        say("cudaMemset(%s, %d, %zu)", to.text, value, width), e = cudaMemset(to.p, value, width);
    answer(e);
    for (size_t y = 0; good && y < height; y++)
        put(to.in, (size_t)(to.p - to.in->p) + y * 64, width, value, WRITTEN);
    streams[s].busy |= good;
}

static void host_writes(void)
{
    struct memory *m = &memory[args[1] % MEMORIES];
    size_t n = m->bytes < TRACKED ? m->bytes : TRACKED;
    int value = args[2] - (args[2] == FRESH_BYTE);
    if (!m->live || m->kind < PINNED)
        return;
    own(m, HOST, 3);
    say("memset(m%d, %d, %zu)", (int)(m - memory), value, n);
    memset(m->p, value, n);
    put(m, 0, n, value, WRITTEN);
}

static void register_host(void)
{
    struct memory *m = &memory[BLOCKS + args[1] % HOSTS];
    int i = (int)(m - memory), wild = orderly ? 0 : args[3] % 4, off = args[2] & 1;
    if (orderly)
        off = m->registered;
    if (off) {
        if (m->registered)
            own(m, HOST, 3);
        want(!m->registered && wild != 2, cudaErrorHostMemoryNotRegistered);
        want(wild == 1 && m->registered, cudaErrorInvalidValue);
        want(wild == 2, cudaErrorInvalidValue);
        say(wild == 2 ? "cudaHostUnregister(NULL)" : "cudaHostUnregister(m%d + %d)", i, wild == 1);
        if (answer(cudaHostUnregister(wild == 2 ? NULL : m->p + (wild == 1))))
            m->registered = 0;
        return;
    }
    size_t bytes = wild == 1 ? 0 : m->bytes;
    want(m->registered, cudaErrorHostMemoryAlreadyRegistered);
    want(wild, cudaErrorInvalidValue);
    say("cudaHostRegister(m%d%s, %zu, %d)", i, wild == 2 ? " * 0" : "", bytes, wild == 3 ? 0x1000 : 0);
    if (answer(cudaHostRegister(wild == 2 ? NULL : m->p, bytes, wild == 3 ? 0x1000 : 0)))
        m->registered = 1;
}

static void stream_calls(void)
{
    int i = 2 + args[1] % (STREAMS - 2), s = stream_of(args[1]), flags = args[2] % 2;
    cudaStream_t new = NULL;
    if (!streams[i].live && args[3] < 128) {
        want(!orderly && args[2] > 250, cudaErrorInvalidValue);
        flags = !orderly && args[2] > 250 ? 77 : flags;
        say("cudaStreamCreateWithFlags(&s%d, %d)", i, flags);
        if (!answer(cudaStreamCreateWithFlags(&new, (unsigned)flags)))
            return;
        for (int k = 2; k < STREAMS; k++)
            if (streams[k].handle == new)
                streams[k].handle = cudaStreamLegacy, streams[k].live = 0;
        streams[i].handle = new;
        streams[i].live = 1;
        streams[i].blocking = !flags;
        streams[i].busy = 0;
    } else if (args[3] < 160) {
        if (streams[i].handle == cudaStreamLegacy || (orderly && !streams[i].live))
            return;
        finished();
        say("cudaStreamDestroy(s%d)", i); /* of a dead one it is a success, as on hardware */
        answer(cudaStreamDestroy(streams[i].handle));
        streams[i].live = 0;
    } else if (args[3] < 200) {
        want(!streams[s].live, cudaErrorInvalidResourceHandle);
        say("cudaStreamSynchronize(s%d)", s);
        if (answer(cudaStreamSynchronize(streams[s].handle))) {
            streams[s].busy = 0;
            for (int k = 0; k < MEMORIES; k++)
                if (memory[k].owner == s)
                    memory[k].owner = HOST;
        }
    } else {
        want(!streams[s].live, cudaErrorInvalidResourceHandle);
        want(streams[s].live && streams[s].busy, cudaSuccess);
        want(streams[s].live && streams[s].busy, cudaErrorNotReady);
        say("cudaStreamQuery(s%d)", s);
        answer(cudaStreamQuery(streams[s].handle));
    }
}

static void event_calls(void)
{
    int i = 1 + args[1] % (EVENTS - 1), k = 1 + args[2] % (EVENTS - 1), s = stream_of(args[4]);
    int dead = !events[i].live, busy = !dead && events[i].stream != HOST && streams[events[i].stream].busy;
    cudaEvent_t new = NULL, event = events[i].handle;
    float ms;
    if (dead && args[3] < 128) {
        int flags = !orderly && args[2] > 250 ? 99 : args[2] % 2 ? cudaEventDisableTiming : 0;
        want(flags == 99, cudaErrorInvalidValue);
        say("cudaEventCreateWithFlags(&e%d, %d)", i, flags);
        if (!answer(cudaEventCreateWithFlags(&new, (unsigned)flags)))
            return;
        for (int n = 1; n < EVENTS; n++)
            if (events[n].handle == new)
                events[n].handle = NULL;
        events[i].handle = new;
        events[i].live = 1;
        events[i].timed = !flags;
        events[i].stream = HOST;
        return;
    }
    if (orderly && dead)
        return;
    want(dead, cudaErrorInvalidResourceHandle);
    switch (args[3] % 6) {
    case 0:
        say("cudaEventDestroy(e%d)", i);
        if (answer(cudaEventDestroy(event)))
            events[i].live = 0;
        return;
    case 1:
        want(!streams[s].live, cudaErrorInvalidResourceHandle);
        say("cudaEventRecord(e%d, s%d)", i, s);
        if (answer(cudaEventRecord(event, streams[s].handle))) {
            events[i].stream = s;
            streams[s].busy = 1;
        }
        return;
    case 2:
        want(!streams[s].live, cudaErrorInvalidResourceHandle);
        say("cudaStreamWaitEvent(s%d, e%d, 0)", s, i);
        if (answer(cudaStreamWaitEvent(streams[s].handle, event, 0)))
            streams[s].busy = 1;
        return;
    case 3:
        want(busy, cudaSuccess);
        want(busy, cudaErrorNotReady);
        say("cudaEventQuery(e%d)", i);
        answer(cudaEventQuery(event));
        return;
    case 4:
        say("cudaEventSynchronize(e%d)", i);
        answer(cudaEventSynchronize(event));
        return;
    default:
        if (orderly && !events[k].live)
            break;
        int unusable = !events[k].live || (!dead && (events[i].stream == HOST || events[k].stream == HOST ||
                                                     !events[i].timed || !events[k].timed));
        want(unusable, cudaErrorInvalidResourceHandle);
        busy |= events[k].stream != HOST && streams[events[k].stream].busy;
        want(busy && !want_count, cudaErrorNotReady);
        want(busy && want_count == 1 && wanted[0] == cudaErrorNotReady, cudaSuccess);
        say("cudaEventElapsedTime(&ms, e%d, e%d)", i, k);
        answer(cudaEventElapsedTime(&ms, event, events[k].handle));
    }
    want_count = 0;
}

static void ask(void)
{
    struct place at = choose(args[1], args[2]);
    struct cudaPointerAttributes a;
    cudaError_t e;
    switch (args[3] % 4) {
    case 0:
        say("cudaGetLastError()");
        if ((e = cudaGetLastError()) != last)
            fail("answers %s, not %s", cudaGetErrorName(e), cudaGetErrorName(last));
        last = cudaSuccess;
        break;
    case 1:
        say("cudaPeekAtLastError()");
        if ((e = cudaPeekAtLastError()) != last)
            fail("answers %s, not %s", cudaGetErrorName(e), cudaGetErrorName(last));
        break;
    case 2:
        say("cudaPointerGetAttributes(&a, %s)", at.text);
        answer(cudaPointerGetAttributes(&a, at.p));
        int type = !at.in || on_host(&at)   ? cudaMemoryTypeUnregistered
                   : on_device(&at)         ? cudaMemoryTypeDevice
                   : at.in->kind == MANAGED ? cudaMemoryTypeManaged
                                            : cudaMemoryTypeHost;
        if ((int)a.type != type)
            fail("type %d, not %d", (int)a.type, type);
        break;
    default:
        check_books();
    }
}

static void one_call(void)
{
    static void (*const often[])(void) = {allocate,     allocate,    release,     fill,          fill,
                                          stream_calls, event_calls, host_writes, register_host, ask};
    unsigned which = args[0] % 16;
    want_count = 0;
    if (which < 10)
        often[which]();
    else if (which < 14)
        copy(which == 13);
    else if (which == 14)
        verify(&memory[args[1] % MEMORIES]);
    else
        finished();
}

static void begin(void)
{
    memset(memory, 0, sizeof memory);
    memset(streams, 0, sizeof streams);
    memset(events, 0, sizeof events);
    for (int i = 0; i < MEMORIES; i++)
        memory[i].owner = HOST;
    for (int i = 0; i < HOSTS; i++) {
        appear(&memory[BLOCKS + i], host[i], TRACKED, PAGEABLE, HOST);
        memset(host[i], i, TRACKED);
        put(&memory[BLOCKS + i], 0, TRACKED, i, WRITTEN);
    }
    for (int i = 0; i < STREAMS; i++) {
        streams[i].handle = cudaStreamLegacy; /* what a dead one never was is no dead handle */
        streams[i].live = i < 2;
        streams[i].blocking = i == 1;
    }
    for (int i = 2; i < STREAMS; i++)
        streams[i].handle = (cudaStream_t)&streams[i];
    streams[1].handle = cudaStreamPerThread;
    say("cudaEventCreate(&e0)");
    answer(cudaEventCreate(&events[0].handle));
    events[0].live = events[0].timed = 1;
    events[0].stream = HOST;
    size_t now;
    answer(cudaMemGetInfo(&now, &total));
    if (now != total)
        fail("at first %zu bytes are taken", total - now);
}

static void end(void)
{
    finished();
    for (int i = 0; i < MEMORIES; i++)
        verify(&memory[i]);
    check_books();
    for (int i = 0; i < BLOCKS && orderly; i++)
        if (memory[i].live) {
            say("cudaFree%s(m%d)", memory[i].kind == PINNED ? "Host" : "", i);
            answer(memory[i].kind == PINNED ? cudaFreeHost(memory[i].p) : cudaFree(memory[i].p));
            memory[i].live = 0;
        }
    finished();
    if (orderly)
        check_books();
    say("cudaDeviceReset()");
    answer(cudaDeviceReset());
    want(last != cudaSuccess, last);
    answer(cudaGetLastError());
    last = cudaSuccess;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < fuzz_step)
        return 0;
    unsigned before = sim_finding_total();
    orderly = data[size - 1] & 1;
    begin();
    for (args = data; args + fuzz_step <= data + size; args += fuzz_step)
        one_call();
    end();
    struct sim_finding f;
    for (unsigned i = 0; orderly && sim_finding_total() != before && sim_finding_at(i, &f) == 0; i++)
        if (f.latest > before)
            fail("finds something in an orderly program: %s", f.message);
    return 0;
}
