/* SPDX-License-Identifier: MIT */
/*
 * What the device says of itself. The limits are an H200's (compute capability 9.0), so that a program
 * that fits here fits there; the name, the memory and what a CPU cannot have are our own.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "sim.h"

enum { DRIVER_VERSION = 13000, RUNTIME_VERSION = CUDART_VERSION };
static const char bus_id[] = "0000:00:00.0";

/* These answer after a sticky error too; and like any call of the runtime they make the driver ready. */
static void enter(const char *api, void *caller)
{
    sim_enter_always(api, caller);
    sim_runtime_used = true;
}

static void fill_properties(struct cudaDeviceProp *p)
{
    *p = (struct cudaDeviceProp){
        .totalGlobalMem = sim_settings.memory,
        .sharedMemPerBlock = SIM_SHARED_DEFAULT,
        .regsPerBlock = 65536,
        .warpSize = 32,
        .memPitch = INT32_MAX,
        .maxThreadsPerBlock = 1024,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {INT32_MAX, 65535, 65535},
        .totalConstMem = 65536,
        .major = 9,
        .minor = 0,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .multiProcessorCount = 132,
        .canMapHostMemory = 1,
        .maxTexture1D = 131072,
        .maxTexture2D = {131072, 65536},
        .maxTexture2DLinear = {131072, 65000, 2097120},
        .maxTexture3D = {16384, 16384, 16384},
        .maxTexture1DLayered = {32768, 2048},
        .maxTexture2DLayered = {32768, 32768, 2048},
        .maxSurface1D = 32768,
        .maxSurface2D = {131072, 65536},
        .maxSurface3D = {16384, 16384, 16384},
        .surfaceAlignment = 512,
        .concurrentKernels = 1,
        .asyncEngineCount = 3,
        .unifiedAddressing = 1,
        .memoryBusWidth = 6144,
        .l2CacheSize = 62914560,
        .persistingL2CacheMaxSize = 39321600,
        .accessPolicyMaxWindowSize = 134217728,
        .maxThreadsPerMultiProcessor = 2048,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = SIM_SHARED_SM,
        .regsPerMultiprocessor = 65536,
        .managedMemory = 1,
        .concurrentManagedAccess = sim_settings.concurrent_managed,
        .sharedMemPerBlockOptin = SIM_SHARED_OPTIN,
        .maxBlocksPerMultiProcessor = 32,
        .reservedSharedMemPerBlock = 1024,
        .cooperativeLaunch = 1,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .canUseHostPointerForRegisteredMem = 1,
    };
    strcpy(p->name, "Simulated device (CPU)");
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    enter(SIM_CALL);
    if (!p)
        return sim_leave(cudaErrorInvalidValue);
    if (device)
        return sim_leave(cudaErrorInvalidDevice);
    fill_properties(p);
    return sim_leave(cudaSuccess);
}

