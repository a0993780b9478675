/* SPDX-License-Identifier: MIT */
/*
 * Copies and fills of rows and boxes. Every form becomes one box with two sides, checked when asked for and
 * done in stream order:
 *
 *     side.at ->  width bytes, pitch bytes to the next row, slice bytes to the next slice
 */
#include <string.h>
#include "array.h"
#include "check.h"

struct side {
    char *at;
    size_t pitch, slice;
    const struct sim_array *array; /* NULL for pitched memory */
};

struct box {
    struct side to, from;
    size_t width, height, depth; /* bytes, rows, slices */
    struct cudaMemcpy3DParms asked;
    _Alignas(16) char staged[];
};

static void move(const struct box *b)
{
    for (size_t z = 0; z < b->depth; z++)
        for (size_t y = 0; y < b->height; y++) {
            char *to = b->to.at + z * b->to.slice + y * b->to.pitch;
            const char *from = b->from.at + z * b->from.slice + y * b->from.pitch;
            memmove(to, from, b->width);
            watch_copy(to, from, b->width);
        }
}

/* ---- checks ---- */

/* Bytes from the first to the last of a box on one side; SIZE_MAX when that is too much. */
static size_t span(const struct side *s, size_t width, size_t height, size_t depth)
{
    size_t rows, slices, all;
    if (__builtin_mul_overflow(s->pitch, height - 1, &rows) ||
        __builtin_mul_overflow(s->slice, depth - 1, &slices) || __builtin_add_overflow(rows, slices, &all) ||
        __builtin_add_overflow(all, width, &all))
        return SIZE_MAX;
    return all;
}

static bool is_side_gone(const struct sim_op *op, const struct side *s, const struct box *b)
{
    return sim_is_gone(op, s->at, span(s, b->width, b->height, b->depth));
}

static void run_box(struct sim_op *op)
{
    const struct box *b = (const void *)op->payload;
    if (is_side_gone(op, &b->to, b) || is_side_gone(op, &b->from, b))
        return;
    sim_memory_unlock();
    move(b);
}

static bool is_host_side(const void *p)
{
    const struct sim_block *b = sim_find(p);
    return b ? b->live && (b->kind == SIM_PINNED || b->kind == SIM_REGISTERED || b->kind == SIM_MANAGED)
             : !sim_in_device_range(p);
}

