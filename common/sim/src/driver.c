/* SPDX-License-Identifier: MIT */
/* The driver API where it is the runtime under other names: errors, the device, contexts, plain memory. */
#include <stdlib.h>
#include "sim.h"

/* ---- errors: their numbers, and words, are the runtime's ---- */

#define N(code) {code, #code}
static const struct {
    CUresult code;
    const char *name;
} names[] = {
    N(CUDA_SUCCESS), N(CUDA_ERROR_INVALID_VALUE), N(CUDA_ERROR_OUT_OF_MEMORY),
    N(CUDA_ERROR_NOT_INITIALIZED), N(CUDA_ERROR_DEINITIALIZED), N(CUDA_ERROR_PROFILER_DISABLED),
    N(CUDA_ERROR_PROFILER_NOT_INITIALIZED), N(CUDA_ERROR_PROFILER_ALREADY_STARTED),
    N(CUDA_ERROR_PROFILER_ALREADY_STOPPED), N(CUDA_ERROR_STUB_LIBRARY),
    N(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER), N(CUDA_ERROR_DEVICE_UNAVAILABLE), N(CUDA_ERROR_NO_DEVICE),
    N(CUDA_ERROR_INVALID_DEVICE), N(CUDA_ERROR_DEVICE_NOT_LICENSED), N(CUDA_ERROR_INVALID_IMAGE),
    N(CUDA_ERROR_INVALID_CONTEXT), N(CUDA_ERROR_CONTEXT_ALREADY_CURRENT), N(CUDA_ERROR_MAP_FAILED),
    N(CUDA_ERROR_UNMAP_FAILED), N(CUDA_ERROR_ARRAY_IS_MAPPED), N(CUDA_ERROR_ALREADY_MAPPED),
    N(CUDA_ERROR_NO_BINARY_FOR_GPU), N(CUDA_ERROR_ALREADY_ACQUIRED), N(CUDA_ERROR_NOT_MAPPED),
    N(CUDA_ERROR_NOT_MAPPED_AS_ARRAY), N(CUDA_ERROR_NOT_MAPPED_AS_POINTER), N(CUDA_ERROR_ECC_UNCORRECTABLE),
    N(CUDA_ERROR_UNSUPPORTED_LIMIT), N(CUDA_ERROR_CONTEXT_ALREADY_IN_USE),
    N(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED), N(CUDA_ERROR_INVALID_PTX),
    N(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT), N(CUDA_ERROR_NVLINK_UNCORRECTABLE),
    N(CUDA_ERROR_JIT_COMPILER_NOT_FOUND), N(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    N(CUDA_ERROR_JIT_COMPILATION_DISABLED), N(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    N(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC), N(CUDA_ERROR_CONTAINED), N(CUDA_ERROR_INVALID_SOURCE),
    N(CUDA_ERROR_FILE_NOT_FOUND), N(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    N(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED), N(CUDA_ERROR_OPERATING_SYSTEM), N(CUDA_ERROR_INVALID_HANDLE),
    N(CUDA_ERROR_ILLEGAL_STATE), N(CUDA_ERROR_LOSSY_QUERY), N(CUDA_ERROR_NOT_FOUND),
    N(CUDA_ERROR_NOT_READY), N(CUDA_ERROR_ILLEGAL_ADDRESS), N(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    N(CUDA_ERROR_LAUNCH_TIMEOUT), N(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    N(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED), N(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    N(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE), N(CUDA_ERROR_CONTEXT_IS_DESTROYED), N(CUDA_ERROR_ASSERT),
    N(CUDA_ERROR_TOO_MANY_PEERS), N(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    N(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED), N(CUDA_ERROR_HARDWARE_STACK_ERROR),
    N(CUDA_ERROR_ILLEGAL_INSTRUCTION), N(CUDA_ERROR_MISALIGNED_ADDRESS),
    N(CUDA_ERROR_INVALID_ADDRESS_SPACE), N(CUDA_ERROR_INVALID_PC), N(CUDA_ERROR_LAUNCH_FAILED),
    N(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE), N(CUDA_ERROR_TENSOR_MEMORY_LEAK),
    N(CUDA_ERROR_NOT_PERMITTED), N(CUDA_ERROR_NOT_SUPPORTED), N(CUDA_ERROR_SYSTEM_NOT_READY),
    N(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH), N(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    N(CUDA_ERROR_MPS_CONNECTION_FAILED), N(CUDA_ERROR_MPS_RPC_FAILURE), N(CUDA_ERROR_MPS_SERVER_NOT_READY),
    N(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED), N(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED),
    N(CUDA_ERROR_MPS_CLIENT_TERMINATED), N(CUDA_ERROR_CDP_NOT_SUPPORTED),
    N(CUDA_ERROR_CDP_VERSION_MISMATCH), N(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    N(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED), N(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    N(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED), N(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    N(CUDA_ERROR_STREAM_CAPTURE_ISOLATION), N(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    N(CUDA_ERROR_CAPTURED_EVENT), N(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD), N(CUDA_ERROR_TIMEOUT),
    N(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE), N(CUDA_ERROR_EXTERNAL_DEVICE),
    N(CUDA_ERROR_INVALID_CLUSTER_SIZE), N(CUDA_ERROR_FUNCTION_NOT_LOADED),
    N(CUDA_ERROR_INVALID_RESOURCE_TYPE), N(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
    N(CUDA_ERROR_KEY_ROTATION), N(CUDA_ERROR_UNKNOWN),
};

static const char *name_of(CUresult error)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == error)
            return names[i].name;
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = name_of(error);
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = name_of(error) ? cudaGetErrorString((cudaError_t)error) : NULL;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- contexts: names, since all of them share the one device's memory ---- */

struct CUctx_st {
    struct CUctx_st *next;
};

static struct CUctx_st primary; /* the runtime's; heads the list of those that are made */
static bool initialised;
static bool chosen; /* some thread has, or had, a context */
static __thread CUcontext current;

static bool exists(CUcontext c)
{
    for (CUcontext i = &primary; i; i = i->next)
        if (i == c)
            return true;
    return false;
}

static CUcontext context(void)
{
    if (current && !exists(current))
        current = NULL; /* another thread has destroyed it */
    return current || !sim_runtime_here ? current : &primary;
}

cudaError_t sim_driver_ready(bool wants_context)
{
    if (!initialised && !sim_runtime_used)
        return cudaErrorInitializationError;
    return wants_context && !context() ? cudaErrorDeviceUninitialized : cudaSuccess;
}

CUresult cuInit(unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    sim_enter_always(SIM_CALL);
    initialised = true;
    return (CUresult)sim_leave(cudaSuccess);
}

static void set_current(CUcontext c)
{
    chosen = chosen || c || sim_runtime_here;
    current = c;
    sim_runtime_here = false;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!out || device))
        e = out ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    if (!e)
        *out = &primary;
    return sim_driver_leave(e);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    return sim_driver_leave(e ? e : device ? cudaErrorInvalidDevice : cudaSuccess);
}

CUresult cuCtxCreate(CUcontext *out, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!out || flags & ~(unsigned)CU_CTX_FLAGS_MASK))
        e = cudaErrorInvalidValue;
    if (!e && (params || device))
        e = params ? cudaErrorNotSupported : cudaErrorInvalidDevice;
    CUcontext c = e ? NULL : calloc(1, sizeof *c);
    if (!e && !c)
        e = cudaErrorMemoryAllocation;
    if (!e) {
        c->next = primary.next;
        primary.next = c;
        set_current(c);
        *out = c;
    }
    return sim_driver_leave(e);
}

CUresult cuCtxDestroy(CUcontext c)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!c || !exists(c) || c == &primary))
        e = c ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue;
    if (!e)
        e = sim_device_finish();
    if (!e) {
        CUcontext at = &primary;
        while (at->next != c)
            at = at->next;
        at->next = c->next;
        free(c);
    }
    return sim_driver_leave(e);
}

CUresult cuCtxGetCurrent(CUcontext *out)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e)
        *out = context();
    return sim_driver_leave(e);
}

CUresult cuCtxSetCurrent(CUcontext c)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && c && !exists(c))
        e = cudaErrorDeviceUninitialized;
    if (!e)
        set_current(c);
    return sim_driver_leave(e);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e && !device)
        e = cudaErrorInvalidValue;
    if (!e)
        *device = 0;
    return sim_driver_leave(e);
}

