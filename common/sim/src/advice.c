/* SPDX-License-Identifier: MIT */
/* Managed memory: one copy of it here, so hints move nothing; they are kept, page by page, for questions. */
#include <stdlib.h>
#include <string.h>
#include "sim.h"

enum { HINT_PAGE = 4096 };
enum which { PREFERRED, PREFETCHED };

struct sim_hint {
    bool read_mostly, by_device, by_host;
    struct place {
        short type, id; /* cudaMemLocation's */
    } place[2];         /* preferred, prefetched to last */
};

static cudaError_t check_managed(const void *p, size_t bytes)
{
    const struct sim_block *b = sim_find(p);
    if (!bytes || !b || !b->live ||
        (b->kind != SIM_MANAGED && !(b->kind == SIM_SYMBOL && b->flags == SIM_SPACE_MANAGED)))
        return cudaErrorInvalidValue;
    return sim_check_range(p, bytes, "range");
}

static bool location_exists(struct cudaMemLocation l)
{
    return (l.type == cudaMemLocationTypeDevice && l.id == 0) || l.type == cudaMemLocationTypeHost ||
           l.type == cudaMemLocationTypeHostNuma || l.type == cudaMemLocationTypeHostNumaCurrent;
}

/* ---- the hints of a range's pages ---- */

static size_t page_of(const struct sim_block *b, const char *p)
{
    return (uintptr_t)p / HINT_PAGE - (uintptr_t)b->base / HINT_PAGE;
}

/* The first page's, and how many pages there are; NULL without memory. */
static struct sim_hint *hints(struct sim_block *b, const char *p, size_t bytes, size_t *count)
{
    size_t first = page_of(b, p);
    if (!b->hints)
        b->hints = calloc(page_of(b, b->base + b->bytes - 1) + 1, sizeof *b->hints);
    *count = page_of(b, p + bytes - 1) + 1 - first;
    return b->hints ? b->hints + first : NULL;
}

static void keep_place(struct sim_hint *h, enum which which, const struct cudaMemLocation *l)
{
    bool numa = l->type == cudaMemLocationTypeHostNumaCurrent; /* there is one node */
    h->place[which] =
        numa ? (struct place){cudaMemLocationTypeHostNuma, 0} : (struct place){(short)l->type, (short)l->id};
}

static void keep_advice(struct sim_hint *h, enum cudaMemoryAdvise advice, const struct cudaMemLocation *l)
{
    bool *by = l->type == cudaMemLocationTypeDevice ? &h->by_device : &h->by_host;
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        h->read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation:
        keep_place(h, PREFERRED, l);
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        h->place[PREFERRED] = (struct place){0, 0};
        break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
        *by = advice == cudaMemAdviseSetAccessedBy;
    }
}

/* What is said of all pages of the range. */
static struct sim_hint said_of_all(struct sim_block *b, const void *p, size_t bytes)
{
    size_t count = 0;
    const struct sim_hint *h = b->hints ? hints(b, p, bytes, &count) : NULL;
    struct sim_hint all = h ? *h : (struct sim_hint){.read_mostly = false};
    for (size_t i = 1; i < count; i++) {
        all.read_mostly = all.read_mostly && h[i].read_mostly;
        all.by_device = all.by_device && h[i].by_device;
        all.by_host = all.by_host && h[i].by_host;
        for (int k = PREFERRED; k <= PREFETCHED; k++)
            if (all.place[k].type != h[i].place[k].type || all.place[k].id != h[i].place[k].id)
                all.place[k] = (struct place){0, 0};
    }
    return all;
}

/* ---- questions ---- */

static bool fits(enum cudaMemRangeAttribute which, size_t bytes)
{
    if (which == cudaMemRangeAttributeAccessedBy)
        return bytes && bytes % sizeof(int) == 0;
    return which >= cudaMemRangeAttributeReadMostly && which <= cudaMemRangeAttributeLastPrefetchLocationId &&
           bytes == sizeof(int);
}

static int id_of(const struct place *p)
{
    return !p->type ? cudaInvalidDeviceId : p->type == cudaMemLocationTypeHost ? cudaCpuDeviceId : p->id;
}

