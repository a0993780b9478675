/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory: addresses are reserved, memory is created, and the one is mapped to the other.
 *
 *   reservation   a live block of the device range without pages; a table with an entry for each 2 MiB:
 *                 slot -> mapping, live or the last that was there
 *   physical      bytes that live while a handle or a mapping does. Pages that move to where they are mapped
 *                 next; once they had two addresses they are a file's, since opening and closing huge pages
 *                 is 100 times cheaper, and a file has none
 *   mapping       these bytes at an address; the checked build's shadow of them is always a file, so that it
 *                 is the same through every address (shadow.c)
 *
 * Nothing of the file is used twice, so that what comes later is fresh.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "check.h"
#include "shadow.h"

struct physical {
    struct sim_block *block; /* among the live ones: never freed, unless it goes */
    size_t offset;           /* in the file */
    size_t bytes;
    unsigned handles, maps;
    bool filled;
    bool shared;  /* its pages are the file's */
    char *parked; /* where they are while it has no address */
    CUmemAllocationProp prop;
    struct physical *next;
};

static struct physical *all;
static int file = -1;
static size_t file_bytes;

/* Live mappings, to open and close them. */
static struct sim_block **mapped;
static size_t mapped_count, mapped_room;

static void note(const char *what, const char *why)
{
    struct sim_report r = sim_note("virtual memory", "note: %s %s", sim_call.api, what);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "%s", why);
    sim_report_end(r);
}

static cudaError_t refuse(const char *why)
{
    note("is refused", why);
    return cudaErrorInvalidValue;
}

static bool is_whole(size_t value)
{
    return value % SIM_PAGE == 0;
}

/* Addresses and handles are the host's to give and take, also after the device has failed. */
static cudaError_t enter(const char *api, void *caller)
{
    cudaError_t e = sim_driver_enter(api, caller, false);
    return e == sim_sticky() ? cudaSuccess : e;
}

/* ---- physical memory ---- */

static struct physical *physical(CUmemGenericAllocationHandle handle)
{
    struct physical *p = all;
    while (p && (uintptr_t)p != handle)
        p = p->next;
    return p;
}

/* Its memory: also when it was released, as long as that is mapped. */
static struct physical *memory_of(CUmemGenericAllocationHandle handle)
{
    struct physical *p = physical(handle);
    if (p && !p->handles)
        note("uses a handle that was released", "it lasts only as long as its memory is mapped somewhere");
    return p;
}

static void drop_unused(struct physical *p)
{
    struct physical **at = &all;
    if (p->handles || p->maps)
        return;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->offset, (off_t)p->bytes);
    if (p->parked)
        munmap(p->parked, p->bytes);
    if (sim_checked && p->filled)
        shadow_drop(p->offset, p->bytes);
    sim_block_untrack(p->block);
    sim_block_disown(p->block);
    sim_pages_give(p->bytes / SIM_PAGE);
    watch_pages();
    free(p);
}

static cudaError_t check_prop(const CUmemAllocationProp *prop)
{
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return cudaErrorInvalidValue;
    if (prop->location.type == CU_MEM_LOCATION_TYPE_INVALID)
        return cudaErrorInvalidValue;
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        prop->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return cudaErrorNotSupported;
    return prop->location.id ? cudaErrorInvalidDevice : cudaSuccess;
}

