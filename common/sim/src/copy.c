/* SPDX-License-Identifier: MIT */
/*
 * Copies and fills: checked when asked for, done in stream order.
 *
 *   pageable -> device   the source is staged at once, and the call may return before the device has it;
 *                        a large one is done when the call returns
 *   device -> pageable   done when the call returns, even from an Async call
 *   pinned  <-> device   touched only when the stream gets there: what the host does in between shows
 */
#include <string.h>
#include "check.h"

/* ---- where an address is ---- */

enum place { PAGEABLE, PINNED, MANAGED, DEVICE, NOWHERE };

static enum place place_of(const void *p)
{
    const struct sim_block *b = sim_find(p);
    if (!b)
        return sim_in_device_range(p) ? NOWHERE : PAGEABLE;
    if (!b->live)
        return NOWHERE;
    switch (b->kind) {
    case SIM_PINNED:
    case SIM_REGISTERED:
        return PINNED;
    case SIM_MANAGED:
        return MANAGED;
    case SIM_ARRAY:
    case SIM_HEAP:
        return NOWHERE;
    case SIM_MAPPED:
        return b->flags ? DEVICE : NOWHERE;
    case SIM_SYMBOL:
        return b->flags == SIM_SPACE_MANAGED ? MANAGED : b->used ? DEVICE : PAGEABLE;
    default:
        return DEVICE;
    }
}

static const char *const place_names[] = {"pageable host memory", "pinned host memory", "managed memory",
                                          "device memory", "nothing that a copy can reach"};

bool sim_is_pageable(const void *p)
{
    return place_of(p) == PAGEABLE;
}

cudaError_t sim_check_range(const void *p, size_t bytes, const char *role)
{
    const struct sim_block *b = sim_find(p);
    size_t offset = b ? (size_t)((const char *)p - b->base) : 0;
    if ((!b && !sim_in_device_range(p)) || (b && b->kind == SIM_SYMBOL && !b->used))
        return p ? cudaSuccess : cudaErrorInvalidValue;
    bool inside = b && b->live && offset <= b->bytes, writes = !strcmp(role, "destination");
    size_t room = !inside ? 0 : b->kind == SIM_MAPPED ? sim_vmm_reach(b, p, writes) : b->bytes - offset;
    if (inside && bytes <= room)
        return cudaSuccess;
    struct sim_report r = sim_report("range", "%s: %zu bytes at the %s are not all in one live block",
                                     sim_call.api, bytes, role);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, role, "%s", sim_what(p));
    if (room)
        sim_report_line(r, "room", "%zu bytes from there to its end", room);
    bool in_elements = b && b->live && b->bytes < bytes && bytes % b->bytes == 0 && bytes / b->bytes <= 16;
    if (in_elements)
        sim_report_line(r, "why", "%zu times too small: was the size given in elements, without * sizeof?",
                        bytes / b->bytes);
    else if (b && b->live)
        sim_report_line(r, "why", "the size, the place where it begins or the number of rows is too large");
    sim_report_line(r, "note", "nothing was written");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

/* A pool's block may be another's by now, but its pages are there as long as their segment names it. */
bool sim_is_there(const char *p, size_t bytes)
{
    if (!sim_in_device_range(p) && !sim_is_host_range(p))
        return true;
    const struct sim_block *b = sim_find(p);
    if (!b || b->kind == SIM_POOL)
        return b && b->refs;
    return b->live && bytes <= (b->kind == SIM_MAPPED ? sim_vmm_reach(b, p, false)
                                                      : b->bytes - (size_t)(p - b->base));
}

bool sim_is_gone(const struct sim_op *op, const void *p, size_t bytes)
{
    if (sim_is_there(p, bytes))
        return false;
    struct sim_report r =
        sim_report("use after free", "%s: its memory was freed before it ran", op->call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&op->call));
    if (op->graph.api)
        sim_report_line(r, "in", "the graph launched at %s", sim_where_call(&op->graph));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why",
                    "nothing orders the free behind the work: let the stream that frees wait for an event "
                    "recorded after the last use; from now on every call answers cudaErrorIllegalAddress");
    sim_report_end(r);
    sim_set_sticky(cudaErrorIllegalAddress);
    return true;
}

static bool is_host_place(enum place p)
{
    return p == PAGEABLE || p == PINNED || p == MANAGED;
}

static bool is_device_place(enum place p)
{
    return p == DEVICE || p == MANAGED;
}

/* A device-to-device copy also takes pinned memory, which the device can reach. */
static bool is_reachable(enum place p)
{
    return p != PAGEABLE && p != NOWHERE;
}

