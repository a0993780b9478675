/* SPDX-License-Identifier: MIT */
/* Memory pools as objects: the default one, its attributes, and one of our own. */
#include "probe.h"

static cudaStream_t s;
static cudaMemPool_t pool;

static void prepare()
{
    cudaStreamCreate(&s);
    cudaDeviceGetDefaultMemPool(&pool, 0);
}

static long book(cudaMemPoolAttr which)
{
    unsigned long long bytes = 0;
    cudaMemPoolGetAttribute(pool, which, &bytes);
    return (long)bytes;
}

static void books(const char *when)
{
    SAY("%s: used %ld, reserved %ld KiB", when, book(cudaMemPoolAttrUsedMemCurrent),
        book(cudaMemPoolAttrReservedMemCurrent) / 1024);
}

static void defaults()
{
    cudaMemPool_t current;
    prepare();
    SAY("release threshold %ld", book(cudaMemPoolAttrReleaseThreshold));
    int yes = -1;
    const cudaMemPoolAttr reuse[] = {cudaMemPoolReuseFollowEventDependencies,
                                     cudaMemPoolReuseAllowOpportunistic,
                                     cudaMemPoolReuseAllowInternalDependencies};
    for (cudaMemPoolAttr which : reuse) {
        cudaMemPoolGetAttribute(pool, which, &yes);
        SAY("reuse attribute %d: %d", (int)which, yes);
    }
    ASK(cudaDeviceGetMemPool(&current, 0));
    SAY("the current pool is the default one: %d", current == pool);
    ASK(cudaDeviceGetDefaultMemPool(&current, 99));
    ASK(cudaDeviceGetDefaultMemPool(NULL, 0));
}

static void attributes()
{
    unsigned long long zero = 0, five = 5;
    void *p;
    prepare();
    cudaMallocAsync(&p, 1 << 20, s);
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &five));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    SAY("high marks after the reset: used %ld, reserved %ld", book(cudaMemPoolAttrUsedMemHigh),
        book(cudaMemPoolAttrReservedMemHigh));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
    ASK(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &zero));
    ASK(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &zero));
    ASK(cudaGetLastError());
}

static void own_pool()
{
    cudaMemPoolProps props = {};
    void *p;
    prepare();
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    ASK(cudaMemPoolCreate(&pool, &props));
    ASK(cudaMallocFromPoolAsync(&p, 1 << 20, pool, s));
    ASK(cudaMemsetAsync(p, 0, 1 << 20, s));
    books("own pool");
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaDeviceSetMemPool(0, pool));
    ASK(cudaMallocAsync(&p, 4096, s));
    books("as the current pool");
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaMemPoolDestroy(pool));
    cudaMemPool_t now, standard;
    cudaDeviceGetMemPool(&now, 0);
    cudaDeviceGetDefaultMemPool(&standard, 0);
    SAY("the default pool is current again: %d", now == standard);
    ASK(cudaMemPoolDestroy(standard));
}

int main()
{
    CASE(defaults);
    CASE(attributes);
    CASE(own_pool);
    return 0;
}
