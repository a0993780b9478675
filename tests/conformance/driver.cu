/* SPDX-License-Identifier: MIT */
/* The driver API where it is the runtime under other names: contexts, plain memory, what a pointer is. */
#include <cuda.h>
#include "probe.h"
#include <cstddef>

static void before_init()
{
    size_t bytes;
    CUdeviceptr va;
    CUcontext c;
    int n;
    ASK(cuDriverGetVersion(&n));
    ASK(cuDeviceGetCount(&n));
    ASK(cuMemGetInfo(&bytes, &bytes));
    ASK(cuMemAddressReserve(&va, 2 << 20, 0, 0, 0));
    ASK(cuInit(1));
    ASK(cuInit(0));
    ASK(cuDeviceGetCount(&n));
    SAY("devices: %d", n > 0);
    ASK(cuMemGetInfo(&bytes, &bytes));
    ASK(cuMemAlloc(&va, 1024));
    ASK(cuCtxSynchronize());
    ASK(cuCtxGetCurrent(&c));
    SAY("context: %d", c != NULL);
    ASK(cuMemAddressReserve(&va, 2 << 20, 0, 0, 0));
    ASK(cuDevicePrimaryCtxRetain(&c, 0));
    ASK(cuDevicePrimaryCtxRetain(&c, 99));
    ASK(cuDevicePrimaryCtxRetain(NULL, 0));
    ASK(cuCtxSetCurrent(c));
    ASK(cuMemAlloc(&va, 1024));
    ASK(cuMemFree(va));
    ASK(cuDevicePrimaryCtxRelease(0));
}

static void after_runtime()
{
    CUcontext c = NULL;
    int n = 0;
    cudaFree(0);
    ASK(cuDeviceGetCount(&n));
    ASK(cuCtxGetCurrent(&c));
    SAY("context: %d", c != NULL);
    ASK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    SAY("virtual memory: %d", n);
    ASK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    SAY("warp: %d", n);
    ASK(cuDeviceGetAttribute(&n, (CUdevice_attribute)9999, 0));
    ASK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
    ASK(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    ASK(cuDeviceGet(&n, 99));
    CUcontext made, other;
    ASK(cuCtxCreate(&made, NULL, 0, 0));
    ASK(cuCtxGetCurrent(&other));
    SAY("the new one is current: %d", made == other);
    ASK(cuCtxSetCurrent(NULL));
    ASK(cuCtxSynchronize());
    ASK(cuCtxDestroy(made));
    ASK(cuCtxDestroy(NULL));
    ASK(cuCtxSetCurrent(c));
    ASK(cuCtxSynchronize());
}

static void plain_memory()
{
    CUdeviceptr p = 0;
    void *h = NULL;
    unsigned word = 0;
    cudaFree(0);
    ASK(cuMemAlloc(&p, 0));
    ASK(cuMemAlloc(NULL, 16));
    ASK(cuMemAlloc(&p, (size_t)1 << 60));
    ASK(cudaGetLastError());
    ASK(cuMemAlloc(&p, 1024));
    ASK(cuMemsetD32(p + 2, 7, 1));
    ASK(cuMemsetD32(p, 0x01020304, 256));
    ASK(cuMemsetD16(p, 0x0506, 1));
    ASK(cuMemsetD8(p, 9, 1));
    ASK(cuMemsetD8(p, 9, 0));
    ASK(cuMemsetD8(p, 9, 1025));
    ASK(cuMemsetD8(0, 9, 1));
    ASK(cuMemcpyDtoH(&word, p, sizeof word));
    SAY("first word %08x", word);
    ASK(cuMemcpyDtoH(&word, p + 4, sizeof word));
    SAY("second word %08x", word);
    ASK(cuMemcpyHtoD(p + 1024, &word, 4));
    ASK(cuMemcpyDtoD(p, p + 4, 4));
    ASK(cuMemFree(p + 4));
    ASK(cuMemFree(p));
    ASK(cuMemFree(p));
    ASK(cuMemFree(0));
    ASK(cudaMalloc((void **)&p, 16));
    ASK(cuMemFree(p));
    ASK(cuMemAllocHost(&h, 0));
    ASK(cuMemAllocHost(&h, 64));
    ASK(cuMemFreeHost(h));
    ASK(cuMemFreeHost(NULL));
    ASK(cudaGetLastError());
}

static void range(const char *what, CUdeviceptr p)
{
    CUdeviceptr start = 0;
    size_t bytes = 0;
    CUresult e = cuMemGetAddressRange(&start, &bytes, p);
    SAY("%s: %d, at %ld of %zu", what, (int)e, e ? -1 : (long)(p - start), bytes);
}

static void more_memory()
{
    CUdeviceptr p = 0, q = 0, va = 0;
    CUmemGenericAllocationHandle h = 0;
    CUmemAllocationProp prop = {};
    const size_t g = 2 << 20;
    int word = 0;
    cudaFree(0);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    ASK(cuMemAlloc(&p, 1000));
    range("plain", p + 10);
    range("past its end", p + 1000);
    ASK(cuMemGetAddressRange(NULL, NULL, p));
    ASK(cuMemGetAddressRange(NULL, NULL, 0));
    ASK(cuMemFree(p));
    range("freed", p);
    range("on the stack", (CUdeviceptr)&word);
    ASK(cuMemAddressReserve(&va, 4 * g, 0, 0, 0));
    range("reserved", va + g);
    ASK(cuMemCreate(&h, 2 * g, &prop, 0));
    ASK(cuMemMap(va + g, 2 * g, 0, h, 0));
    range("mapped", va + 2 * g);
    ASK(cuMemAllocManaged(&q, 0, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemAllocManaged(&q, 64, 0));
    ASK(cuMemAllocManaged(&q, 64, CU_MEM_ATTACH_GLOBAL));
    range("managed", q + 8);
    *(int *)q = 5;
    ASK(cuMemAllocAsync(&p, 0, NULL));
    ASK(cuMemAllocAsync(&p, 64, NULL));
    ASK(cuMemcpy(p, q, sizeof word));
    ASK(cuMemcpyAsync(q + 4, p, sizeof word, NULL));
    ASK(cuMemFreeAsync(p, NULL));
    ASK(cuMemFreeAsync(0, NULL));
    ASK(cuCtxSynchronize());
    SAY("copied %d", ((int *)q)[1]);
    ASK(cuMemFree(q));
}

static void attributes(CUdeviceptr p)
{
    CUdeviceptr start = 0, base = 0;
    size_t bytes = 0, size = 0;
    unsigned type = 99, mapped = 99, managed = 99, flags = 99;
    int device = 99;
    ASK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    ASK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    ASK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p));
    ASK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p));
    ASK(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, p));
    ASK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    ASK(cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p));
    ASK(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, p));
    ASK(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, p));
    SAY("type %u, device %d, at %ld of %zu KiB, mapped %u, managed %u, flags %u", type, device,
        start ? (long)(p - start) : -1, bytes >> 10, mapped, managed, flags);
    SAY("at %ld of a mapping of %zu KiB", base ? (long)(p - base) : -1, size >> 10);
}