cudaError_t sim_check_kind(const void *dst, const void *src, enum cudaMemcpyKind kind)
{
    static const char *const kinds[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice",
                                        "Default"};
    enum place to = place_of(dst), from = place_of(src);
    bool right;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        right = is_device_place(to) && from != NOWHERE;
        break;
    case cudaMemcpyDeviceToHost:
        right = to != NOWHERE && is_device_place(from);
        break;
    case cudaMemcpyDeviceToDevice:
        right = is_reachable(to) && is_reachable(from);
        break;
    case cudaMemcpyHostToHost: /* hardware with unified addressing goes by the addresses here */
    case cudaMemcpyDefault:
        right = to != NOWHERE && from != NOWHERE;
        break;
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
    if (right && dst && src)
        return cudaSuccess;
    struct sim_report r =
        sim_report("direction", "%s: the ends are not where cudaMemcpy%s says", sim_call.api, kinds[kind]);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "to", "%s: %s", place_names[to], sim_what(dst));
    sim_report_line(r, "from", "%s: %s", place_names[from], sim_what(src));
    const struct sim_block *at_dst = sim_find(dst), *at_src = sim_find(src);
    if (to == PAGEABLE && at_dst && at_dst->kind == SIM_SYMBOL)
        sim_report_line(r, "right",
                        "cudaMemcpyToSymbol(%s, ...): on the host its name is not the device's address",
                        at_dst->api);
    else if (from == PAGEABLE && at_src && at_src->kind == SIM_SYMBOL)
        sim_report_line(r, "right",
                        "cudaMemcpyFromSymbol(..., %s): on the host its name is not the device's address",
                        at_src->api);
    else if (is_device_place(to) && is_host_place(from))
        sim_report_line(r, "right", "cudaMemcpyHostToDevice");
    else if (is_host_place(to) && is_device_place(from))
        sim_report_line(r, "right", "cudaMemcpyDeviceToHost");
    sim_report_line(r, "note", "nothing was copied; arguments are (to, from, bytes, direction)");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

/* ---- queueing ---- */

/* Model: a start of 2.5 us, then the rate measured on an H200 for this pair of places, GB/s. */
static void set_model(struct sim_op *op, enum place to, enum place from, size_t bytes)
{
    double rate = 2135; /* device to device, 4270 read and written; arrays count as device memory */
    op->engine = SIM_COMPUTE;
    if (is_host_place(from) && !is_host_place(to)) {
        rate = from == PAGEABLE ? 7.1 : 55.3;
        op->engine = SIM_COPY_IN;
    } else if (!is_host_place(from) && is_host_place(to)) {
        rate = to == PAGEABLE ? 11.8 : 55.3;
        op->engine = SIM_COPY_OUT;
    }
    op->model_ns = 2500 + (double)bytes / rate;
}

cudaError_t sim_copy_submit(struct sim_op *op, const void *dst, const void *src, size_t bytes, bool async)
{
    enum place to = place_of(dst), from = place_of(src);
    struct CUstream_st *stream = op->stream;
    set_model(op, to, from, bytes);
    op->node = cudaGraphNodeTypeMemcpy;
    bool captured = sim_capturing(stream);
    sim_op_submit(op);
    if (captured)
        return cudaSuccess;
    unsigned long long seq = op->seq; /* the operation may be gone when the wait is over */
    bool both_device = !is_host_place(to) && !is_host_place(from);
    bool both_host = (to == PAGEABLE || to == PINNED) && (from == PAGEABLE || from == PINNED);
    if (async ? !both_host && to != PAGEABLE : both_device)
        return cudaSuccess;
    cudaError_t e = sim_stream_finish(stream);
    if (!e && from == PAGEABLE && !both_host) /* staged: the host may go on before the device has it */
        watch_host_waited_before(stream, seq);
    else if (!e)
        watch_host_waited(stream, seq);
    return e;
}

cudaError_t sim_fill_submit(struct sim_op *op, const void *dst, size_t bytes, bool async)
{
    enum place place = place_of(dst);
    struct CUstream_st *stream = op->stream;
    op->engine = SIM_COMPUTE;
    op->model_ns = 2500 + (double)bytes / 4552; /* GB/s, measured on an H200 */
    op->node = cudaGraphNodeTypeMemset;
    bool waits = !async && is_host_place(place);
    sim_op_submit(op);
    if (!waits)
        return cudaSuccess;
    unsigned long long seq = op->seq;
    cudaError_t e = sim_stream_finish(stream); /* of memory that the host reaches, cudaMemset waits */
    if (!e)
        watch_host_waited(stream, seq);
    return e;
}

#define MOST_STAGED (4 * MIB)

struct copy {
    void *dst;
    const void *src;
    size_t bytes;
    enum cudaMemcpyKind kind;
    _Alignas(16) char staged[];
};

static void run_copy(struct sim_op *op)
{
    struct copy *c = (void *)op->payload;
    if (sim_is_gone(op, c->dst, c->bytes) || sim_is_gone(op, c->src, c->bytes))
        return;
    sim_memory_unlock();
    memmove(c->dst, c->src, c->bytes);
    watch_copy(c->dst, c->src, c->bytes);
}

