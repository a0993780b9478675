/* SPDX-License-Identifier: MIT */
/* Stream-ordered allocation: cudaMallocAsync, its default pool and the pool's books. */
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

static void calls()
{
    void *p;
    prepare();
    ASK(cudaMallocAsync(&p, 1 << 20, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaGetLastError());
    ASK(cudaMallocAsync(&p, 0, s));
    SAY("size 0: %s", p ? "not null" : "null");
    ASK(cudaFreeAsync(NULL, s));
    ASK(cudaMallocAsync((void **)NULL, 64, s));
    ASK(cudaMallocAsync(&p, (size_t)1 << 50, s));
    ASK(cudaMallocAsync(&p, SIZE_MAX, s));
    ASK(cudaFreeAsync(malloc(8), s));
    ASK(cudaGetLastError());
    ASK(cudaStreamSynchronize(s));
}

static void mixed_frees()
{
    char *p;
    prepare();
    ASK(cudaMalloc(&p, 1024));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaFree(p));
    ASK(cudaMallocAsync(&p, 1024, s));
    ASK(cudaFree(p));
    ASK(cudaMallocAsync(&p, 1024, s));
    ASK(cudaFreeAsync(p + 1, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaGetLastError());
}

static void used_and_reserved()
{
    void *p, *q, *r;
    prepare();
    books("at first");
    cudaMallocAsync(&p, 1000, s);
    books("1000 bytes");
    cudaMallocAsync(&q, 1, s);
    books("and 1 byte");
    cudaMallocAsync(&r, 1 << 20, s);
    books("and 1 MiB");
    cudaFreeAsync(r, s);
    cudaStreamSynchronize(s);
    books("1 MiB freed, synchronised");
    cudaFreeAsync(p, s);
    cudaFreeAsync(q, s);
    cudaStreamSynchronize(s);
    books("all freed, synchronised");
    SAY("high marks: used %ld, reserved %ld KiB", book(cudaMemPoolAttrUsedMemHigh),
        book(cudaMemPoolAttrReservedMemHigh) / 1024);
}

static void growth()
{
    prepare();
    const size_t sizes[] = {1 << 20, 31 << 20, 1 << 20, 33 << 20, 1 << 20};
    for (size_t bytes : sizes) {
        void *p;
        cudaMallocAsync(&p, bytes, s);
        cudaStreamSynchronize(s);
        SAY("%zu MiB more: reserved %ld KiB", bytes >> 20, book(cudaMemPoolAttrReservedMemCurrent) / 1024);
    }
}

static void device_memory_taken()
{
    void *p;
    prepare();
    size_t before = probe_free_bytes();
    cudaMallocAsync(&p, 1, s);
    SAY("1 byte takes %ld KiB of the device", probe_taken_kib(before));
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
    SAY("freed and synchronised: %ld KiB", probe_taken_kib(before));
}

static void threshold_keeps_memory()
{
    void *p;
    unsigned long long all = UINT64_MAX;
    prepare();
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    cudaMallocAsync(&p, 1 << 20, s);
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
    books("freed, synchronised");
    ASK(cudaMemPoolTrimTo(pool, 32 << 20));
    books("trimmed to 32 MiB");
    ASK(cudaMemPoolTrimTo(pool, 0));
    books("trimmed to 0");
}

static void reuse()
{
    void *p, *q;
    unsigned long long all = UINT64_MAX;
    cudaStream_t other;
    prepare();
    cudaStreamCreate(&other);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    cudaMallocAsync(&p, 1 << 20, s);
    cudaFreeAsync(p, s);
    cudaMallocAsync(&q, 1 << 20, s);
    SAY("the same stream gets the same address: %d", p == q);
    cudaFreeAsync(q, s);
    cudaStreamSynchronize(s);
    cudaMallocAsync(&q, 1 << 20, other);
    SAY("another stream gets it after a synchronise: %d", p == q);
}

int main()
{
    CASE(calls);
    CASE(mixed_frees);
    CASE(used_and_reserved);
    CASE(growth);
    CASE(device_memory_taken);
    CASE(threshold_keeps_memory);
    CASE(reuse);
    return 0;
}