static cudaError_t attribute(int *value, enum cudaDeviceAttr a)
{
    struct cudaDeviceProp p;
    fill_properties(&p);
    switch (a) {
#define ANSWER(name, answer)                                                                                 \
    case cudaDevAttr##name:                                                                                  \
        *value = (int)(answer);                                                                              \
        return cudaSuccess
        ANSWER(MaxThreadsPerBlock, p.maxThreadsPerBlock);
        ANSWER(MaxBlockDimX, p.maxThreadsDim[0]);
        ANSWER(MaxBlockDimY, p.maxThreadsDim[1]);
        ANSWER(MaxBlockDimZ, p.maxThreadsDim[2]);
        ANSWER(MaxGridDimX, p.maxGridSize[0]);
        ANSWER(MaxGridDimY, p.maxGridSize[1]);
        ANSWER(MaxGridDimZ, p.maxGridSize[2]);
        ANSWER(MaxSharedMemoryPerBlock, p.sharedMemPerBlock);
        ANSWER(TotalConstantMemory, p.totalConstMem);
        ANSWER(WarpSize, p.warpSize);
        ANSWER(MaxPitch, p.memPitch);
        ANSWER(MaxRegistersPerBlock, p.regsPerBlock);
        ANSWER(ClockRate, 1980000);
        ANSWER(TextureAlignment, p.textureAlignment);
        ANSWER(TexturePitchAlignment, p.texturePitchAlignment);
        ANSWER(GpuOverlap, 1);
        ANSWER(MultiProcessorCount, p.multiProcessorCount);
        ANSWER(KernelExecTimeout, 0);
        ANSWER(Integrated, 0);
        ANSWER(CanMapHostMemory, p.canMapHostMemory);
        ANSWER(ComputeMode, cudaComputeModeDefault);
        ANSWER(MaxTexture1DWidth, p.maxTexture1D);
        ANSWER(MaxTexture2DWidth, p.maxTexture2D[0]);
        ANSWER(MaxTexture2DHeight, p.maxTexture2D[1]);
        ANSWER(MaxTexture3DWidth, p.maxTexture3D[0]);
        ANSWER(MaxTexture3DHeight, p.maxTexture3D[1]);
        ANSWER(MaxTexture3DDepth, p.maxTexture3D[2]);
        ANSWER(SurfaceAlignment, p.surfaceAlignment);
        ANSWER(ConcurrentKernels, p.concurrentKernels);
        ANSWER(EccEnabled, 0);
        ANSWER(PciBusId, 0);
        ANSWER(PciDeviceId, 0);
        ANSWER(PciDomainId, 0);
        ANSWER(TccDriver, 0);
        ANSWER(MemoryClockRate, 3201000);
        ANSWER(GlobalMemoryBusWidth, p.memoryBusWidth);
        ANSWER(L2CacheSize, p.l2CacheSize);
        ANSWER(MaxPersistingL2CacheSize, p.persistingL2CacheMaxSize);
        ANSWER(MaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize);
        ANSWER(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor);
        ANSWER(AsyncEngineCount, p.asyncEngineCount);
        ANSWER(UnifiedAddressing, p.unifiedAddressing);
        ANSWER(ComputeCapabilityMajor, p.major);
        ANSWER(ComputeCapabilityMinor, p.minor);
        ANSWER(StreamPrioritiesSupported, p.streamPrioritiesSupported);
        ANSWER(GlobalL1CacheSupported, p.globalL1CacheSupported);
        ANSWER(LocalL1CacheSupported, p.localL1CacheSupported);
        ANSWER(MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor);
        ANSWER(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor);
        ANSWER(ManagedMemory, p.managedMemory);
        ANSWER(IsMultiGpuBoard, 0);
        ANSWER(MultiGpuBoardGroupID, 0);
        ANSWER(HostNativeAtomicSupported, 0);
        ANSWER(PageableMemoryAccess, 0);
        ANSWER(ConcurrentManagedAccess, p.concurrentManagedAccess);
        ANSWER(ComputePreemptionSupported, 0);
        ANSWER(CanUseHostPointerForRegisteredMem, 1);
        ANSWER(CooperativeLaunch, p.cooperativeLaunch);
        ANSWER(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin);
        ANSWER(HostRegisterSupported, 1);
        ANSWER(PageableMemoryAccessUsesHostPageTables, 0);
        ANSWER(DirectManagedMemAccessFromHost, 0);
        ANSWER(MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor);
        ANSWER(ReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock);
        ANSWER(MemoryPoolsSupported, p.memoryPoolsSupported);
#undef ANSWER
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr a, int device)
{
    enter(SIM_CALL);
    return sim_leave(!value ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : attribute(value, a));
}

/* ---- which device: there is one ---- */

static cudaError_t give_int(int *out, int value)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = value;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    enter(SIM_CALL);
    return sim_leave(give_int(count, 1));
}

cudaError_t cudaGetDevice(int *device)
{
    enter(SIM_CALL);
    return sim_leave(give_int(device, 0));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    enter(SIM_CALL);
    return sim_leave(wanted ? give_int(device, 0) : cudaErrorInvalidValue);
}