static cudaError_t copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t handle, bool async)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    struct CUstream_st *stream;
    cudaError_t e = sim_stream_for_work(handle, &stream);
    if (e)
        return e;
    if (!bytes)
        return async ? cudaSuccess : sim_stream_finish(stream);
    e = sim_check_kind(dst, src, kind);
    if (!e)
        e = sim_check_range(dst, bytes, "destination");
    if (!e)
        e = sim_check_range(src, bytes, "source");
    if (e)
        return e;
    bool pageable = sim_is_pageable(src) && async && !sim_capturing(stream);
    bool stage = pageable && bytes <= MOST_STAGED;
    struct sim_op *op = sim_op_new(stream, run_copy, sizeof(struct copy) + (stage ? bytes : 0));
    if (!op)
        return cudaErrorMemoryAllocation;
    struct copy *c = (void *)op->payload;
    *c = (struct copy){dst, src, bytes, kind};
    if (stage)
        c->src = memcpy(c->staged, src, bytes);
    if (sim_checked) {
        order_op_range(op, dst, bytes, true);
        order_op_range(op, src, bytes, false);
    }
    return sim_copy_submit(op, dst, src, bytes, async && stage == pageable);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy(dst, src, bytes, kind, NULL, false));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy(dst, src, bytes, kind, stream, true));
}

bool sim_copy_params(const struct sim_op *op, struct cudaMemcpy3DParms *p)
{
    const struct copy *c = (const void *)op->payload;
    if (op->run != run_copy)
        return false;
    *p = (struct cudaMemcpy3DParms){.srcPtr = {(void *)c->src, c->bytes, c->bytes, 1},
                                    .dstPtr = {c->dst, c->bytes, c->bytes, 1},
                                    .extent = {c->bytes, 1, 1},
                                    .kind = c->kind};
    return true;
}

/* One device: its peer is itself. */
static cudaError_t copy_peer(void *dst, int to, const void *src, int from, size_t bytes, cudaStream_t stream,
                             bool async)
{
    if (to || from)
        return cudaErrorInvalidDevice;
    return copy(dst, src, bytes, cudaMemcpyDeviceToDevice, stream, async);
}

cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_peer(dst, to, src, from, bytes, NULL, false));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t bytes,
                                cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_peer(dst, to, src, from, bytes, stream, true));
}

/* ---- fills ---- */

struct fill {
    void *dst;
    size_t bytes;
    int value;
};

static void run_fill(struct sim_op *op)
{
    struct fill *f = (void *)op->payload;
    if (sim_is_gone(op, f->dst, f->bytes))
        return;
    sim_memory_unlock();
    memset(f->dst, f->value, f->bytes);
    watch_write(f->dst, f->bytes);
}

static void report_fill(const void *dst)
{
    struct sim_report r = sim_report("fill", "%s: the destination is not memory of the device", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "to", "%s: %s%s", place_names[place_of(dst)], sim_what(dst),
                    dst ? "" : sim_zero_size_call());
    sim_report_line(r, "note", "nothing was written");
    sim_report_end(r);
}

static cudaError_t fill(void *dst, int value, size_t bytes, cudaStream_t handle, bool async)
{
    struct CUstream_st *stream;
    cudaError_t e = sim_stream_for_work(handle, &stream);
    if (e)
        return e;
    if (!bytes)
        return cudaSuccess;
    if (!is_reachable(place_of(dst))) {
        report_fill(dst);
        return cudaErrorInvalidValue;
    }
    e = sim_check_range(dst, bytes, "destination");
    if (e)
        return e;
    struct sim_op *op = sim_op_new(stream, run_fill, sizeof(struct fill));
    if (!op)
        return cudaErrorMemoryAllocation;
    *(struct fill *)(void *)op->payload = (struct fill){dst, bytes, value};
    if (sim_checked)
        order_op_range(op, dst, bytes, true);
    return sim_fill_submit(op, dst, bytes, async);
}

bool sim_fill_params(const struct sim_op *op, struct cudaMemsetParams *p)
{
    const struct fill *f = (const void *)op->payload;
    if (op->run != run_fill)
        return false;
    *p = (struct cudaMemsetParams){f->dst, 0, (unsigned char)f->value, 1, f->bytes, 1};
    return true;
}

void sim_note_fill(const char *api, double value)
{
    if (value == 0)
        return;
    sim_enter_always(api, __builtin_return_address(0));
    struct sim_report r = sim_note("fill value", "note: %s was given %g", api, value);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "it writes bytes: each becomes 0x%02x, and four of them are no such float",
                    (int)value & 0xff);
    sim_report_end(r);
    sim_leave(cudaSuccess);
}

cudaError_t cudaMemset(void *dst, int value, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : fill(dst, value, bytes, NULL, false));
}

cudaError_t cudaMemsetAsync(void *dst, int value, size_t bytes, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : fill(dst, value, bytes, stream, true));
}
