/* SPDX-License-Identifier: MIT */
/* The calls on memory pools, given what they do not expect. */
#include "probe.h"

static cudaMemPoolProps device_props()
{
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    return props;
}

static void making()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = device_props(), odd = props;
    ASK(cudaMemPoolCreate(NULL, &props));
    ASK(cudaMemPoolCreate(&pool, NULL));
    odd.allocType = cudaMemAllocationTypeInvalid;
    ASK(cudaMemPoolCreate(&pool, &odd));
    odd = props;
    odd.location.id = 99;
    ASK(cudaMemPoolCreate(&pool, &odd));
    odd = props;
    odd.location.type = cudaMemLocationTypeInvalid;
    ASK(cudaMemPoolCreate(&pool, &odd));
    odd = props;
    odd.handleTypes = (cudaMemAllocationHandleType)64;
    ASK(cudaMemPoolCreate(&pool, &odd));
    ASK(cudaMemPoolCreate(&pool, &props));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaMemPoolDestroy(NULL));
    ASK(cudaMemPoolTrimTo(NULL, 0));
    ASK(cudaGetLastError());
}

static void choosing()
{
    cudaMemPool_t pool, own, other;
    cudaMemPoolProps props = device_props();
    cudaMemLocation here = props.location, far = {cudaMemLocationTypeDevice, 99};
    ASK(cudaDeviceSetMemPool(0, NULL));
    ASK(cudaDeviceGetMemPool(NULL, 0));
    ASK(cudaDeviceGetMemPool(&pool, 99));
    ASK(cudaMemPoolCreate(&own, &props));
    ASK(cudaDeviceSetMemPool(99, own));
    ASK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, own));
    ASK(cudaDeviceGetMemPool(&pool, 0));
    SAY("it is the device's: %d", pool == own);
    ASK(cudaMemGetMemPool(&pool, &here, cudaMemAllocationTypePinned));
    SAY("and the place's: %d", pool == own);
    ASK(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
    cudaDeviceGetDefaultMemPool(&other, 0);
    SAY("the default one is the device's default: %d", pool == other);
    ASK(cudaMemGetMemPool(NULL, &here, cudaMemAllocationTypePinned));
    ASK(cudaMemGetMemPool(&pool, NULL, cudaMemAllocationTypePinned));
    ASK(cudaMemGetMemPool(&pool, &far, cudaMemAllocationTypePinned));
    ASK(cudaMemGetMemPool(&pool, &here, cudaMemAllocationTypeInvalid));
    ASK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, NULL));
    ASK(cudaMemPoolDestroy(own));
}

static void destroyed_in_use()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = device_props();
    cudaStream_t s;
    char *p = NULL, h = 0;
    cudaStreamCreate(&s);
    size_t before = probe_free_bytes();
    cudaMemPoolCreate(&pool, &props);
    ASK(cudaMallocFromPoolAsync(&p, 1000, pool, s));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaMemsetAsync(p, 5, 1000, s));
    ASK(cudaMemcpyAsync(&h, p + 999, 1, cudaMemcpyDeviceToHost, s));
    ASK(cudaStreamSynchronize(s));
    SAY("its block holds %d, and takes %ld KiB", h, probe_taken_kib(before));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    SAY("freed: %ld KiB", probe_taken_kib(before));
    cudaMemPoolCreate(&pool, &props);
    ASK(cudaMallocFromPoolAsync(&p, 1000, pool, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaStreamSynchronize(s));
    SAY("destroyed behind the free: %ld KiB", probe_taken_kib(before));
}

static void largest()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = device_props();
    cudaStream_t s;
    void *p;
    cudaStreamCreate(&s);
    props.maxSize = 64 << 20;
    ASK(cudaMemPoolCreate(&pool, &props));
    ASK(cudaMallocFromPoolAsync(&p, 65 << 20, pool, s));
    ASK(cudaMallocFromPoolAsync(&p, 32 << 20, pool, s));
    ASK(cudaMallocFromPoolAsync(&p, 32 << 20, pool, s));
    ASK(cudaMallocFromPoolAsync(&p, 1, pool, s));
    ASK(cudaGetLastError());
    props.maxSize = 1 << 20;
    ASK(cudaMemPoolCreate(&pool, &props));
    ASK(cudaMallocFromPoolAsync(&p, 1 << 20, pool, s));
    ASK(cudaMallocFromPoolAsync(&p, 1 << 20, pool, s));
    ASK(cudaMallocFromPoolAsync(&p, 32 << 20, pool, s));
}

static void access()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = device_props();
    cudaMemLocation here = props.location;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    cudaMemPoolCreate(&pool, &props);
    ASK(cudaMemPoolGetAccess(&flags, pool, &here));
    SAY("flags %d", (int)flags);
    ASK(cudaMemPoolGetAccess(NULL, pool, &here));
}

static void sharing()
{
    cudaMemPool_t pool, other;
    cudaMemPoolProps props = device_props();
    cudaMemPoolPtrExportData data = {};
    int fd = -1;
    void *p;
    cudaMemPoolCreate(&pool, &props);
    ASK(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    ASK(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypeNone, 0));
    ASK(cudaMemPoolImportFromShareableHandle(&other, (void *)-1, cudaMemHandleTypePosixFileDescriptor, 0));
    cudaMallocFromPoolAsync(&p, 1000, pool, 0);
    ASK(cudaMemPoolExportPointer(&data, p));
    ASK(cudaMemPoolExportPointer(&data, &fd));
    ASK(cudaMemPoolImportPointer(&p, pool, &data));
    ASK(cudaGetLastError());
}

static void allocating()
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = device_props();
    void *p = &pool;
    cudaMemPoolCreate(&pool, &props);
    ASK(cudaMallocFromPoolAsync(&p, 64, (cudaMemPool_t)NULL, 0));
    ASK(cudaMallocFromPoolAsync((void **)NULL, 64, pool, 0));
    ASK(cudaMallocFromPoolAsync(&p, 0, pool, 0));
    SAY("size 0: %s", p ? "not null" : "null");
    ASK(cudaMallocAsync(&p, 64, pool, 0));
    ASK(cudaFreeAsync(p, 0));
    ASK(cudaDeviceSynchronize());
}

int main()
{
    CASE(making);
    CASE(choosing);
    CASE(destroyed_in_use);
    CASE(largest);
    CASE(access);
    CASE(sharing);
    CASE(allocating);
    return 0;
}
