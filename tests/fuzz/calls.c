/* SPDX-License-Identifier: MIT */
/* Calls on blocks, copies and fills, streams and events, the last error. Each first says what it wants. */
#include "model.h"

static const size_t sizes[] = {1, 7, 64, 511, 512, 513, 1000, 4096, 1 << 20, (1 << 20) + 1, 3 << 20};
static const size_t too_much[] = {(size_t)1 << 50, (size_t)1 << 60, SIZE_MAX, SIZE_MAX - 511};

void allocate(void)
{
    struct memory *m = &memory[args[1] % BLOCKS];
    int wild = !orderly && args[2] >= 240, none = wild && args[2] < 244, huge = wild && args[2] >= 252;
    size_t bytes = sizes[args[2] % 11], flags = !orderly && args[4] >= 250 ? 0x100 : 0;
    int how = args[3] % 6, s = how >= 4 ? stream_of(args[4]) : 0, i = number(m);
    int pool = how == 5 && pools[1] ? 1 : how == 5 ? 0 : pool_now;
    void *p = (void *)8, **out = none ? NULL : &p;
    if (m->live)
        return;
    if (huge)
        bytes = too_much[args[3] % 4];
    else if (wild && !none)
        bytes = 0;
    const enum kind kinds[] = {DEVICE, PINNED, PINNED, MANAGED, POOLED, POOLED};
    want(huge, cudaErrorMemoryAllocation);
    want(none || (flags && (how == 2 || how == 3)), cudaErrorInvalidValue);
    want(how >= 4 && !streams[s].live, cudaErrorInvalidResourceHandle);
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
    else if (how == 4)
        say("cudaMallocAsync(%s%d, %zu, s%d)", to, i, bytes, s),
            e = cudaMallocAsync(out, bytes, streams[s].handle);
    else
        say("cudaMallocFromPoolAsync(%s%d, %zu, p%d, s%d)", to, i, bytes, pool, s),
            e = cudaMallocFromPoolAsync(out, bytes, pools[pool], streams[s].handle);
    if (!answer(e)) {
        if (huge && p && e == cudaErrorMemoryAllocation)
            fail("fails and gives a pointer");
        return;
    }
    forget_dead(p, bytes);
    appear(m, p, bytes, kinds[how], how >= 4 && bytes ? s : HOST);
    m->from = pool;
    if (how >= 4)
        streams[s].busy |= bytes != 0;
}