/* The pitched end of a copy from or to an array; `host` is what the direction says of it. */
static cudaError_t check_end(const void *p, bool host, bool any)
{
    bool right = p && (any || (host ? is_host_side(p) : !sim_is_pageable(p)));
    if (right)
        return cudaSuccess;
    struct sim_report r = sim_report("direction", "%s: an end is not where its direction says", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "want", "%s memory", host ? "host" : "device");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

static cudaError_t check_ends(const struct box *b, enum cudaMemcpyKind kind)
{
    bool any = kind == cudaMemcpyDefault;
    if (b->to.array && b->from.array)
        return any || kind == cudaMemcpyDeviceToDevice ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
    if (!b->to.array && !b->from.array)
        return sim_check_kind(b->to.at, b->from.at, kind);
    if (b->to.array && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && !any)
        return cudaErrorInvalidMemcpyDirection;
    if (b->from.array && kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && !any)
        return cudaErrorInvalidMemcpyDirection;
    return check_end(b->to.array ? b->from.at : b->to.at, kind != cudaMemcpyDeviceToDevice, any);
}

static cudaError_t check_side(const struct side *s, const struct box *b, const char *role)
{
    return s->array ? cudaSuccess : sim_check_range(s->at, span(s, b->width, b->height, b->depth), role);
}

/* A side in an array, `x` bytes into a row; at is NULL when the box does not fit. */
static struct side in_array(const struct sim_array *a, size_t x, size_t y, size_t z, size_t width,
                            size_t height, size_t depth)
{
    bool fits = x <= a->row && width <= a->row - x && y <= a->rows && height <= a->rows - y &&
                z <= a->slices && depth <= a->slices - z;
    char *at = fits ? a->base + z * a->slice + y * a->row + x : NULL;
    return (struct side){at, a->row, a->slice, a};
}

/* ---- queueing ---- */

/* Gaps between the rows are nobody's: a side that has some is looked at when its rows are copied. */
static void watch_side(struct sim_op *op, const struct side *s, const struct box *b, bool writes)
{
    bool rows = b->height == 1 || s->pitch == b->width,
         slices = b->depth == 1 || s->slice == b->height * s->pitch;
    if (!s->array && rows && slices)
        order_op_range(op, s->at, b->width * b->height * b->depth, writes);
}

static cudaError_t submit(struct box b, enum cudaMemcpyKind kind, cudaStream_t handle, bool async)
{
    struct CUstream_st *stream;
    cudaError_t e = sim_stream_for_work(handle, &stream);
    if (e)
        return e;
    if ((b.to.array && !b.to.at) || (b.from.array && !b.from.at))
        return cudaErrorInvalidValue;
    e = check_ends(&b, kind);
    if (!e)
        e = check_side(&b.to, &b, "destination");
    if (!e)
        e = check_side(&b.from, &b, "source");
    if (e)
        return e;
    size_t bytes = b.width * b.height * b.depth;
    bool stage = async && !sim_capturing(stream) && !b.from.array && sim_is_pageable(b.from.at);
    struct sim_op *op = sim_op_new(stream, run_box, sizeof b + (stage ? bytes : 0));
    if (!op)
        return cudaErrorMemoryAllocation;
    struct box *queued = (void *)op->payload;
    const void *to = b.to.at, *from = b.from.at;
    *queued = b;
    if (stage) {
        struct side tight = {queued->staged, b.width, b.width * b.height, NULL};
        queued->to = tight;
        move(queued);
        queued->to = b.to;
        queued->from = tight;
    }
    if (sim_checked) {
        watch_side(op, &b.to, &b, true);
        watch_side(op, &b.from, &b, false);
    }
    return sim_copy_submit(op, to, from, bytes, async);
}

/* ---- rows ---- */

/* A row longer than its pitch. A lone row may have pitch 0, and gets another answer on hardware. */
static cudaError_t check_pitch(size_t pitch, size_t width, size_t height)
{
    if (width <= pitch || (height == 1 && !pitch))
        return cudaSuccess;
    struct sim_report r =
        sim_report("pitch", "%s: rows of %zu bytes with a pitch of %zu", sim_call.api, width, pitch);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why",
                    "pitch is the distance from row to row, in bytes, and cannot be less than a row");
    sim_report_end(r);
    return height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
}

static cudaError_t rows(struct side to, struct side from, size_t width, size_t height,
                        enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    cudaError_t e = cudaSuccess;
    if (!width || !height)
        return cudaSuccess;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to.array)
        e = check_pitch(to.pitch, width, height);
    if (!e && !from.array)
        e = check_pitch(from.pitch, width, height);
    struct box b = {to, from, width, height, 1, {.kind = kind}};
    b.asked.dstPtr = (struct cudaPitchedPtr){to.at, to.pitch, width, height};
    b.asked.srcPtr = (struct cudaPitchedPtr){from.at, from.pitch, width, height};
    b.asked.extent = (struct cudaExtent){width, height, 1};
    return e ? e : submit(b, kind, stream, async);
}

static struct side pitched(const void *p, size_t pitch)
{
    return (struct side){(char *)p, pitch, 0, NULL};
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e
                       : rows(pitched(dst, dpitch), pitched(src, spitch), width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e
                       : rows(pitched(dst, dpitch), pitched(src, spitch), width, height, kind, stream, true));
}

static cudaError_t to_array(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch, size_t width,
                            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    const struct sim_array *a = sim_array(dst);
    if (!a)
        return cudaErrorInvalidResourceHandle;
    return rows(in_array(a, x, y, 0, width, height, 1), pitched(src, spitch), width, height, kind, stream,
                async);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : to_array(dst, x, y, src, spitch, width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : to_array(dst, x, y, src, spitch, width, height, kind, stream, true));
}