static cudaError_t create(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                          unsigned long long flags)
{
    if (!handle || !prop || flags || !bytes)
        return cudaErrorInvalidValue;
    if (!is_whole(bytes))
        return refuse("the size must be a multiple of cuMemGetAllocationGranularity's answer, 2 MiB");
    cudaError_t e = check_prop(prop);
    if (e)
        return e;
    if (sim_inject_alloc() || !sim_pages_take(bytes / SIM_PAGE))
        return cudaErrorMemoryAllocation;
    if (file < 0)
        file = memfd_create("device memory", MFD_CLOEXEC);
    struct physical *p = calloc(1, sizeof *p);
    struct sim_block *b = p ? sim_block_adopt(SIM_PHYSICAL, p, bytes) : NULL;
    if (!b || file < 0 || ftruncate(file, (off_t)(file_bytes + bytes))) {
        sim_block_disown(b);
        free(p);
        sim_pages_give(bytes / SIM_PAGE);
        return cudaErrorMemoryAllocation;
    }
    *p = (struct physical){
        .block = b, .offset = file_bytes, .bytes = bytes, .handles = 1, .prop = *prop, .next = all};
    file_bytes += bytes;
    all = p;
    sim_block_track(b);
    watch_pages();
    *handle = (uintptr_t)p;
    return cudaSuccess;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags which)
{
    cudaError_t e = enter(SIM_CALL);
    if (!e && (!bytes || !prop || which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
        e = cudaErrorInvalidValue;
    if (!e)
        *bytes = SIM_PAGE;
    return sim_driver_leave(e);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                     unsigned long long flags)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : create(handle, bytes, prop, flags));
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    cudaError_t e = enter(SIM_CALL);
    struct physical *p = e ? NULL : physical(handle);
    if (!e && (!p || !p->handles))
        e = refuse("no such handle: was it released before?");
    if (!e) {
        p->handles--;
        drop_unused(p);
    }
    return sim_driver_leave(e);
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle)
{
    cudaError_t e = enter(SIM_CALL);
    const struct physical *p = e ? NULL : memory_of(handle);
    if (!e && (!prop || !p))
        e = cudaErrorInvalidValue;
    if (!e)
        *prop = p->prop;
    return sim_driver_leave(e);
}

/* ---- reservations ---- */

static struct sim_block **slot(const struct sim_block *reservation, const void *p)
{
    struct sim_block **slots = reservation->extra;
    return &slots[(size_t)((const char *)p - reservation->base) / SIM_PAGE];
}

/* A page of a reservation is, or was, of this mapping no longer. */
static void unname(struct sim_block *mapping)
{
    if (mapping && !--mapping->refs)
        sim_block_disown(mapping);
}

void sim_vmm_forget(struct sim_block *reservation)
{
    for (size_t at = 0; reservation->extra && at < reservation->bytes; at += SIM_PAGE)
        unname(*slot(reservation, reservation->base + at));
    free(reservation->extra);
}

struct sim_block *sim_vmm_find(struct sim_block *reservation, const void *p)
{
    if ((size_t)((const char *)p - reservation->base) >= reservation->bytes)
        return NULL;
    return reservation->live ? *slot(reservation, p) : reservation;
}

static cudaError_t reserve(CUdeviceptr *p, size_t bytes, size_t alignment, CUdeviceptr hint,
                           unsigned long long flags)
{
    if (!p || flags || !bytes || alignment & (alignment - 1))
        return cudaErrorInvalidValue;
    if (!is_whole(bytes))
        return refuse("the size must be a multiple of cuMemGetAllocationGranularity's answer, 2 MiB");
    if (!is_whole(hint))
        return refuse("an address that is wished for must be a multiple of 2 MiB too");
    struct sim_block *b = sim_reserve(bytes, alignment ? alignment : 1, (char *)hint);
    if (!b)
        return cudaErrorMemoryAllocation;
    b->extra = calloc(bytes / SIM_PAGE, sizeof(struct sim_block *));
    if (!b->extra) {
        sim_unreserve(b);
        return cudaErrorMemoryAllocation;
    }
    *p = (CUdeviceptr)b->base;
    return cudaSuccess;
}

CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t alignment, CUdeviceptr hint,
                             unsigned long long flags)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : reserve(p, bytes, alignment, hint, flags));
}

static cudaError_t unreserve(CUdeviceptr p, size_t bytes)
{
    struct sim_block *b = sim_reservation((void *)p);
    if (!b || (uintptr_t)b->base != p || b->bytes != bytes)
        return refuse("address and size must be those of one cuMemAddressReserve");
    for (size_t at = 0; at < bytes; at += SIM_PAGE) {
        const struct sim_block *m = *slot(b, b->base + at);
        if (m && m->live)
            return refuse("memory is mapped there still: cuMemUnmap it first");
    }
    sim_unreserve(b);
    return cudaSuccess;
}

CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : unreserve(p, bytes));
}

/* ---- mappings ---- */

static struct sim_block *mapping_at(const void *p)
{
    struct sim_block *b = sim_find(p);
    return b && b->live && b->kind == SIM_MAPPED ? b : NULL;
}

size_t sim_vmm_reach(const struct sim_block *b, const char *p, bool writes)
{
    const char *end = p;
    while (b && (writes ? b->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE : b->flags != 0)) {
        end = b->base + b->bytes;
        b = mapping_at(end);
    }
    return (size_t)(end - p);
}

