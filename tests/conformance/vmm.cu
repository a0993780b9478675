/* SPDX-License-Identifier: MIT */
/* Virtual memory of the driver API: reserved addresses, physical memory, mappings and their access. */
#include "vmm.h"

static CUmemAccessDesc reads, none;

static void prepare()
{
    prepare_device();
    reads.location = none.location = prop.location;
    reads.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
}

/* `pages` handles of one page each, mapped side by side at `va` with access to all. */
static void map_pages(CUdeviceptr va, int pages)
{
    for (int i = 0; i < pages; i++) {
        CUmemGenericAllocationHandle h;
        cuMemCreate(&h, g, &prop, 0);
        cuMemMap(va + i * g, g, 0, h, 0);
        cuMemRelease(h);
    }
    cuMemSetAccess(va, pages * g, &both, 1);
}

__global__ static void store(int *p)
{
    *p = 9;
}

static void granularity()
{
    size_t bytes = 0;
    prepare();
    SAY("minimum %zu KiB", g >> 10);
    ASK(cuMemGetAllocationGranularity(&bytes, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    SAY("recommended %zu KiB", bytes >> 10);
    ASK(cuMemGetAllocationGranularity(&bytes, &prop, (CUmemAllocationGranularity_flags)7));
    ASK(cuMemGetAllocationGranularity(NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASK(cuMemGetAllocationGranularity(&bytes, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemAllocationProp odd = prop;
    odd.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    ASK(cuMemGetAllocationGranularity(&bytes, &odd, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    odd = prop;
    odd.location.id = 99;
    ASK(cuMemGetAllocationGranularity(&bytes, &odd, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

static void reserving()
{
    CUdeviceptr va = 0, other = 0, third = 0;
    prepare();
    ASK(cuMemAddressReserve(&va, g + 1, 0, 0, 0));
    ASK(cuMemAddressReserve(&va, 0, 0, 0, 0));
    ASK(cuMemAddressReserve(NULL, g, 0, 0, 0));
    ASK(cuMemAddressReserve(&va, g, 3, 0, 0));
    ASK(cuMemAddressReserve(&va, g, 0, 0, 1));
    ASK(cuMemAddressReserve(&va, (size_t)1 << 60, 0, 0, 0));
    size_t before = probe_free_bytes();
    ASK(cuMemAddressReserve(&va, (size_t)64 << 30, 0, 0, 0));
    SAY("takes %ld KiB; address %% 2 MiB = %d", probe_taken_kib(before), (int)(va % g));
    ASK(cuMemAddressFree(va, (size_t)64 << 30));
    ASK(cuMemAddressReserve(&va, g, 64 * g, 0, 0));
    SAY("address %% 128 MiB = %d", (int)(va % (64 * g)));
    ASK(cuMemAddressFree(va, g));
    ASK(cuMemAddressFree(va, g));
    ASK(cuMemAddressReserve(&va, g, 512, 0, 0));
    ASK(cuMemAddressFree(va, g));

    ASK(cuMemAddressReserve(&va, 8 * g, 0, 0, 0));
    ASK(cuMemAddressFree(va + 4 * g, 4 * g));
    ASK(cuMemAddressFree(va, 8 * g));
    ASK(cuMemAddressReserve(&other, 4 * g, 0, va, 0));
    SAY("a free hint is taken: %d", other == va);
    ASK(cuMemAddressReserve(&third, 4 * g, 0, other, 0));
    SAY("a hint in use is taken: %d", third == other);
    ASK(cuMemAddressFree(third, 4 * g));
    ASK(cuMemAddressReserve(&third, 4 * g, 0, other + 4 * g, 0));
    SAY("a hint right behind a reservation is taken: %d", third == other + 4 * g);
    ASK(cuMemAddressFree(third, 4 * g));
    ASK(cuMemAddressReserve(&third, 4 * g, 0, other + 5 * g + 512, 0));
    SAY("a hint off the granularity is taken: %d", third == other + 5 * g + 512);
}

static void creating()
{
    CUmemGenericAllocationHandle h = 0, same = 0;
    prepare();
    ASK(cuMemCreate(&h, g + 1, &prop, 0));
    ASK(cuMemCreate(&h, 0, &prop, 0));
    ASK(cuMemCreate(NULL, g, &prop, 0));
    ASK(cuMemCreate(&h, g, NULL, 0));
    ASK(cuMemCreate(&h, g, &prop, 1));
    ASK(cuMemCreate(&h, (size_t)1 << 45, &prop, 0));
    CUmemAllocationProp odd = prop;
    odd.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    ASK(cuMemCreate(&h, g, &odd, 0));
    odd = prop;
    odd.location.id = 99;
    ASK(cuMemCreate(&h, g, &odd, 0));
    odd.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    odd.location.id = 0;
    ASK(cuMemCreate(&h, g, &odd, 0));
    size_t before = probe_free_bytes();
    ASK(cuMemCreate(&h, 2 * g, &prop, 0));
    SAY("takes %ld KiB", probe_taken_kib(before));
    CUmemAllocationProp said = {};
    ASK(cuMemGetAllocationPropertiesFromHandle(&said, h));
    SAY("type %d, location %d of type %d", said.type, said.location.id, said.location.type);
    ASK(cuMemGetAllocationPropertiesFromHandle(NULL, h));
    ASK(cuMemRetainAllocationHandle(&same, (void *)&prop));
    ASK(cuMemRelease(h));
    SAY("released: %ld KiB", probe_taken_kib(before));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(0));
    ASK(cuMemGetAllocationPropertiesFromHandle(&said, h));
}

static void mapping()
{
    CUdeviceptr va = 0;
    CUmemGenericAllocationHandle h = 0;
    prepare();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    cuMemCreate(&h, 2 * g, &prop, 0);
    ASK(cuMemMap(va + 1, 2 * g, 0, h, 0));
    ASK(cuMemMap(va, g, 0, h, 0));
    ASK(cuMemMap(va, g, g, h, 0));
    ASK(cuMemMap(va, 2 * g, g, h, 0));
    ASK(cuMemMap(va, 4 * g, 0, h, 0));
    ASK(cuMemMap(va, 0, 0, h, 0));
    ASK(cuMemMap(va, 2 * g, 0, h, 1));
    ASK(cuMemMap(va, 2 * g, 0, 0, 0));
    ASK(cuMemMap(va + 3 * g, 2 * g, 0, h, 0));
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    ASK(cuMemMap(va + g, 2 * g, 0, h, 0));
    ASK(put(va, 5));
    ASK(cuMemSetAccess(va, 4 * g, &both, 1));
    ASK(cuMemSetAccess(va, 2 * g, &both, 1));
    ASK(put(va, 5));
}

static void several_at_once()
{
    CUdeviceptr va = 0;
    prepare();
    cuMemAddressReserve(&va, 8 * g, 0, 0, 0);
    map_pages(va, 3);
    ASK(put(va + g - 2, 0x01020304));
    SAY("across two mappings %08x", get(va + g - 2));
    ASK(cudaMemset((void *)va, 0, 3 * g));
    ASK(cudaMemset((void *)va, 0, 3 * g + 1));
    ASK(cudaMemset((void *)(va + 3 * g), 0, 1));
    cudaDeviceSynchronize(); // cuMemUnmap does not
    ASK(cuMemUnmap(va + g, 2 * g));
    ASK(cudaMemset((void *)va, 0, g + 1));
    ASK(put(va + g, 1));
    map_pages(va + g, 1);
    ASK(put(va + g, 8));
    SAY("mapped again %d", get(va + g));
    ASK(cuMemSetAccess(va + g, g, &both, 1));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 8 * g));
}

/* What a handle holds goes with it, from address to address. */
static void moving()
{
    CUdeviceptr va = 0;
    CUmemGenericAllocationHandle h = 0;
    prepare();
    cuMemAddressReserve(&va, 8 * g, 0, 0, 0);
    cuMemCreate(&h, 2 * g, &prop, 0);
    for (int step = 0; step < 3; step++) {
        CUdeviceptr at = va + step * 2 * g;
        cuMemMap(at, 2 * g, 0, h, 0);
        cuMemSetAccess(at, 2 * g, &both, 1);
        if (step == 0)
            put(at + g, 5);
        add<<<1, 1>>>((int *)(at + g));
        SAY("step %d: %d", step, get(at + g));
        ASK(cuMemUnmap(at, 2 * g));
    }
    cuMemMap(va, 2 * g, 0, h, 0);
    cuMemMap(va + 4 * g, 2 * g, 0, h, 0);
    cuMemSetAccess(va + 4 * g, 2 * g, &both, 1);
    ASK(put(va + g, 1));
    SAY("two addresses, access to one: %d", get(va + 5 * g));
    cuMemSetAccess(va, 2 * g, &both, 1);
    ASK(put(va + g, 9));
    SAY("written through the other: %d", get(va + 5 * g));
    cuMemUnmap(va, 2 * g);
    SAY("one address left: %d", get(va + 5 * g));
    cuMemUnmap(va + 4 * g, 2 * g);
    cuMemMap(va, 2 * g, 0, h, 0);
    cuMemSetAccess(va, 2 * g, &both, 1);
    SAY("and the first again: %d", get(va + g));
}

static void access_of(CUdeviceptr p)
{
    unsigned long long flags = 99;
    ASK(cuMemGetAccess(&flags, &prop.location, p));
    SAY("flags %d", (int)flags);
}

static void access_rights()
{
    CUdeviceptr va = 0;
    CUmemGenericAllocationHandle h = 0;
    unsigned long long flags = 99;
    CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0}, far = {CU_MEM_LOCATION_TYPE_DEVICE, 99};
    prepare();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    access_of(va);
    cuMemCreate(&h, 2 * g, &prop, 0);
    cuMemMap(va, 2 * g, 0, h, 0);
    access_of(va);
    ASK(cuMemSetAccess(va, g, &both, 1));
    ASK(cuMemSetAccess(va + g, g, &both, 1));
    access_of(va);
    ASK(cuMemSetAccess(va, 2 * g, NULL, 1));
    ASK(cuMemSetAccess(va, 2 * g, &both, 0));
    ASK(cuMemSetAccess(va, 0, &both, 1));
    ASK(cuMemSetAccess(va, 2 * g, &none, 1));
    ASK(cuMemSetAccess(va, 2 * g, &both, 1));
    access_of(va);
    access_of(va + g + 4);
    ASK(put(va, 5));
    ASK(cuMemGetAccess(NULL, &prop.location, va));
    ASK(cuMemGetAccess(&flags, NULL, va));
    ASK(cuMemGetAccess(&flags, &far, va));
    ASK(cuMemGetAccess(&flags, &host, va));
    ASK(cuMemSetAccess(va, 2 * g, &none, 1));
    access_of(va);
    ASK(put(va, 5));
    CUmemAccessDesc bad = both;
    bad.flags = (CUmemAccess_flags)2;
    ASK(cuMemSetAccess(va, 2 * g, &bad, 1));
    bad.flags = (CUmemAccess_flags)8;
    ASK(cuMemSetAccess(va, 2 * g, &bad, 1));
    bad = both;
    bad.location = far;
    ASK(cuMemSetAccess(va, 2 * g, &bad, 1));
    bad.location = host;
    ASK(cuMemSetAccess(va, 2 * g, &bad, 1));
    CUmemAccessDesc two[] = {reads, both};
    ASK(cuMemSetAccess(va, 2 * g, two, 2));
    access_of(va);
}

static void read_only()
{
    CUdeviceptr va = 0;
    prepare();
    cuMemAddressReserve(&va, g, 0, 0, 0);
    map_pages(va, 1);
    put(va, 5);
    if (ASK(cuMemSetAccess(va, g, &reads, 1)))
        return;
    access_of(va);
    SAY("reads %d", get(va));
    ASK(put(va, 6));
    ASK(cudaMemset((void *)va, 0, 4));
    ASK(cudaDeviceSynchronize());
    SAY("reads %d", get(va));
    store<<<1, 1>>>((int *)va);
    ASK(cudaDeviceSynchronize());
}

static void kernel_without_access()
{
    CUdeviceptr va = 0;
    CUmemGenericAllocationHandle h = 0;
    prepare();
    cuMemAddressReserve(&va, g, 0, 0, 0);
    cuMemCreate(&h, g, &prop, 0);
    cuMemMap(va, g, 0, h, 0);
    store<<<1, 1>>>((int *)va);
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cuMemRelease(h));
    ASK(cuCtxSynchronize());
}

static void kernel_beyond()
{
    CUdeviceptr va = 0;
    prepare();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    map_pages(va, 1);
    store<<<1, 1>>>((int *)(va + g - 4));
    ASK(cudaDeviceSynchronize());
    store<<<1, 1>>>((int *)(va + g));
    ASK(cudaDeviceSynchronize());
}

/* Does cuMemUnmap wait for the kernel that uses the memory? */
static void unmap_in_use()
{
    CUdeviceptr va = 0;
    prepare();
    cuMemAddressReserve(&va, g, 0, 0, 0);
    map_pages(va, 1);
    probe_spin<<<1, 1>>>();
    store<<<1, 1>>>((int *)va);
    ASK(cuMemUnmap(va, g));
    ASK(cudaStreamQuery(0));
    ASK(cudaDeviceSynchronize());
}

static void retaining()
{
    CUdeviceptr va = 0;
    CUmemGenericAllocationHandle h = 0, same = 0;
    void *plain;
    prepare();
    cudaMalloc(&plain, 1 << 22);
    size_t before = probe_free_bytes();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    cuMemCreate(&h, 2 * g, &prop, 0);
    cuMemMap(va, 2 * g, 0, h, 0);
    ASK(cuMemRetainAllocationHandle(&same, (void *)va));
    SAY("the same handle: %d", h == same);
    ASK(cuMemRetainAllocationHandle(&same, (void *)(va + g + 1)));
    ASK(cuMemRetainAllocationHandle(&same, (void *)(va + 2 * g)));
    ASK(cuMemRetainAllocationHandle(&same, plain));
    ASK(cuMemRetainAllocationHandle(NULL, (void *)va));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(h));
    SAY("mapped still: %ld KiB", probe_taken_kib(before));
    ASK(cuMemUnmap(va, 2 * g));
    SAY("unmapped: %ld KiB", probe_taken_kib(before));
}

static void one_account()
{
    CUmemGenericAllocationHandle h = 0;
    void *p = NULL;
    prepare();
    size_t before = probe_free_bytes(), all = before / g * g;
    SAY("cuMemCreate of half of what is free: %d", cuMemCreate(&h, all / 2 / g * g, &prop, 0));
    SAY("cudaMalloc of more than the rest: %s", cudaGetErrorName(cudaMalloc(&p, all / 2 + (all >> 4))));
    ASK(cuMemRelease(h));
    SAY("cudaMalloc of as much: %s", cudaGetErrorName(cudaMalloc(&p, all / 2 + (all >> 4))));
    SAY("cuMemCreate of half: %d", cuMemCreate(&h, all / 2 / g * g, &prop, 0));
    ASK(cudaFree(p));
    SAY("left in use %ld KiB", probe_taken_kib(before));
}

static void streams()
{
    CUdeviceptr va = 0;
    cudaStream_t s;
    prepare();
    cudaStreamCreate(&s);
    cuMemAddressReserve(&va, 2 * g, 0, 0, 0);
    map_pages(va, 2);
    int *pinned, n = (int)(2 * g / sizeof *pinned);
    cudaMallocHost((void **)&pinned, 2 * g);
    for (int i = 0; i < n; i++)
        pinned[i] = i;
    ASK(cudaMemcpyAsync((void *)va, pinned, 2 * g, cudaMemcpyHostToDevice, s));
    add<<<1, 1, 0, s>>>((int *)(va + g));
    ASK(cuMemcpyDtoHAsync(pinned, va, 2 * g, (CUstream)s));
    ASK(cuMemsetD32Async(va, 3, 4, (CUstream)s));
    ASK(cuStreamSynchronize((CUstream)s));
    SAY("%d, %d, %d", pinned[n / 2 - 1], pinned[n / 2], pinned[n - 1]);
    SAY("then %d, %d", get(va + 12), get(va + 16));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 2 * g));
}

static void reset()
{
    CUdeviceptr va = 0, again = 0;
    CUmemGenericAllocationHandle h = 0;
    prepare();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    map_pages(va, 2);
    cuMemCreate(&h, g, &prop, 0);
    ASK(cudaDeviceReset());
    CUcontext c = NULL;
    ASK(cuCtxGetCurrent(&c));
    SAY("context: %d", c != NULL);
    cudaFree(0);
    ASK(put(va, 1));
    ASK(cuMemRelease(h));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 4 * g));
    ASK(cuMemAddressReserve(&again, 4 * g, 0, 0, 0));
    map_pages(again, 1);
    ASK(put(again, 1));
}

int main()
{
    CASE(granularity);
    CASE(reserving);
    CASE(creating);
    CASE(mapping);
    CASE(several_at_once);
    CASE(moving);
    CASE(access_rights);
    CASE(read_only);
    CASE(kernel_without_access);
    CASE(kernel_beyond);
    CASE(unmap_in_use);
    CASE(retaining);
    CASE(one_account);
    CASE(streams);
    CASE(reset);
    return 0;
}
