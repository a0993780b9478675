/* SPDX-License-Identifier: MIT */
/* The runtime's calls on memory pools: making them, choosing one, their attributes. */
#include "pool.h"

static cudaError_t give_pool(cudaMemPool_t *out, struct CUmemPoolHandle_st *(*which)(void))
{
    if (!out)
        return cudaErrorInvalidValue;
    struct CUmemPoolHandle_st *pool = which();
    if (!pool)
        return cudaErrorMemoryAllocation;
    *out = pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && out && device)
        e = cudaErrorInvalidDevice;
    return sim_leave(e ? e : give_pool(out, pool_default));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && device)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : give_pool(out, pool_current));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (device || !pool_find(handle)))
        e = cudaErrorInvalidValue;
    if (!e)
        pool_choose(handle);
    return sim_leave(e);
}

/* ---- the same for a place: of which there is the one device ---- */

static cudaError_t check_place(const struct cudaMemLocation *l, enum cudaMemAllocationType type)
{
    if (!l || (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
        return cudaErrorInvalidValue;
    if (type == cudaMemAllocationTypePinned && l->type == cudaMemLocationTypeDevice)
        return l->id ? cudaErrorInvalidValue : cudaSuccess;
    return cudaErrorNotSupported;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_place(location, type);
    return sim_leave(e ? e : give_pool(out, pool_default));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_place(location, type);
    return sim_leave(e ? e : give_pool(out, pool_current));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_place(location, type);
    if (!e && !pool_find(handle))
        e = cudaErrorInvalidValue;
    if (!e)
        pool_choose(handle);
    return sim_leave(e);
}

/* ---- making and attributes ---- */

static cudaError_t check_props(const struct cudaMemPoolProps *p)
{
    if (p->allocType != cudaMemAllocationTypePinned)
        return cudaErrorInvalidValue;
    if (p->location.type != cudaMemLocationTypeDevice || p->location.id)
        return cudaErrorInvalidValue;
    const unsigned known = cudaMemHandleTypePosixFileDescriptor | cudaMemHandleTypeWin32 |
                           cudaMemHandleTypeWin32Kmt | cudaMemHandleTypeFabric;
    if ((unsigned)p->handleTypes & ~known)
        return cudaErrorInvalidValue;
    return p->handleTypes ? cudaErrorNotSupported : cudaSuccess; /* no sharing with other processes */
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = out && props ? check_props(props) : cudaErrorInvalidValue;
    struct CUmemPoolHandle_st *pool = e ? NULL : pool_new();
    if (!e && !pool)
        e = cudaErrorMemoryAllocation;
    if (!e) {
        pool->most = props->maxSize;
        *out = pool;
    }
    return sim_leave(e);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUmemPoolHandle_st *pool = e ? NULL : pool_find(handle);
    if (!e && (!pool || pool == pool_default()))
        e = cudaErrorInvalidValue;
    if (!e)
        pool_destroy(pool);
    return sim_leave(e);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUmemPoolHandle_st *pool = e ? NULL : pool_find(handle);
    if (!e && !pool)
        e = cudaErrorInvalidValue;
    if (!e)
        pool_trim(pool, keep, keep);
    return sim_leave(e);
}

static cudaError_t set_attribute(struct CUmemPoolHandle_st *pool, enum cudaMemPoolAttr attribute,
                                 const void *value)
{
    switch ((int)attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
        pool->follow_events = *(const int *)value != 0;
        return cudaSuccess;
    case cudaMemPoolReuseAllowOpportunistic:
        pool->opportunistic = *(const int *)value != 0;
        return cudaSuccess;
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->internal_dependencies = *(const int *)value != 0;
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        pool->threshold = *(const uint64_t *)value;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh: /* a high mark can only be set back */
        if (*(const uint64_t *)value)
            return cudaErrorInvalidValue;
        pool->reserved_high = pool->reserved;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
        if (*(const uint64_t *)value)
            return cudaErrorInvalidValue;
        pool->used_high = pool->used;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t get_attribute(const struct CUmemPoolHandle_st *pool, enum cudaMemPoolAttr attribute,
                                 void *value)
{
    switch ((int)attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
        *(int *)value = pool->follow_events;
        return cudaSuccess;
    case cudaMemPoolReuseAllowOpportunistic:
        *(int *)value = pool->opportunistic;
        return cudaSuccess;
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->internal_dependencies;
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = pool->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
        *(uint64_t *)value = pool->reserved;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
        *(uint64_t *)value = pool->reserved_high;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = pool->used;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = pool->used_high;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUmemPoolHandle_st *pool = e ? NULL : pool_find(handle);
    if (!e && (!pool || !value))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : set_attribute(pool, attribute, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct CUmemPoolHandle_st *pool = e ? NULL : pool_find(handle);
    if (!e && (!pool || !value))
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : get_attribute(pool, attribute, value));
}

/* The one device always has access to its own pools. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list, size_t count)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!pool_find(handle) || (count && !list)))
        e = cudaErrorInvalidValue;
    for (size_t i = 0; !e && i < count; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].flags == cudaMemAccessFlagsProtRead)
            e = cudaErrorNotSupported;
        else if (list[i].location.id || list[i].flags != cudaMemAccessFlagsProtReadWrite)
            e = cudaErrorInvalidDevice;
    return sim_leave(e);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                 struct cudaMemLocation *location)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!pool_find(handle) || !flags || !location))
        e = cudaErrorInvalidValue;
    bool here = !e && location->type == cudaMemLocationTypeDevice;
    if (!e && (here ? location->id != 0 : location->type == cudaMemLocationTypeInvalid))
        e = cudaErrorInvalidValue;
    if (!e)
        *flags = here ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return sim_leave(e);
}

/* ---- other processes: every pool is made without a type of handle to share it by ---- */

cudaError_t cudaMemPoolExportToShareableHandle(void *out, cudaMemPool_t handle,
                                               enum cudaMemAllocationHandleType type, unsigned flags)
{
    (void)out, (void)handle, (void)type, (void)flags;
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *from,
                                                 enum cudaMemAllocationHandleType type, unsigned flags)
{
    (void)out, (void)from, (void)flags;
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e                                              ? e
                     : type == cudaMemHandleTypePosixFileDescriptor ? cudaErrorUnknown /* no such file */
                                                                    : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *out, void *p)
{
    (void)out, (void)p;
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t handle, struct cudaMemPoolPtrExportData *data)
{
    (void)out, (void)handle, (void)data;
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : cudaErrorInvalidValue);
}