/* ---- the device ---- */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!device || ordinal))
        e = device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    if (!e)
        *device = 0;
    return sim_driver_leave(e);
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    struct cudaDeviceProp all;
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!name || bytes <= 0))
        e = cudaErrorInvalidValue;
    if (!e)
        e = cudaGetDeviceProperties(&all, device);
    if (!e)
        snprintf(name, (size_t)bytes, "%s", all.name);
    return sim_driver_leave(e);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && (!bytes || device))
        e = bytes ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    if (!e)
        *bytes = sim_settings.memory;
    return sim_driver_leave(e);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    if (!e && attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && value && !device)
        *value = 1; /* the runtime has no name for it */
    else if (!e)
        e = cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
    return sim_driver_leave(e);
}

CUresult cuDeviceGetCount(int *count)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, false);
    return sim_driver_leave(e ? e : cudaGetDeviceCount(count));
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION; /* says so before cuInit, and wakes nothing */
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, !chosen);
    return sim_driver_leave(e ? e : cudaDeviceSynchronize());
}

/* ---- streams and memory: the runtime's ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaStreamSynchronize(stream));
}

CUresult cuStreamDestroy(CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaStreamDestroy(stream));
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMemGetInfo(free, total));
}

CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e && (!p || !bytes))
        e = cudaErrorInvalidValue;
    return sim_driver_leave(e ? e : cudaMalloc((void **)p, bytes));
}

CUresult cuMemFree(CUdeviceptr p)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaFree((void *)p));
}

CUresult cuMemAllocHost(void **p, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMallocHost(p, bytes));
}

CUresult cuMemFreeHost(void *p)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaFreeHost(p));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e)
        e = cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice);
    return sim_driver_leave(e);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e)
        e = cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream);
    return sim_driver_leave(e);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e)
        e = cudaMemcpyAsync(to, (const void *)from, bytes, cudaMemcpyDeviceToHost, stream);
    return sim_driver_leave(e);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e)
        e = cudaMemcpyAsync((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice, stream);
    return sim_driver_leave(e);
}

static cudaError_t set(CUdeviceptr p, unsigned value, unsigned size, size_t count, CUstream stream)
{
    const struct cudaMemsetParams fill = {(void *)p, 0, value, size, count, 1};
    return sim_fill_elements(&fill, stream);
}

CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t count)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, NULL));
}

CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t count, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, stream));
}

CUresult cuMemsetD16(CUdeviceptr p, unsigned short value, size_t count)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, NULL));
}

CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t count, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, stream));
}

CUresult cuMemsetD32(CUdeviceptr p, unsigned value, size_t count)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, NULL));
}

CUresult cuMemsetD32Async(CUdeviceptr p, unsigned value, size_t count, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : set(p, value, sizeof value, count, stream));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e)
        e = cudaMemcpyAsync((void *)to, (const void *)from, bytes, cudaMemcpyDefault, stream);
    return sim_driver_leave(e);
}

CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    if (!e && (!p || !bytes))
        e = cudaErrorInvalidValue;
    return sim_driver_leave(e ? e : cudaMallocManaged((void **)p, bytes, flags));
}

CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaMallocAsync((void **)p, bytes, stream));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : cudaFreeAsync((void *)p, stream));
}

/* ---- what a pointer is ---- */

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr p)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    const struct sim_block *b = e ? NULL : sim_find((const void *)p);
    bool in = b && b->live && b->kind != SIM_SYMBOL && p - (CUdeviceptr)b->base < b->bytes;
    if (!e && (start || bytes) && (!in || (b->kind == SIM_MAPPED && !b->flags)))
        e = cudaErrorSymbolNotFound;
    if (!e && start)
        *start = (CUdeviceptr)b->base;
    if (!e && bytes)
        *bytes = b->bytes;
    return sim_driver_leave(e);
}

