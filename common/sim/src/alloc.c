/* SPDX-License-Identifier: MIT */
/* Allocation calls: device, pinned, registered and managed memory, and what a pointer belongs to. */
#include <stdlib.h>
#include "check.h"

/* ---- making blocks ---- */

/* A size near 2^64 is a negative number: say so, since "out of memory" misleads. */
static void report_size(size_t bytes)
{
    if (bytes < (size_t)1 << 63)
        return;
    struct sim_report r =
        sim_report("size", "%s was asked for %zu bytes = 2^64 - %zu", sim_call.api, bytes, -bytes);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why",
                    "a negative number turned unsigned: did an int overflow? compute sizes in size_t");
    sim_report_end(r);
}

static struct sim_call zero_size; /* the last call that asked for nothing */

const char *sim_zero_size_call(void)
{
    static char text[256];
    if (!zero_size.api)
        return "";
    snprintf(text, sizeof text, "; %s of 0 bytes at %s gave one (did an int overflow to 0?)", zero_size.api,
             sim_where_call(&zero_size));
    return text;
}

static cudaError_t no_place(void)
{
    struct sim_report r =
        sim_note("null", "note: %s was given a null pointer to put the address in", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "it wants the address of a pointer, &p; (void **)p is what p holds, here NULL");
    sim_report_line(r, "note", "nothing is allocated: the call answers cudaErrorInvalidValue");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

static cudaError_t allocate(enum sim_kind kind, size_t bytes, unsigned flags, void **out)
{
    struct sim_block *b = NULL;
    if (!out)
        return no_place();
    sim_call.bytes = bytes;
    if (!bytes) {
        *out = NULL;
        zero_size = sim_call;
        return cudaSuccess;
    }
    cudaError_t e = sim_block_new(kind, bytes, &b);
    if (e) {
        report_size(bytes);
        *out = NULL;
        return e;
    }
    b->flags = flags;
    *out = b->base;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : allocate(SIM_DEVICE, bytes, 0, out));
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : allocate(SIM_PINNED, bytes, cudaHostAllocDefault, out));
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : allocate(SIM_PINNED, bytes, flags, out));
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : allocate(SIM_MANAGED, bytes, flags, out));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!free || !total))
        e = cudaErrorInvalidValue;
    if (!e) {
        *free = sim_memory_free();
        *total = sim_settings.memory;
    }
    return sim_leave(e);
}

/* ---- freeing ---- */

static const char *right_call(enum sim_kind kind)
{
    static const char *const calls[] = {
        [SIM_DEVICE] = "cudaFree",    [SIM_PINNED] = "cudaFreeHost",
        [SIM_MANAGED] = "cudaFree",   [SIM_ARRAY] = "cudaFreeArray",
        [SIM_POOL] = "cudaFreeAsync", [SIM_REGISTERED] = "cudaHostUnregister, then free",
        [SIM_MAPPED] = "cuMemUnmap, then cuMemAddressFree",
        [SIM_HEAP] = "free or delete in a kernel"};
    return kind == SIM_SYMBOL ? "nothing: it is a variable" : calls[kind];
}

cudaError_t sim_bad_free(const void *p, const char *api)
{
    const struct sim_block *b = sim_find(p);
    const char *problem = !b             ? "something it did not allocate"
                          : !b->live     ? "a block that was freed before (double free)"
                          : p != b->base ? "a pointer into the middle of a block"
                                         : "a block that another call must free";
    const char *kind = !b             ? "foreign free"
                       : !b->live     ? "double free"
                       : p != b->base ? "interior free"
                                      : "wrong free";
    struct sim_report r = sim_report(kind, "%s(%p): %s", api, p, problem);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(p));
    if (b && b->live)
        sim_report_line(r, "right", "free it with %s, giving the address it was made with",
                        right_call(b->kind));
    sim_report_line(r, "note", "nothing was freed");
    sim_report_end(r);
    return cudaErrorInvalidValue;
}

static cudaError_t free_device(void *p)
{
    if (!p)
        return cudaSuccess;
    struct sim_block *b = sim_find(p);
    if (!b || !b->live || b->base != p ||
        (b->kind != SIM_DEVICE && b->kind != SIM_MANAGED && b->kind != SIM_POOL))
        return sim_bad_free(p, "cudaFree");
    cudaError_t e = sim_device_finish(); /* as on hardware, which waits for all streams here */
    if (e)
        return e;
    if (sim_find(p) != b || !b->live) /* by another thread, while a host function ran */
        return sim_bad_free(p, "cudaFree");
    if (b->kind == SIM_POOL)
        return sim_pool_free(b);
    if (graph_memory_is(b))
        return graph_memory_free(b);
    sim_block_free(b);
    return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : free_device(p));
}

