/* SPDX-License-Identifier: MIT */
/* Pitched memory and arrays: making, freeing, describing. */
#include <stdlib.h>
#include "array.h"

enum { PITCH = 512 }; /* a row starts at a multiple of this, as on an H200 */

/* `bytes` up to the next multiple of `step`, a power of two; SIZE_MAX when that is too much. */
static size_t round_up(size_t bytes, size_t step)
{
    return bytes > SIZE_MAX - step ? SIZE_MAX : (bytes + step - 1) & ~(step - 1);
}

/* ---- pitched memory ---- */

static cudaError_t allocate_rows(void **out, size_t *pitch, size_t width, size_t rows)
{
    size_t row = round_up(width, PITCH), bytes;
    if (!out || !pitch || row == SIZE_MAX)
        return cudaErrorInvalidValue;
    if (!width || !rows) {
        *out = NULL;
        *pitch = 0;
        return cudaSuccess;
    }
    struct sim_block *b = NULL;
    if (__builtin_mul_overflow(row, rows, &bytes) || sim_block_new(SIM_DEVICE, bytes, &b))
        return cudaErrorMemoryAllocation;
    b->row = width;
    *out = b->base;
    *pitch = b->pitch = row;
    return cudaSuccess;
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : allocate_rows(out, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    size_t rows;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e && __builtin_mul_overflow(extent.height, extent.depth, &rows))
        e = cudaErrorMemoryAllocation;
    struct cudaPitchedPtr p = {.xsize = extent.width, .ysize = extent.height};
    if (!e)
        e = allocate_rows(&p.ptr, &p.pitch, extent.width, rows);
    if (!e)
        *out = p;
    return sim_leave(e);
}

/* ---- arrays ---- */

size_t sim_element_bytes(const struct cudaChannelFormatDesc *d)
{
    const int bits = d->x, count = 1 + (d->y != 0) + (d->z != 0) + (d->w != 0);
    const bool sized = bits == 8 || bits == 16 || bits == 32;
    const bool even =
        (d->y == 0 || d->y == bits) && d->z == d->w && (d->z == 0 || (d->z == bits && d->y == bits));
    const bool known = d->f == cudaChannelFormatKindSigned || d->f == cudaChannelFormatKindUnsigned ||
                       (d->f == cudaChannelFormatKindFloat && bits != 8);
    return sized && even && known ? (size_t)(bits / 8 * count) : 0;
}

/* The largest arrays of an H200, by shape; 0 stands for "no such dimension". */
static bool fits(struct cudaExtent e, bool layered)
{
    static const struct cudaExtent limits[] = {
        {131072, 0, 0}, {131072, 65536, 0}, {16384, 16384, 16384}, {8192, 8192, 32768}};
    static const struct cudaExtent layers[] = {{32768, 0, 2048}, {32768, 32768, 2048}};
    const struct cudaExtent *limit = layered ? layers : limits;
    size_t count = layered ? sizeof layers / sizeof *layers : sizeof limits / sizeof *limits;
    if (!e.width || (e.depth && !e.height && !layered) || (layered && !e.depth))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!e.height == !limit[i].height && !e.depth == !limit[i].depth && e.width <= limit[i].width &&
            e.height <= limit[i].height && e.depth <= limit[i].depth)
            return true;
    return false;
}

static cudaError_t make_array(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    const unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
    if (!out || !desc || flags & ~known)
        return cudaErrorInvalidValue;
    size_t element = sim_element_bytes(desc);
    if (!element)
        return cudaErrorInvalidChannelDescriptor;
    if (!fits(extent, flags & cudaArrayLayered))
        return cudaErrorInvalidValue;
    struct sim_array *a = malloc(sizeof *a);
    struct sim_block *b = NULL;
    if (!a)
        return cudaErrorMemoryAllocation;
    *a = (struct sim_array){.desc = *desc, .extent = extent, .flags = flags, .element = element};
    a->rows = extent.height ? extent.height : 1;
    a->slices = extent.depth ? extent.depth : 1;
    a->row = extent.width * element;
    a->slice = a->row * a->rows;
    cudaError_t e = sim_block_new(SIM_ARRAY, a->slice * a->slices, &b);
    if (e) {
        free(a);
        return e;
    }
    a->base = b->base;
    b->extra = a;
    *out = (cudaArray_t)(void *)b->base;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags & cudaArrayLayered)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : make_array(array, desc, (struct cudaExtent){width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : make_array(array, desc, extent, flags));
}

const struct sim_array *sim_array(cudaArray_const_t handle)
{
    const struct sim_block *b = handle ? sim_find(handle) : NULL;
    if (b && b->live && b->kind == SIM_ARRAY && b->base == (const char *)handle)
        return b->extra;
    if (handle) {
        struct sim_report r =
            sim_report("array", "%s was given something that is not an array", sim_call.api);
        sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
        sim_report_line(r, "is", "%s", sim_what(handle));
        sim_report_end(r);
    }
    return NULL;
}

static cudaError_t free_array(cudaArray_t array)
{
    struct sim_block *b = sim_find(array);
    if (!array)
        return cudaSuccess;
    if (!b || !b->live || b->kind != SIM_ARRAY || b->base != (char *)array)
        return sim_bad_free(array, "cudaFreeArray");
    cudaError_t e = sim_device_finish();
    if (e)
        return e;
    free(b->extra);
    b->extra = NULL;
    sim_block_free(b);
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : free_array(array));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t array)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct sim_array *a = e ? NULL : sim_array(array);
    if (!e && !a)
        e = cudaErrorInvalidResourceHandle;
    if (!e && desc)
        *desc = a->desc;
    if (!e && extent)
        *extent = a->extent;
    if (!e && flags)
        *flags = a->flags;
    return sim_leave(e);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct sim_array *a = e ? NULL : sim_array(array);
    if (!e && !a)
        e = cudaErrorInvalidResourceHandle;
    if (!e && !desc)
        e = cudaErrorInvalidValue;
    if (!e)
        *desc = a->desc;
    return sim_leave(e);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