/* What is mapped at once: pages, of which small blocks share one. */
static CUdeviceptr mapping(const struct sim_block *b, size_t *bytes)
{
    CUdeviceptr first = (CUdeviceptr)b->base, end = first + b->bytes;
    if (b->kind == SIM_DEVICE) {
        first -= first % SIM_PAGE;
        end += -end % SIM_PAGE;
    }
    *bytes = end - first;
    return first;
}

static cudaError_t pointer_attribute(void *data, CUpointer_attribute which, const void *p)
{
    struct cudaPointerAttributes a;
    const struct sim_block *b = sim_find(p), *range = sim_reservation(p);
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    if (!data || e || a.type == cudaMemoryTypeUnregistered)
        return cudaErrorInvalidValue;
    range = range ? range : b;
    size_t bytes;
    CUdeviceptr mapped_at = mapping(b, &bytes);
    switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = context();
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)data = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = (CUdeviceptr)p;
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (a.type == cudaMemoryTypeDevice)
            return cudaErrorInvalidValue;
        *(void **)data = a.hostPointer;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)data = a.type == cudaMemoryTypeManaged;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = 0;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)data = (CUdeviceptr)range->base;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)data = range->bytes;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(unsigned *)data = true;
        break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(unsigned *)data = b->kind == SIM_MAPPED ? b->flags : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        *(size_t *)data = bytes;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        *(CUdeviceptr *)data = mapped_at;
        break;
    default:
        return which > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE ? cudaErrorInvalidValue
                                                                     : cudaErrorNotSupported;
    }
    return cudaSuccess;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr p)
{
    cudaError_t e = sim_driver_enter(SIM_CALL, true);
    return sim_driver_leave(e ? e : pointer_attribute(data, attribute, (const void *)p));
}
