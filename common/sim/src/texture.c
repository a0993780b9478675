/* SPDX-License-Identifier: MIT */
/* Texture and surface objects, and the accesses that kernels make through them. */
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "check.h"

enum { LINEAR_ALIGNMENT = 512, PITCH_ALIGNMENT = 32 }; /* bytes, as on an H200 */

/* ---- the table of objects: a handle is a slot's number and how often the slot has been used ---- */

struct object {
    bool live, surface;
    check_tick used; /* when a kernel used it last */
    unsigned uses;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    struct sim_texture texture;
};

static struct object *objects;
static size_t object_count, object_room;

static struct object *object_new(unsigned long long *handle)
{
    size_t i = 0;
    while (i < object_count && objects[i].live)
        i++;
    struct object *longer = sim_room(objects, i, &object_room, sizeof *objects);
    if (!longer)
        return NULL;
    objects = longer;
    if (i == object_count)
        objects[object_count++] = (struct object){.uses = 0};
    unsigned uses = objects[i].uses + 1;
    objects[i] = (struct object){.live = true, .uses = uses};
    *handle = (unsigned long long)uses << 32 | (i + 1);
    return &objects[i];
}

static struct object *object_find(unsigned long long handle, bool surface)
{
    size_t i = (size_t)(handle & 0xffffffff) - 1;
    if (i >= object_count || !objects[i].live || objects[i].uses != handle >> 32 ||
        objects[i].surface != surface)
        return NULL;
    return &objects[i];
}

static void object_forget(unsigned long long handle, bool surface)
{
    struct object *o = object_find(handle, surface);
    if (o)
        o->live = false;
}

/* ---- creation ---- */

static cudaError_t from_memory(struct sim_texture *t, const void *p, const struct cudaChannelFormatDesc *desc)
{
    const struct sim_block *b = sim_find(p);
    if (!p || (!b && !sim_in_device_range(p)) || (b && b->kind == SIM_ARRAY) ||
        (uintptr_t)p % LINEAR_ALIGNMENT)
        return cudaErrorInvalidValue;
    t->element = sim_element_bytes(desc);
    t->base = p;
    return t->element ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

/* Hardware takes the size on trust; the rest of the memory reads as 0 here. */
static void check_extent(struct sim_texture *t)
{
    const struct sim_block *b = sim_find(t->base);
    t->room = b && b->live && b->kind == SIM_MAPPED ? sim_vmm_reach(b, t->base, false)
              : b && b->live                        ? b->bytes - (size_t)(t->base - b->base)
                                                    : 0;
    if (t->bytes <= t->room)
        return;
    struct sim_report r =
        sim_report("texture size", "%s: a texture of %zu bytes over %zu", sim_call.api, t->bytes, t->room);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(t->base));
    sim_report_line(r, "note", "a real GPU accepts it, and may read another block's memory or fault later");
    sim_report_end(r);
}

static void from_array(struct sim_texture *t, const struct sim_array *a)
{
    const bool layered = a->flags & cudaArrayLayered;
    t->shape = layered            ? (a->extent.height ? SIM_LAYERED_2D : SIM_LAYERED_1D)
               : a->extent.depth  ? SIM_ARRAY_3D
               : a->extent.height ? SIM_ARRAY_2D
                                  : SIM_ARRAY_1D;
    t->base = a->base;
    t->bytes = a->slice * a->slices;
    t->element = a->element;
    t->width = a->extent.width;
    t->height = a->rows;
    t->depth = layered ? 1 : a->slices;
    t->layers = layered ? a->slices : 1;
    t->row = a->row;
    t->slice = a->slice;
}