void release(void)
{
    struct place at = choose(args[1], args[2] < 64 ? args[2] + 64 : 0);
    int how = args[3] % 3, s = stream_of(args[4]), base = at.in && at.in->p == at.p, null = !at.p;
    struct memory *m = base ? at.in : NULL;
    enum kind kind = m ? m->kind : NOTHING;
    if (orderly && (!m || kind == PAGEABLE || kind == MAPPED))
        return;
    if (orderly)
        how = kind == PINNED ? 1 : kind == MANAGED ? 0 : 2 * (args[3] & 1);
    int right = how == 0   ? kind == DEVICE || kind == POOLED || kind == MANAGED
                : how == 1 ? kind == PINNED
                           : kind == DEVICE || kind == POOLED;
    if (right && racing)
        finished(); /* what runs after the free would be an error for good */
    if (right)
        forget_graphs(m->is);
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

struct copy {
    struct place to, from;
    size_t width, height, depth; /* rows are 64 bytes apart, slices follow each other */
    int kind, async, s;
};

static cudaError_t copy_box(const struct copy *c)
{
    struct cudaMemcpy3DParms p = {.srcPtr = {c->from.p, 64, 64, c->height},
                                  .dstPtr = {c->to.p, 64, 64, c->height},
                                  .extent = {c->width, c->height, c->depth},
                                  .kind = (enum cudaMemcpyKind)c->kind};
    say("cudaMemcpy3D%s({%s, 64, 64, %zu} from {%s, 64, 64, %zu}, {%zu, %zu, %zu}, %d, s%d)",
        c->async ? "Async" : "", c->to.text, c->height, c->from.text, c->height, c->width, c->height,
        c->depth, c->kind, c->s);
    return c->async ? cudaMemcpy3DAsync(&p, streams[c->s].handle) : cudaMemcpy3D(&p);
}

static cudaError_t copy_rows(const struct copy *c)
{
    enum cudaMemcpyKind kind = (enum cudaMemcpyKind)c->kind;
    say("cudaMemcpy2D%s(%s, 64, %s, 64, %zu, %zu, %d, s%d)", c->async ? "Async" : "", c->to.text,
        c->from.text, c->width, c->height, c->kind, c->s);
    return c->async ? cudaMemcpy2DAsync(c->to.p, 64, c->from.p, 64, c->width, c->height, kind,
                                        streams[c->s].handle)
                    : cudaMemcpy2D(c->to.p, 64, c->from.p, 64, c->width, c->height, kind);
}

static cudaError_t copy_peer(const struct copy *c, int device)
{
    say("cudaMemcpyPeer%s(%s, 0, %s, %d, %zu, s%d)", c->async ? "Async" : "", c->to.text, c->from.text,
        device, c->width, c->s);
    return c->async ? cudaMemcpyPeerAsync(c->to.p, 0, c->from.p, device, c->width, streams[c->s].handle)
                    : cudaMemcpyPeer(c->to.p, 0, c->from.p, device, c->width);
}

static cudaError_t copy_plain(const struct copy *c)
{
    const char *name = c->kind == 9 ? "9" : kind_names[c->kind];
    enum cudaMemcpyKind kind = (enum cudaMemcpyKind)c->kind;
    say("cudaMemcpy%s(%s, %s, %zu, %s, s%d)", c->async ? "Async" : "", c->to.text, c->from.text, c->width,
        name, c->s);
    return c->async ? cudaMemcpyAsync(c->to.p, c->from.p, c->width, kind, streams[c->s].handle)
                    : cudaMemcpy(c->to.p, c->from.p, c->width, kind);
}

static void moved(const struct copy *c)
{
    for (size_t y = 0; y < c->height * c->depth; y++) {
        size_t to = (size_t)(c->to.p - c->to.in->p) + y * 64;
        size_t from = (size_t)(c->from.p - c->from.in->p) + y * 64;
        if (c->to.in->is == c->from.in->is && c->height * c->depth > 1)
            put(c->to.in, to, c->width, 0, UNKNOWN);
        else
            move(c->to.in, to, c->from.in, from, c->width);
    }
    streams[c->s].busy = 1;
}

void copy(int rows, int peer)
{
    struct copy c = {choose(args[1], args[5]), choose(args[2], args[6]), args[7] * 5 % 600, 1, 1,
                     peer ? cudaMemcpyDeviceToDevice : args[3] / 2 % 5, args[3] & 1, 0};
    struct memory *to = c.to.in, *from = c.from.in;
    int far = peer && !orderly && args[3] >= 250;
    c.s = c.async ? stream_of(args[4]) : 0;
    if (rows) {
        c.width = 1 + args[7] % 64;
        c.height = 1 + args[7] % 3;
        c.depth = rows > 1 ? 1 + args[7] / 3 % 2 : 1;
    }
    if (!orderly && !peer && args[3] >= 252)
        c.kind = 9;
    if (orderly && !right_kind(c.kind, &c.to, &c.from))
        c.kind = cudaMemcpyDefault;
    if (orderly && peer && !right_kind(cudaMemcpyDeviceToDevice, &c.to, &c.from))
        return;
    size_t bytes = c.width ? (c.height * c.depth - 1) * 64 + c.width : 0;
    int bounded = to && from && bytes <= room(&c.to, WRITE) && bytes <= room(&c.from, READ);
    if ((!to && c.to.p) || (!from && c.from.p))
        if (memory[args[1] % MEMORIES].kind > MAPPED || memory[args[2] % MEMORIES].kind > MAPPED)
            return; /* freed host memory may be anybody's */
    if ((on_host(&c.to) && bytes > room(&c.to, WRITE)) || (on_host(&c.from) && bytes > room(&c.from, READ)))
        return;
    if (orderly && (!bounded || to->is == from->is))
        return;
    want(c.kind == 9, cudaErrorInvalidMemcpyDirection);
    want(far, cudaErrorInvalidDevice);
    want(!streams[c.s].live, cudaErrorInvalidResourceHandle);
    want((bytes || rows > 1) && (!bounded || (c.kind != 9 && !right_kind(c.kind, &c.to, &c.from))),
         cudaErrorInvalidValue);
    int good = !wanted_count() && bytes;
    if (good) {
        own(from, on_host(&c.from) ? HOST : c.s, args[4] >> 4);
        own(to, on_host(&c.to) ? HOST : c.s, args[4] >> 6);
        if (!on_host(&c.from)) /* the second may have waited for all */
            from->is->owner = c.s;
    }
    answer(peer ? copy_peer(&c, far) : rows > 1 ? copy_box(&c) : rows ? copy_rows(&c) : copy_plain(&c));
    if (good)
        moved(&c);
}

static cudaError_t fill_box(const struct place *to, int value, struct cudaExtent n, int async, int s)
{
    struct cudaPitchedPtr p = {to->p, 64, 64, n.height};
    say("cudaMemset3D%s({%s, 64, 64, %zu}, %d, {%zu, %zu, %zu}, s%d)", async ? "Async" : "", to->text,
        n.height, value, n.width, n.height, n.depth, s);
    return async ? cudaMemset3DAsync(p, value, n, streams[s].handle) : cudaMemset3D(p, value, n);
}

void fill(void)
{
    struct place to = choose(args[1], args[5]);
    int async = args[3] & 1, rows = args[3] / 2 % 3, s = async ? stream_of(args[4]) : 0, value = args[6];
    struct cudaExtent n = {args[7] * 5 % 600, 1, 1};
    if (rows)
        n = (struct cudaExtent){1 + args[7] % 64, 1 + args[7] % 3, rows > 1 ? 1 + args[7] / 3 % 2 : 1};
    size_t bytes = n.width ? (n.height * n.depth - 1) * 64 + n.width : 0;
    value -= value == FRESH_BYTE;
    int bad = !to.in || bytes > room(&to, WRITE) || on_host(&to);
    if (orderly && bad)
        return;
    if (!to.in && to.p && memory[args[1] % MEMORIES].kind > MAPPED)
        return;
    want(bad && bytes, cudaErrorInvalidValue);
    want(!streams[s].live, cudaErrorInvalidResourceHandle);
    int good = !wanted_count() && bytes;
    if (good)
        own(to.in, s, args[4] >> 4);
    cudaStream_t stream = streams[s].handle;
    cudaError_t e;
    if (rows > 1)
        e = fill_box(&to, value, n, async, s);
    else if (rows && async)
        say("cudaMemset2DAsync(%s, 64, %d, %zu, %zu, s%d)", to.text, value, n.width, n.height, s),
            e = cudaMemset2DAsync(to.p, 64, value, n.width, n.height, stream);
    else if (rows)
        say("cudaMemset2D(%s, 64, %d, %zu, %zu)", to.text, value, n.width, n.height),
            e = cudaMemset2D(to.p, 64, value, n.width, n.height);
    else if (async)
        say("cudaMemsetAsync(%s, %d, %zu, s%d)", to.text, value, n.width, s),
            e = cudaMemsetAsync(to.p, value, n.width, stream);
    else
        say("cudaMemset(%s, %d, %zu)", to.text, value, n.width), e = cudaMemset(to.p, value, n.width);
    answer(e);
    for (size_t y = 0; good && y < n.height * n.depth; y++)
        put(to.in, (size_t)(to.p - to.in->p) + y * 64, n.width, value, WRITTEN);
    streams[s].busy |= good;
}

void host_writes(void)
{
    struct memory *m = &memory[args[1] % MEMORIES];
    size_t n = m->bytes < TRACKED ? m->bytes : TRACKED;
    int value = args[2] - (args[2] == FRESH_BYTE);
    if (!m->live || m->kind < PINNED)
        return;
    own(m, HOST, 3);
    say("memset(m%d, %d, %zu)", number(m), value, n);
    memset(m->p, value, n);
    put(m, 0, n, value, WRITTEN);
}

void register_host(void)
{
    struct memory *m = &memory[BLOCKS + args[1] % HOSTS];
    int i = number(m), wild = orderly ? 0 : args[3] % 4, off = args[2] & 1;
    if (orderly)
        off = m->registered;
    if (off) {
        if (m->registered)
            forget_graphs(m->is), own(m, HOST, 3);
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

void stream_calls(void)
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
                if (memory[k].is->owner == s)
                    memory[k].is->owner = HOST;
        }
    } else {
        want(!streams[s].live, cudaErrorInvalidResourceHandle);
        want(streams[s].live && streams[s].busy, cudaSuccess);
        want(streams[s].live && streams[s].busy, cudaErrorNotReady);
        say("cudaStreamQuery(s%d)", s);
        answer(cudaStreamQuery(streams[s].handle));
    }
}

void event_calls(void)
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
        if (orderly && unusable)
            break;
        want(unusable, cudaErrorInvalidResourceHandle);
        busy |= events[k].stream != HOST && streams[events[k].stream].busy;
        int early = busy && !wanted_count();
        want(early, cudaErrorNotReady);
        want(early, cudaSuccess);
        say("cudaEventElapsedTime(&ms, e%d, e%d)", i, k);
        answer(cudaEventElapsedTime(&ms, event, events[k].handle));
    }
    unwant();
}

void ask(void)
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
        say("cudaDeviceGraphMemTrim(0)");
        answer(cudaDeviceGraphMemTrim(0));
        check_books();
    }
}