cudaError_t cudaSetDevice(int device)
{
    enter(SIM_CALL);
    if (!device)
        sim_runtime_here = true; /* it makes the device's context, as few calls here do */
    return sim_leave(device ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    (void)device_flags;
    return sim_leave(device ? cudaErrorInvalidDevice : flags > 1 ? cudaErrorInvalidValue : e);
}

static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags & ~(unsigned)cudaDeviceMask)
        e = cudaErrorInvalidValue;
    if (!e)
        device_flags = flags;
    return sim_leave(e);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !flags)
        e = cudaErrorInvalidValue;
    if (!e)
        *flags = device_flags | cudaDeviceMapHost;
    return sim_leave(e);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    enter(SIM_CALL);
    if (device)
        return sim_leave(cudaErrorInvalidDevice);
    if (!text || length < (int)sizeof bus_id)
        return sim_leave(cudaErrorInvalidValue);
    strcpy(text, bus_id);
    return sim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    enter(SIM_CALL);
    if (!text)
        return sim_leave(cudaErrorInvalidValue);
    return sim_leave(strcmp(text, bus_id) ? cudaErrorInvalidDevice : give_int(device, 0));
}

cudaError_t cudaDriverGetVersion(int *version)
{
    enter(SIM_CALL);
    return sim_leave(give_int(version, DRIVER_VERSION));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    enter(SIM_CALL);
    return sim_leave(give_int(version, RUNTIME_VERSION));
}

/* ---- peers: the device has none ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : device || peer ? cudaErrorInvalidDevice : give_int(can, 0));
}

/* A link has two ends, and there is one device. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source, int target)
{
    cudaError_t e = sim_enter(SIM_CALL);
    (void)attribute, (void)source, (void)target;
    return sim_leave(e ? e : value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e       ? e
                     : flags ? cudaErrorInvalidValue
                     : peer  ? cudaErrorInvalidDevice
                             : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* ---- limits and preferences: kept and given back; of what they tune only the heap is short here ---- */

enum { HEAP_DEFAULT = 8 << 20, HEAP_LEAST = 4 << 20, HEAP_STEP = 64 << 10 };

static size_t limits[] = {[cudaLimitStackSize] = 1024,
                          [cudaLimitPrintfFifoSize] = 1 << 20,
                          [cudaLimitMallocHeapSize] = HEAP_DEFAULT,
                          [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                          [cudaLimitMaxL2FetchGranularity] = 128,
                          [cudaLimitPersistingL2CacheSize] = 0};
static enum cudaFuncCache cache_config = cudaFuncCachePreferNone;

static bool limit_exists(enum cudaLimit limit)
{
    return (size_t)limit < sizeof limits / sizeof *limits;
}

void sim_heap_limit_reset(void)
{
    limits[cudaLimitMallocHeapSize] = HEAP_DEFAULT;
}

size_t sim_heap_limit(void)
{
    return limits[cudaLimitMallocHeapSize];
}

static cudaError_t check_limit(enum cudaLimit limit)
{
    return !limit_exists(limit)                    ? cudaErrorInvalidValue
           : limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit /* from 9.0 on */
                                                   : cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = check_limit(limit);
    if (!e && limit == cudaLimitMallocHeapSize) {
        e = sim_heap_may_change();
        value = value < HEAP_LEAST ? HEAP_LEAST : (value + HEAP_STEP - 1) / HEAP_STEP * HEAP_STEP;
    }
    if (!e)
        limits[limit] = value;
    return sim_leave(e);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = value ? check_limit(limit) : cudaErrorInvalidValue;
    if (!e)
        *value = limits[limit];
    return sim_leave(e);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        cache_config = config;
    return sim_leave(e);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !config)
        e = cudaErrorInvalidValue;
    if (!e)
        *config = cache_config;
    return sim_leave(e);
}

/* Model cycles: each look at the clock is 100 of them. A thread that looks again and again waits for time to
 * pass: its looks become longer, so that the wait ends soon. */
long long sim_clock(void)
{
    enum { LOOK = 100, FEW = 8, DOUBLINGS = 14 };
    static long long cycles;
    static unsigned looks;
    static uint3 last[2];
    uint3 now[2] = {blockIdx, threadIdx};
    looks = memcmp(last, now, sizeof now) ? 0 : looks + 1;
    memcpy(last, now, sizeof now);
    unsigned doublings = looks < FEW ? 0 : looks - FEW;
    return cycles += LOOK << (doublings < DOUBLINGS ? doublings : DOUBLINGS);
}

/* What the headers make of clock(): the device's in a kernel, the C library's elsewhere. */
clock_t sim_clock_any(void)
{
    return sim_running() ? (clock_t)sim_clock() : clock();
}