static cudaError_t set_resource(struct sim_texture *t, const struct cudaResourceDesc *r)
{
    const struct cudaChannelFormatDesc *desc = &r->res.linear.desc;
    const struct sim_array *a = NULL;
    cudaError_t e = cudaSuccess;
    t->height = t->depth = t->layers = 1;
    switch (r->resType) {
    case cudaResourceTypeArray:
        a = sim_array(r->res.array.array);
        if (!a)
            return cudaErrorInvalidResourceHandle;
        from_array(t, a);
        desc = &a->desc;
        break;
    case cudaResourceTypeLinear:
        e = from_memory(t, r->res.linear.devPtr, desc);
        t->bytes = r->res.linear.sizeInBytes;
        t->width = e ? 0 : t->bytes / t->element;
        break;
    case cudaResourceTypePitch2D:
        desc = &r->res.pitch2D.desc;
        e = from_memory(t, r->res.pitch2D.devPtr, desc);
        t->shape = SIM_ARRAY_2D;
        t->width = r->res.pitch2D.width;
        t->height = r->res.pitch2D.height;
        t->row = r->res.pitch2D.pitchInBytes;
        if (!e && t->row % PITCH_ALIGNMENT)
            e = cudaErrorInvalidValue;
        t->bytes = t->width && t->height ? (t->height - 1) * t->row + t->width * t->element : 0;
        break;
    default:
        return r->resType == cudaResourceTypeMipmappedArray ? cudaErrorNotSupported : cudaErrorInvalidValue;
    }
    t->kind = desc->f;
    t->bits = desc->x;
    t->components = t->element ? (int)(t->element * 8) / t->bits : 0;
    return e;
}

static cudaError_t set_reading(struct sim_texture *t, const struct cudaTextureDesc *how)
{
    const bool is_float = t->kind == cudaChannelFormatKindFloat;
    t->normalized_value = how->readMode == cudaReadModeNormalizedFloat;
    t->gives_float = is_float || t->normalized_value;
    t->normalized_place = how->normalizedCoords;
    t->smooth = how->filterMode == cudaFilterModeLinear;
    for (int i = 0; i < 3; i++) {
        if ((unsigned)how->addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        t->mode[i] = how->addressMode[i];
    }
    if (t->normalized_value && (is_float || t->bits == 32))
        return cudaErrorInvalidNormSetting;
    if (t->smooth && !t->gives_float)
        return cudaErrorInvalidFilterSetting;
    for (int c = 0; c < 4; c++)
        t->border[c] = sim_border(t, how->borderColor[c]);
    return cudaSuccess;
}

static cudaError_t create_texture(cudaTextureObject_t *out, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view)
{
    struct sim_texture t = {.base = NULL};
    if (!out || !resource)
        return cudaErrorInvalidValue;
    if (!how)
        return cudaErrorInvalidResourceHandle;
    if (view && view->format != cudaResViewFormatNone)
        return cudaErrorNotSupported;
    cudaError_t e = set_resource(&t, resource);
    if (!e)
        e = set_reading(&t, how);
    struct object *o = e ? NULL : object_new(out);
    if (!o)
        return e ? e : cudaErrorMemoryAllocation;
    check_extent(&t);
    o->resource = *resource;
    o->how = *how;
    o->texture = t;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_texture(out, resource, how, view));
}

static cudaError_t create_surface(cudaSurfaceObject_t *out, const struct cudaResourceDesc *resource)
{
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    const struct sim_array *a = sim_array(resource->res.array.array);
    struct object *o = a ? object_new(out) : NULL;
    if (!o)
        return a ? cudaErrorMemoryAllocation : cudaErrorInvalidResourceHandle;
    if (!(a->flags & cudaArraySurfaceLoadStore)) {
        struct sim_report r = sim_report(
            "surface flag", "%s: the array was made without cudaArraySurfaceLoadStore", sim_call.api);
        sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
        sim_report_line(r, "is", "%s", sim_what(a->base));
        sim_report_line(r, "note", "a real GPU says nothing, but what writes through it do is not defined");
        sim_report_end(r);
    }
    o->surface = true;
    o->resource = *resource;
    from_array(&o->texture, a);
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *resource)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_surface(out, resource));
}