static void runtime_attributes(CUdeviceptr p)
{
    cudaPointerAttributes a = {};
    ASK(cudaPointerGetAttributes(&a, (void *)p));
    SAY("type %d, device pointer %d, host pointer %d", (int)a.type, a.devicePointer == (void *)p,
        a.hostPointer != NULL);
}

static void pointers()
{
    CUdeviceptr va = 0, plain = 0;
    CUmemGenericAllocationHandle h = 0;
    CUmemAllocationProp prop = {};
    CUmemAccessDesc both = {};
    cudaFree(0);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    both.location.type = prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    both.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    const size_t g = 2 << 20;
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    SAY("reserved");
    attributes(va + g);
    runtime_attributes(va + g);
    cuMemCreate(&h, 2 * g, &prop, 0);
    cuMemMap(va + g, 2 * g, 0, h, 0);
    SAY("mapped");
    attributes(va + 2 * g);
    runtime_attributes(va + 2 * g);
    cuMemSetAccess(va + g, 2 * g, &both, 1);
    SAY("with access");
    attributes(va + 2 * g);
    runtime_attributes(va + 2 * g);
    SAY("from cudaMalloc");
    cudaMalloc((void **)&plain, 1 << 20);
    attributes(plain + 16);
    SAY("on the stack");
    attributes((CUdeviceptr)&plain);
    ASK(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, plain));
    ASK(cuPointerGetAttribute(&h, (CUpointer_attribute)999, plain));
}

static void layout()
{
    SAY("CUmemLocation %zu, CUmemAccessDesc %zu, CUmemAllocationProp %zu", sizeof(CUmemLocation),
        sizeof(CUmemAccessDesc), sizeof(CUmemAllocationProp));
    SAY("handle types at %zu, location %zu, flags %zu, usage %zu",
        offsetof(CUmemAllocationProp, requestedHandleTypes), offsetof(CUmemAllocationProp, location),
        offsetof(CUmemAllocationProp, allocFlags), offsetof(CUmemAllocationProp, allocFlags.usage));
    SAY("handles %zu, addresses %zu", sizeof(CUmemGenericAllocationHandle), sizeof(CUdeviceptr));
    SAY("version %d", CUDA_VERSION);
}

static void words()
{
    const char *text = NULL;
    ASK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
    ASK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    SAY("%s", text);
    cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text);
    SAY("%s", text);
    cuGetErrorString(CUDA_ERROR_NOT_SUPPORTED, &text);
    SAY("%s", text);
    cuGetErrorString(CUDA_ERROR_NOT_INITIALIZED, &text);
    SAY("%s", text);
    cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &text);
    SAY("%s", text);
    ASK(cuGetErrorName((CUresult)4711, &text));
    SAY("name: %d", text != NULL);
    ASK(cuGetErrorString((CUresult)4711, &text));
    ASK(cuGetErrorName(CUDA_SUCCESS, NULL));
}

int main()
{
    CASE(before_init);
    CASE(after_runtime);
    CASE(plain_memory);
    CASE(more_memory);
    CASE(pointers);
    CASE(layout);
    CASE(words);
    return 0;
}