static int number(const struct place *p)
{
    return !p->type ? cudaInvalidDeviceId : p->type == cudaMemLocationTypeDevice ? p->id : cudaCpuDeviceId;
}

static void give(const struct sim_hint *h, enum cudaMemRangeAttribute which, int *out, size_t bytes)
{
    const struct place *preferred = &h->place[PREFERRED], *prefetched = &h->place[PREFETCHED];
    const int by[] = {0, cudaCpuDeviceId};
    const bool is_by[] = {h->by_device, h->by_host};
    switch (which) {
    case cudaMemRangeAttributeReadMostly:
        *out = h->read_mostly;
        break;
    case cudaMemRangeAttributePreferredLocation:
        *out = number(preferred);
        break;
    case cudaMemRangeAttributeLastPrefetchLocation:
        *out = number(prefetched);
        break;
    case cudaMemRangeAttributePreferredLocationType:
        *out = preferred->type;
        break;
    case cudaMemRangeAttributePreferredLocationId:
        *out = id_of(preferred);
        break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
        *out = prefetched->type;
        break;
    case cudaMemRangeAttributeLastPrefetchLocationId:
        *out = id_of(prefetched);
        break;
    case cudaMemRangeAttributeAccessedBy: {
        size_t room = bytes / sizeof *out, n = 0;
        for (size_t i = 0; i < 2 && n < room; i++)
            if (is_by[i])
                out[n++] = by[i];
        while (n < room)
            out[n++] = cudaInvalidDeviceId;
    }
    }
}

static cudaError_t get(void **out, const size_t *bytes, const enum cudaMemRangeAttribute *which, size_t count,
                       const void *p, size_t range)
{
    if (!out || !bytes || !which || !count)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!out[i] || !fits(which[i], bytes[i]))
            return cudaErrorInvalidValue;
    cudaError_t e = check_managed(p, range);
    if (e)
        return e;
    struct sim_hint h = said_of_all(sim_find(p), p, range);
    for (size_t i = 0; i < count; i++)
        give(&h, which[i], out[i], bytes[i]);
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *p, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : get(&data, &dataSize, &attribute, 1, p, bytes));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t count, const void *p, size_t bytes)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : get(data, dataSizes, attributes, count, p, bytes));
}

/* ---- hints ---- */

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_managed(p, bytes);
    if (!e && flags)
        e = cudaErrorInvalidValue;
    if (!e && !location_exists(location))
        e = cudaErrorInvalidDevice;
    if (!e && !sim_stream(stream))
        e = cudaErrorInvalidResourceHandle;
    size_t count = 0;
    struct sim_hint *h = e ? NULL : hints(sim_find(p), p, bytes, &count);
    for (size_t i = 0; h && i < count; i++)
        keep_place(&h[i], PREFETCHED, &location);
    return sim_leave(e);
}

cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_managed(p, bytes);
    if (!e && (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy))
        e = cudaErrorInvalidValue;
    if (!e && advice > cudaMemAdviseUnsetReadMostly && !location_exists(location))
        e = cudaErrorInvalidDevice;
    size_t count = 0;
    struct sim_hint *h = e ? NULL : hints(sim_find(p), p, bytes, &count);
    for (size_t i = 0; h && i < count; i++)
        keep_advice(&h[i], advice, &location);
    return sim_leave(e);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct sim_block *b = e ? NULL : sim_find(p);
    bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (!e && (!b || !b->live || b->kind != SIM_MANAGED || (bytes && bytes != b->bytes) || !known))
        e = cudaErrorInvalidValue;
    if (!e && !sim_stream(stream))
        e = cudaErrorInvalidResourceHandle;
    if (!e && flags == cudaMemAttachSingle && !stream)
        e = cudaErrorInvalidValue;
    if (!e) { /* whose kernels keep the host away, where the two may not share */
        b->flags = flags == cudaMemAttachHost ? cudaMemAttachHost : cudaMemAttachGlobal;
        b->extra = flags == cudaMemAttachGlobal ? NULL : sim_stream(stream);
    }
    return sim_leave(e);
}