/* Kernels that are queued may still use the object: let them run first. */
static cudaError_t destroy(cudaError_t e, unsigned long long handle, bool surface)
{
    if (!e && object_find(handle, surface))
        e = sim_device_finish();
    const struct object *o = e ? NULL : object_find(handle, surface);
    if (o && o->used && !order_before(o->used))
        unordered_destroy(o->used, surface ? "surface object" : "texture object");
    if (!e)
        object_forget(handle, surface);
    return e;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(destroy(e, texture, false));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(destroy(e, surface, true));
}

static cudaError_t get_resource(cudaError_t e, struct cudaResourceDesc *out, unsigned long long handle,
                                bool surface)
{
    const struct object *o = object_find(handle, surface);
    if (!e && (!o || !out))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = o->resource;
    return e;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t texture)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(get_resource(e, out, texture, false));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out, cudaSurfaceObject_t surface)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(get_resource(e, out, surface, true));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t texture)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct object *o = object_find(texture, false);
    if (!e && (!o || !out))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = o->how;
    return sim_leave(e);
}

/* ---- in kernels ---- */

/* `memory`: what the access was made for; NULL for none. */
static void report_access(const char *kind, const char *title, const void *caller, const void *memory,
                          const char *why)
{
    char thread[80];
    struct sim_report r = sim_report(kind, "KERNEL %s: %s", sim_running() ? sim_running()->name : "?", title);
    if (!r.shown)
        return; /* it may be the millionth: look nothing up */
    sim_report_line(r, "at", "%s", sim_where(caller));
    sim_report_line(r, "thread", "%s", sim_thread_name(thread));
    if (memory)
        sim_report_line(r, "is", "%s", sim_what(memory));
    sim_report_line(r, "why", "%s", why);
    sim_report_end(r);
}

/* The object a kernel may use now, its memory open; NULL after a report. Memory is looked up once a block. */
static const struct sim_texture *usable(unsigned long long handle, bool surface, const void *caller)
{
    static unsigned long long last_handle, last_block;
    watch_texel_pc = caller;
    struct object *o = object_find(handle, surface);
    if (o)
        o->used = check_now;
    if (o && handle == last_handle && sim_block_epoch == last_block)
        return &o->texture;
    if (!o) {
        report_access(
            "texture object", surface ? "access through no surface object" : "fetch from no texture object",
            caller, NULL,
            handle ? "the object was destroyed, or is of the other kind; a real GPU may stay silent"
                   : "the object is 0: did creating it fail? a real GPU may stay silent and read 0");
        return NULL;
    }
    const struct sim_block *b = sim_find(o->texture.base);
    if (!b || !b->live) {
        report_access("texture memory", "access to memory that was freed", caller, o->texture.base,
                      "an object does not keep its memory; a real GPU stays silent while the page is in use");
        sim_grid_abort(cudaErrorIllegalAddress);
    }
    last_handle = handle;
    last_block = sim_block_epoch;
    sim_memory_unlock();
    return &o->texture;
}

static const char *const shapes[] = {"linear memory",
                                     "an array of one dimension",
                                     "an array or rows of two dimensions",
                                     "an array of three dimensions",
                                     "layers of one dimension",
                                     "layers of two dimensions"};

/* One and two dimensions go together, as on hardware; whatever else is mixed reads 0. */
static bool suits(const struct sim_texture *t, enum sim_tex_dim dim, const void *caller)
{
    static const char *const names[] = {"tex1D",        "tex2D",        "tex3D",
                                        "tex1DLayered", "tex2DLayered", "tex1Dfetch"};
    static const enum sim_shape wanted[] = {SIM_ARRAY_1D,   SIM_ARRAY_2D,   SIM_ARRAY_3D,
                                            SIM_LAYERED_1D, SIM_LAYERED_2D, SIM_LINE};
    const bool flat =
        (dim == SIM_TEX_1D || dim == SIM_TEX_2D) && (t->shape == SIM_ARRAY_1D || t->shape == SIM_ARRAY_2D);
    if (flat || t->shape == wanted[dim])
        return true;
    char title[128];
    snprintf(title, sizeof title, "%s from %s", names[dim], shapes[t->shape]);
    report_access(
        "texture shape", title, caller, NULL,
        "each fetch has its shape (linear memory: tex1Dfetch); a real GPU reads 0 here and says nothing");
    return false;
}