/* Give an address back to its reservation: nothing is there. */
static void close_address(char *p, size_t bytes)
{
    mmap(p, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    madvise(p, bytes, MADV_HUGEPAGE);
}

static void protect(const struct sim_block *b, bool open)
{
    int how = b->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
              : b->flags                                     ? PROT_READ
                                                             : PROT_NONE;
    mprotect(b->base, b->bytes, open ? how : PROT_NONE);
}

void sim_vmm_protect(bool open)
{
    for (size_t i = 0; i < mapped_count; i++)
        protect(mapped[i], open);
}

/* The whole range is reserved, and nothing is mapped there. */
static bool is_vacant(const char *p, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += SIM_PAGE)
        if (!sim_reservation(p + at) || mapping_at(p + at))
            return false;
    return true;
}

static bool show_file(const struct sim_block *b, const struct physical *p)
{
    return mmap(b->base, b->bytes, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
                (off_t)p->offset) != MAP_FAILED;
}

/* Away from an address that is given up. A huge page stays one between multiples of its size. */
static void park(const struct sim_block *b, struct physical *p)
{
    char *raw =
        mmap(NULL, b->bytes + SIM_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
        return;
    size_t before = SIM_PAGE - (uintptr_t)raw % SIM_PAGE;
    munmap(raw, before);
    munmap(raw + before + b->bytes, SIM_PAGE - before);
    p->parked = raw + before;
    mremap(b->base, b->bytes, b->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, p->parked);
}

/* The pages become the file's, at the one address they have. */
static bool share(struct physical *p)
{
    size_t i = 0;
    while (mapped[i]->extra != p)
        i++;
    const struct sim_block *b = mapped[i];
    bool whole = !mprotect(b->base, b->bytes, PROT_READ);
    for (size_t at = 0; whole && p->filled && at < b->bytes; at += SIM_PAGE)
        whole = pwrite(file, b->base + at, SIM_PAGE, (off_t)(p->offset + at)) == SIM_PAGE;
    p->shared = whole && show_file(b, p);
    protect(b, sim_memory_unlocked());
    return p->shared;
}

static bool show(const struct sim_block *b, struct physical *p)
{
    if (p->maps && !p->shared && !share(p))
        return false;
    if (p->shared)
        return show_file(b, p);
    if (p->parked &&
        mremap(p->parked, b->bytes, b->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, b->base) == MAP_FAILED)
        return false;
    p->parked = NULL;
    protect(b, false);
    return true;
}

static cudaError_t map(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                       unsigned long long flags)
{
    struct physical *from = memory_of(handle);
    if (!from || flags || !bytes)
        return cudaErrorInvalidValue;
    if (!is_whole(p) || !is_whole(bytes) || !is_whole(offset))
        return refuse("address, size and offset must be multiples of 2 MiB");
    if (offset || bytes != from->bytes) {
        refuse("a handle is mapped as a whole: create several smaller ones");
        return cudaErrorNotSupported;
    }
    if (!is_vacant((const char *)p, bytes))
        return refuse("all of the range must be reserved, and nothing be mapped there");
    struct sim_block **longer = sim_room(mapped, mapped_count, &mapped_room, sizeof *mapped);
    mapped = longer ? longer : mapped;
    struct sim_block *b = longer ? sim_block_adopt(SIM_MAPPED, (void *)p, bytes) : NULL;
    if (!b || !show(b, from)) {
        sim_block_disown(b);
        return cudaErrorMemoryAllocation;
    }
    b->extra = from;
    from->maps++;
    for (size_t at = 0; at < bytes; at += SIM_PAGE) {
        struct sim_block **s = slot(sim_reservation(b->base + at), b->base + at);
        unname(*s);
        *s = b;
        b->refs++;
    }
    mapped[mapped_count++] = b;
    return cudaSuccess;
}

CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : map(p, bytes, offset, handle, flags));
}

static void unmap(struct sim_block *b)
{
    struct physical *from = b->extra;
    b->freed = sim_call;
    if (b->flags)
        watch_close(b, from->maps == 1);
    if (!from->shared && from->handles)
        park(b, from);
    close_address(b->base, b->bytes);
    b->live = false;
    for (size_t i = 0; i < mapped_count; i++)
        if (mapped[i] == b)
            mapped[i--] = mapped[--mapped_count];
    from->maps--;
    drop_unused(from);
}