static cudaError_t from_array(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                              size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                              bool async)
{
    const struct sim_array *a = sim_array(src);
    if (!a)
        return cudaErrorInvalidResourceHandle;
    return rows(pitched(dst, dpitch), in_array(a, x, y, 0, width, height, 1), width, height, kind, stream,
                async);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : from_array(dst, dpitch, src, x, y, width, height, kind, NULL, false));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : from_array(dst, dpitch, src, x, y, width, height, kind, stream, true));
}

static cudaError_t between_arrays(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    const struct sim_array *to = sim_array(dst), *from = sim_array(src);
    if (!to || !from)
        return cudaErrorInvalidResourceHandle;
    return rows(in_array(to, to_x, to_y, 0, width, height, 1), in_array(from, x, y, 0, width, height, 1),
                width, height, kind, NULL, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src,
                                     size_t x, size_t y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : between_arrays(dst, to_x, to_y, src, x, y, width, height, kind));
}

/* The old forms count bytes through all rows: one long row of the array. */
static struct side run_of(const struct sim_array *a, size_t x, size_t y, size_t count)
{
    size_t bytes = a->row * a->rows, start = y < a->rows && x < a->row ? y * a->row + x : bytes;
    return (struct side){count <= bytes - start ? a->base + start : NULL, count, 0, a};
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct sim_array *a = e ? NULL : sim_array(dst);
    if (!e && !a)
        e = cudaErrorInvalidResourceHandle;
    return sim_leave(e ? e : rows(run_of(a, x, y, count), pitched(src, count), count, 1, kind, NULL, false));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct sim_array *a = e ? NULL : sim_array(src);
    if (!e && !a)
        e = cudaErrorInvalidResourceHandle;
    return sim_leave(e ? e : rows(pitched(dst, count), run_of(a, x, y, count), count, 1, kind, NULL, false));
}

/* ---- boxes ---- */

/* One side of cudaMemcpy3D; `element` is what x counts: bytes, but elements where either side is an array. */
static cudaError_t box_side(const struct sim_array *a, struct cudaPitchedPtr p, struct cudaPos at,
                            size_t element, const struct box *b, struct side *out)
{
    size_t slice, x;
    if (__builtin_mul_overflow(at.x, element, &x))
        return cudaErrorInvalidValue;
    if (a) {
        *out = in_array(a, x, at.y, at.z, b->width, b->height, b->depth);
        return cudaSuccess;
    }
    cudaError_t e = check_pitch(p.pitch, b->width, b->height * b->depth);
    if (!e && b->height > p.ysize)
        e = b->depth > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
    if (e)
        return e;
    bool fits = x <= p.pitch && b->width <= p.pitch - x && at.y <= p.ysize && b->height <= p.ysize - at.y;
    if (!fits || __builtin_mul_overflow(p.pitch, p.ysize, &slice))
        return cudaErrorInvalidValue;
    *out = (struct side){(char *)p.ptr + at.z * slice + at.y * p.pitch + x, p.pitch, slice, NULL};
    return cudaSuccess;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool async)
{
    struct box b = {.height = p ? p->extent.height : 0, .depth = p ? p->extent.depth : 0};
    if (!p || !p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr)
        return cudaErrorInvalidValue;
    if ((unsigned)p->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const struct sim_array *from = sim_array(p->srcArray), *to = sim_array(p->dstArray);
    if ((p->srcArray && !from) || (p->dstArray && !to))
        return cudaErrorInvalidResourceHandle;
    size_t element = from ? from->element : to ? to->element : 1;
    if ((to && to->element != element) || __builtin_mul_overflow(p->extent.width, element, &b.width))
        return cudaErrorInvalidValue;
    if (!b.width || !b.height || !b.depth)
        return cudaSuccess;
    cudaError_t e = box_side(to, p->dstPtr, p->dstPos, element, &b, &b.to);
    if (!e)
        e = box_side(from, p->srcPtr, p->srcPos, element, &b, &b.from);
    b.asked = *p;
    if (!e)
        e = submit(b, p->kind, stream, async);
    bool loses_detail =
        (from || to) && (e == cudaErrorInvalidPitchValue || e == cudaErrorInvalidMemcpyDirection);
    return loses_detail ? cudaErrorInvalidValue : e; /* as hardware answers where an array takes part */
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_box(p, NULL, false));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_box(p, stream, true));
}