void sim_tex_fetch(cudaTextureObject_t texture, enum sim_tex_dim dim, float x, float y, float z, int index,
                   int as_float, unsigned out[4])
{
    const void *caller = __builtin_return_address(0);
    const struct sim_texture *t = usable(texture, false, caller);
    memset(out, 0, 4 * sizeof *out);
    if (!t || !suits(t, dim, caller) || !t->width || !t->height)
        return;
    if (t->gives_float != (bool)as_float)
        report_access(
            "texture type",
            as_float ? "fetch of float from a texture of integers"
                     : "fetch of integers from a texture that gives floats",
            caller, NULL,
            "the bits are taken as they are: fetch the element's own type, or create the texture with "
            "readMode cudaReadModeNormalizedFloat and fetch float");
    if (dim == SIM_TEX_LINEAR) {
        if (index >= 0 && (size_t)index < t->width && ((size_t)index + 1) * t->element <= t->room)
            sim_sample_texel(t, (size_t)index, out);
        return;
    }
    const float place[3] = {x, y, z};
    if (t->bytes <= t->room)
        sim_sample(t, dim, place, index, out);
}

/* The address of a surface element; NULL where zero mode drops the access. Ends the launch when it must. */
static char *surface_at(cudaSurfaceObject_t surface, const sim_surf_place *p, size_t bytes,
                        const void *caller)
{
    const struct sim_texture *t = usable(surface, true, caller);
    if (!t)
        return NULL;
    static const enum sim_shape wanted[] = {SIM_ARRAY_1D, SIM_ARRAY_2D, SIM_ARRAY_3D, SIM_LAYERED_1D,
                                            SIM_LAYERED_2D};
    const bool layered = p->dim == SIM_TEX_1D_LAYERED || p->dim == SIM_TEX_2D_LAYERED;
    const bool suits = t->shape == wanted[p->dim];
    const long limit[3] = {(long)(t->width * t->element), (long)t->height,
                           (long)(layered ? t->layers : t->depth)};
    const long last[3] = {limit[0] - (long)bytes, limit[1] - 1, limit[2] - 1};
    long at[3] = {p->x, p->y, p->z};
    if (at[0] % (long)bytes) {
        report_access("surface alignment", "surface access between elements", caller, NULL,
                      "x counts bytes: give x * sizeof(element)");
        sim_grid_abort(cudaErrorMisalignedAddress);
    }
    for (int i = 0; i < 3; i++) {
        if (suits && at[i] >= 0 && at[i] <= last[i])
            continue;
        if (p->mode == cudaBoundaryModeZero || last[0] < 0)
            return NULL;
        if (p->mode == cudaBoundaryModeTrap) {
            report_access("surface bounds", "surface access outside the array", caller, t->base,
                          suits
                              ? "the default boundary mode ends the kernel here; x counts bytes, not elements"
                              : "the access has other dimensions than the array");
            sim_grid_abort(cudaErrorIllegalAddress);
        }
        at[i] = at[i] < 0 ? 0 : last[i];
    }
    return (char *)t->base + (size_t)at[2] * t->slice + (size_t)at[1] * t->row + (size_t)at[0];
}

void sim_surf_read(cudaSurfaceObject_t surface, const sim_surf_place *place, void *data, size_t bytes)
{
    const char *p = surface_at(surface, place, bytes, __builtin_return_address(0));
    if (p)
        watch_texel(p, bytes, CHECK_READ);
    if (p)
        memcpy(data, p, bytes);
    else
        memset(data, 0, bytes);
}

void sim_surf_write(cudaSurfaceObject_t surface, const sim_surf_place *place, const void *data, size_t bytes)
{
    char *p = surface_at(surface, place, bytes, __builtin_return_address(0));
    if (!p)
        return;
    watch_texel(p, bytes, CHECK_WRITE);
    memcpy(p, data, bytes);
}