static cudaError_t free_pinned(void *p)
{
    struct sim_block *b = sim_find(p);
    if (!p)
        return cudaSuccess;
    if (!b || !b->live || b->base != p || b->kind != SIM_PINNED)
        return sim_bad_free(p, "cudaFreeHost");
    cudaError_t e = sim_device_finish();
    if (!e && (sim_find(p) != b || !b->live))
        return sim_bad_free(p, "cudaFreeHost");
    if (!e)
        sim_block_free(b);
    return e;
}

cudaError_t cudaFreeHost(void *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : free_pinned(p));
}

/* ---- registered host memory ---- */

static struct sim_block registered = {.next = &registered, .prev = &registered};

struct sim_block *sim_host_registered(const void *p)
{
    for (struct sim_block *b = registered.next; b != &registered; b = b->next)
        if ((size_t)((const char *)p - b->base) < b->bytes)
            return b;
    return sim_symbol(p);
}

static bool overlaps_registered(const char *p, size_t bytes)
{
    for (struct sim_block *b = registered.next; b != &registered; b = b->next)
        if (p < b->base + b->bytes && b->base < p + bytes)
            return true;
    return false;
}

static cudaError_t host_register(void *p, size_t bytes, unsigned flags)
{
    if (!p || !bytes || flags & ~15u || (uintptr_t)p > UINTPTR_MAX - bytes)
        return cudaErrorInvalidValue;
    if (overlaps_registered(p, bytes))
        return cudaErrorHostMemoryAlreadyRegistered;
    const struct sim_block *b = sim_find(p);
    if (b && b->kind != SIM_SYMBOL)
        return cudaErrorInvalidValue;
    struct sim_block *new = sim_block_adopt(SIM_REGISTERED, p, bytes);
    if (!new)
        return cudaErrorMemoryAllocation;
    new->flags = flags;
    new->next = registered.next;
    new->prev = &registered;
    registered.next->prev = new;
    registered.next = new;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : host_register(p, bytes, flags));
}

static void unregister(struct sim_block *b)
{
    b->prev->next = b->next;
    b->next->prev = b->prev;
    watch_range_gone(b);
    sim_block_disown(b);
}

static cudaError_t host_unregister(void *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    struct sim_block *b = sim_find(p);
    if (!b || b->kind == SIM_SYMBOL)
        return cudaErrorHostMemoryNotRegistered;
    if (b->kind != SIM_REGISTERED || b->base != p)
        return cudaErrorInvalidValue;
    cudaError_t e = sim_device_finish();
    if (!e && sim_find(p) != b)
        return cudaErrorHostMemoryNotRegistered;
    check_tick used = !e && sim_checked && b->home ? race_used(b->home, b->bytes) : 0;
    if (used)
        unordered_free(b, used);
    if (!e)
        unregister(b);
    return e;
}

cudaError_t cudaHostUnregister(void *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : host_unregister(p));
}

void sim_registered_reset(void)
{
    while (registered.next != &registered)
        unregister(registered.next);
}

/* ---- what a pointer is ---- */

static bool is_host_reachable(const struct sim_block *b)
{
    return b && b->live && (b->kind == SIM_PINNED || b->kind == SIM_REGISTERED);
}

cudaError_t cudaHostGetDevicePointer(void **out, void *p, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!out || flags || !is_host_reachable(sim_find(p))))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = p; /* one address space: the same for both, as on hardware with unified addressing */
    return sim_leave(e);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *p)
{
    cudaError_t e = sim_enter(SIM_CALL);
    const struct sim_block *b = e ? NULL : sim_find(p);
    if (!e && (!flags || !is_host_reachable(b)))
        e = cudaErrorInvalidValue;
    if (!e)
        *flags = b->flags | cudaHostAllocMapped;
    return sim_leave(e);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p)
{
    sim_enter_always(SIM_CALL);
    cudaError_t e = out ? cudaSuccess : cudaErrorInvalidValue;
    const struct sim_block *b = sim_find(p);
    if (!e) {
        *out = (struct cudaPointerAttributes){
            .type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = (void *)p};
        bool inside = b && b->live && (size_t)((const char *)p - b->base) < b->bytes;
        bool managed =
            b && (b->kind == SIM_MANAGED || (b->kind == SIM_SYMBOL && b->flags == SIM_SPACE_MANAGED));
        if (inside && b->kind != SIM_ARRAY && b->kind != SIM_HEAP &&
            (b->kind != SIM_SYMBOL || b->used || managed)) {
            out->type = managed                ? cudaMemoryTypeManaged
                        : is_host_reachable(b) ? cudaMemoryTypeHost
                                               : cudaMemoryTypeDevice;
            out->device = 0;
            out->devicePointer = b->kind == SIM_MAPPED && !b->flags ? NULL : (void *)p; /* no access yet */
            out->hostPointer = out->type == cudaMemoryTypeDevice ? NULL : (void *)p;
        }
    }
    return sim_leave(e);
}