bool sim_box_params(const struct sim_op *op, struct cudaMemcpy3DParms *p)
{
    if (op->run != run_box)
        return false;
    *p = ((const struct box *)(const void *)op->payload)->asked;
    return true;
}

/* ---- fills ---- */

struct fill {
    struct side to;
    size_t width, height, depth;
    unsigned value, element; /* bytes that `value` is written with, again and again */
};

static void run_fill(struct sim_op *op)
{
    const struct fill *f = (const void *)op->payload;
    if (sim_is_gone(op, f->to.at, span(&f->to, f->width, f->height, f->depth)))
        return;
    sim_memory_unlock();
    for (size_t z = 0; z < f->depth; z++)
        for (size_t y = 0; y < f->height; y++) {
            char *to = f->to.at + z * f->to.slice + y * f->to.pitch;
            for (size_t x = 0; x < f->width && f->element > 1; x += f->element)
                memcpy(to + x, &f->value, f->element); /* the low bytes come first */
            if (f->element == 1)
                memset(to, (int)f->value, f->width);
            watch_write(to, f->width);
        }
}

static cudaError_t fill(struct fill f, cudaStream_t handle, bool async)
{
    struct CUstream_st *stream;
    cudaError_t e = sim_stream_for_work(handle, &stream);
    if (e)
        return e;
    if (!f.width || !f.height || !f.depth)
        return cudaSuccess;
    if (f.height > 1 || f.depth > 1)
        e = check_pitch(f.to.pitch, f.width, f.height);
    if (!e)
        e = sim_check_kind(f.to.at, f.to.at, cudaMemcpyDeviceToDevice);
    if (!e)
        e = sim_check_range(f.to.at, span(&f.to, f.width, f.height, f.depth), "destination");
    if (e)
        return cudaErrorInvalidValue;
    struct sim_op *op = sim_op_new(stream, run_fill, sizeof f);
    if (!op)
        return cudaErrorMemoryAllocation;
    *(struct fill *)(void *)op->payload = f;
    return sim_fill_submit(op, f.to.at, f.width * f.height * f.depth, async);
}

cudaError_t cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct fill f = {pitched(dst, pitch), width, height, 1, (unsigned)value, 1};
    return sim_leave(e ? e : fill(f, NULL, false));
}

cudaError_t cudaMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct fill f = {pitched(dst, pitch), width, height, 1, (unsigned)value, 1};
    return sim_leave(e ? e : fill(f, stream, true));
}

static cudaError_t fill_box(struct cudaPitchedPtr p, int value, struct cudaExtent n, cudaStream_t stream,
                            bool async)
{
    struct fill f = {{p.ptr, p.pitch, 0, NULL}, n.width, n.height, n.depth, (unsigned)value, 1};
    if (n.height > p.ysize || __builtin_mul_overflow(p.pitch, p.ysize, &f.to.slice))
        return cudaErrorInvalidValue;
    return fill(f, stream, async);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : fill_box(p, value, extent, NULL, false));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : fill_box(p, value, extent, stream, true));
}

cudaError_t sim_fill_elements(const struct cudaMemsetParams *p, cudaStream_t stream)
{
    size_t size = p->elementSize, width;
    if ((size != 1 && size != 2 && size != 4) || __builtin_mul_overflow(p->width, size, &width) ||
        (uintptr_t)p->dst % size || (p->height > 1 && p->pitch % size))
        return cudaErrorInvalidValue;
    return fill((struct fill){pitched(p->dst, p->pitch), width, p->height, 1, p->value, p->elementSize},
                stream, true);
}

bool sim_box_fill_params(const struct sim_op *op, struct cudaMemsetParams *p)
{
    const struct fill *f = (const void *)op->payload;
    if (op->run != run_fill)
        return false;
    *p = (struct cudaMemsetParams){f->to.at, f->to.pitch, f->value, f->element, f->width / f->element,
                                   f->height};
    return true;
}
