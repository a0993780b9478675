/* SPDX-License-Identifier: MIT */
/* Virtual memory again: two addresses of the same memory, what can be unmapped, what a failure leaves. */
#include "vmm.h"

static CUdeviceptr va, v2;
static CUmemGenericAllocationHandle h;

static void prepare()
{
    prepare_device();
    cuMemAddressReserve(&va, 4 * g, 0, 0, 0);
    cuMemCreate(&h, 2 * g, &prop, 0);
}

static void two_addresses()
{
    prepare();
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    ASK(cuMemSetAccess(va, 2 * g, &both, 1));
    ASK(put(va, 5));
    cuMemAddressReserve(&v2, 2 * g, 0, 0, 0);
    ASK(cuMemMap(v2, 2 * g, 0, h, 0));
    ASK(cuMemSetAccess(v2, 2 * g, &both, 1));
    SAY("alias reads %d", get(v2));
    ASK(put(v2 + 2 * g - 4, 6));
    SAY("the first address reads %d", get(va + 2 * g - 4));
    add<<<1, 1>>>((int *)va);
    add<<<1, 1>>>((int *)v2);
    ASK(cudaDeviceSynchronize());
    SAY("added through both: %d", get(va));
    ASK(cudaFree((void *)va));
    ASK(cuMemFree(va));
    ASK(cuMemRelease(h));
    SAY("released, alias reads %d", get(v2));
    ASK(cuMemMap(va + 2 * g, 2 * g, 0, h, 0));
    ASK(cuMemAddressFree(v2, 2 * g));
    ASK(cuMemUnmap(v2, g));
    ASK(cuMemUnmap(v2 + g, g));
    ASK(cuMemUnmap(v2, 2 * g));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 2 * g));
    ASK(cuMemAddressFree(va, 4 * g));
    ASK(cuMemRelease(h));
    ASK(cudaGetLastError());
}

static void unmapping()
{
    prepare();
    ASK(cuMemUnmap(va, 4 * g)); // nothing is mapped
    ASK(cuMemUnmap(va, 0));
    ASK(cuMemUnmap(va + 1, g));
    ASK(cuMemMap(va + g, 2 * g, 0, h, 0));
    ASK(cuMemUnmap(va, g));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemUnmap(va, 3 * g)); // a hole, and memory
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    ASK(cuMemUnmap(va, 4 * g)); // memory, and a hole
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 4 * g));
    ASK(cuMemUnmap(va, 4 * g)); // not even reserved
}

/* A mapping over two reservations, side by side; and one of whose pages are reserved only half. */
static void beyond()
{
    prepare();
    cuMemAddressReserve(&v2, 4 * g, 0, va + 4 * g, 0);
    SAY("side by side: %d", v2 == va + 4 * g);
    if (v2 != va + 4 * g)
        return;
    ASK(cuMemMap(va + 3 * g, 2 * g, 0, h, 0));
    ASK(cuMemSetAccess(va + 3 * g, 2 * g, &both, 1));
    ASK(put(v2, 5));
    SAY("reads %d", get(v2));
    ASK(cuMemUnmap(va + 3 * g, 2 * g));
    ASK(cuMemAddressFree(v2, 4 * g));
    ASK(cuMemMap(v2 - g, 2 * g, 0, h, 0));
    ASK(cuMemSetAccess(v2 - g, 2 * g, &both, 1));
    ASK(cuMemUnmap(v2 - g, 2 * g));
    ASK(cuMemMap(v2, 2 * g, 0, h, 0)); // no page is reserved
}

static void after_failure()
{
    CUmemGenericAllocationHandle other = 0;
    unsigned long long flags = 99;
    prepare();
    ASK(cuMemMap(va, 2 * g, 0, h, 0));
    add<<<1, 1>>>((int *)va); // without access
    ASK(cudaDeviceSynchronize());
    ASK(cuMemSetAccess(va, 2 * g, &both, 1));
    ASK(cuMemGetAccess(&flags, &prop.location, va));
    ASK(cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASK(cuMemCreate(&other, g, &prop, 0));
    ASK(cuMemAddressReserve(&v2, 2 * g, 0, 0, 0));
    ASK(cuMemMap(v2, 2 * g, 0, h, 0));
    ASK(cuMemRetainAllocationHandle(&other, (void *)va));
    ASK(cuMemGetAllocationPropertiesFromHandle(&prop, h));
    ASK(cuMemRelease(h));
    ASK(cuMemUnmap(va, 2 * g));
    ASK(cuMemAddressFree(va, 4 * g));
    ASK(cuMemAddressFree(v2, 2 * g));
}

int main()
{
    CASE(two_addresses);
    CASE(unmapping);
    CASE(beyond);
    CASE(after_failure);
    return 0;
}