/* True when the range is made up of whole mappings and, where that is allowed, of pages without one. */
static bool is_mapped(CUdeviceptr p, size_t bytes, bool holes)
{
    const char *at = (char *)p, *end = at + bytes;
    while (at < end) {
        const struct sim_block *b = mapping_at(at);
        if (b ? b->base != at : !holes || !sim_reservation(at))
            return false;
        at += b ? b->bytes : SIM_PAGE;
    }
    return at == end && bytes && is_whole(p);
}

/* Waits for nothing: work that is queued for this memory fails. The checker lets it run, to name it. */
static cudaError_t unmap_range(CUdeviceptr p, size_t bytes)
{
    if (!is_mapped(p, bytes, true))
        return refuse("the range must be one or more whole mappings: a part of one cannot go");
    if (sim_checked && !sim_sticky())
        sim_device_finish();
    if (sim_sticky())
        watch_host_waited_all(); /* nothing runs any more */
    size_t left = mapped_count;
    for (char *at = (char *)p, *end = at + bytes; at < end;) {
        struct sim_block *b = mapping_at(at);
        at += b ? b->bytes : SIM_PAGE;
        if (b)
            unmap(b);
    }
    if (mapped_count == left)
        note("finds nothing", "no memory is mapped there: was it unmapped before?");
    return cudaSuccess;
}

CUresult cuMemUnmap(CUdeviceptr p, size_t bytes)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : unmap_range(p, bytes));
}

/* ---- access ---- */

static cudaError_t give_access(struct sim_block *b, unsigned flags)
{
    struct physical *p = b->extra;
    if (!b->flags && flags && !watch_open(b, p->offset, !p->filled))
        return cudaErrorMemoryAllocation;
    if (b->flags && !flags)
        watch_close(b, p->maps == 1);
    b->flags = flags;
    if (flags && !p->filled) {
        mprotect(b->base, b->bytes, PROT_READ | PROT_WRITE);
        sim_fill(b->base, b->bytes, SIM_FRESH);
        p->filled = true;
    }
    protect(b, sim_memory_unlocked());
    return cudaSuccess;
}

static cudaError_t set_access(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *list, size_t count)
{
    if (!list || !count)
        return cudaErrorInvalidValue;
    if (!is_mapped(p, bytes, false))
        return refuse("the range must be one or more whole mappings, without a hole");
    for (size_t i = 0; i < count; i++) {
        if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
            return cudaErrorNotSupported;
        if (list[i].location.id || list[i].flags & ~CU_MEM_ACCESS_FLAGS_PROT_READWRITE ||
            list[i].flags == 2) /* writing alone */
            return cudaErrorInvalidValue;
    }
    cudaError_t e = cudaSuccess;
    if (!sim_sticky())
        sim_device_finish(); /* what is queued has the access it was queued with */
    for (char *at = (char *)p, *end = at + bytes; !e && at < end;) {
        struct sim_block *b = mapping_at(at);
        e = give_access(b, list[count - 1].flags);
        at += b->bytes;
    }
    return e;
}

CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *list, size_t count)
{
    cudaError_t e = enter(SIM_CALL);
    return sim_driver_leave(e ? e : set_access(p, bytes, list, count));
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr p)
{
    cudaError_t e = enter(SIM_CALL);
    const struct sim_block *b = e ? NULL : mapping_at((void *)p);
    bool of_device = location && location->type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (!e && (!flags || !location))
        e = cudaErrorInvalidValue;
    if (!e && of_device && location->id)
        e = cudaErrorInvalidDevice;
    if (!e)
        *flags = b && of_device ? b->flags : CU_MEM_ACCESS_FLAGS_PROT_NONE; /* even where it is an error: */
    if (!e && !b)
        e = cudaErrorInvalidValue;
    return sim_driver_leave(e);
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *p)
{
    cudaError_t e = enter(SIM_CALL);
    const struct sim_block *b = e ? NULL : mapping_at(p);
    if (!e && (!handle || !b))
        e = cudaErrorInvalidValue;
    if (!e) {
        struct physical *from = b->extra;
        from->handles++;
        *handle = (uintptr_t)from;
    }
    return sim_driver_leave(e);
}
