/* SPDX-License-Identifier: MIT */
/* When may a stream have what another has freed, though no policy allows it, and when does a pool grow? */
#include "probe.h"

static cudaMemPool_t pool;
static cudaStream_t a, b;
static const size_t bytes = 32 << 20;

static long reserved()
{
    unsigned long long n = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &n);
    return (long)(n >> 20);
}

static void prepare(int internal, size_t most)
{
    cudaMemPoolProps props = {};
    unsigned long long all = UINT64_MAX;
    int off = 0;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = most;
    cudaMemPoolCreate(&pool, &props);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &off);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
}

/* Allocated in `a`, used, and freed behind work that is still under way. */
static void free_in_a()
{
    void *p;
    cudaMallocFromPoolAsync(&p, bytes, pool, a);
    cudaStreamSynchronize(a);
    probe_spin<<<1, 1, 0, a>>>();
    cudaMemsetAsync(p, 1, bytes, a);
    cudaFreeAsync(p, a);
}

static void take_in_b(const char *what)
{
    void *q;
    cudaError_t e = cudaMallocFromPoolAsync(&q, bytes, pool, b);
    SAY("%s: %s, %ld MiB reserved", what, cudaGetErrorName(e), reserved());
    cudaGetLastError();
    cudaDeviceSynchronize();
}

static void slept()
{
    prepare(0, 0);
    free_in_a();
    usleep(300000);
    take_in_b("no policy, after a sleep");
}

static void stream_asked()
{
    prepare(0, 0);
    free_in_a();
    while (cudaStreamQuery(a) == cudaErrorNotReady)
        continue;
    take_in_b("no policy, the stream was asked");
}

static void event_asked()
{
    cudaEvent_t e;
    prepare(0, 0);
    free_in_a();
    cudaEventCreate(&e);
    cudaEventRecord(e, a);
    while (cudaEventQuery(e) == cudaErrorNotReady)
        continue;
    take_in_b("no policy, an event was asked");
}

static void other_synchronised()
{
    prepare(0, 0);
    free_in_a();
    usleep(300000);
    cudaStreamSynchronize(b);
    take_in_b("no policy, after a sleep and a synchronise of the other stream");
}

static void full()
{
    prepare(0, 32 << 20);
    free_in_a();
    take_in_b("no policy, a pool of 32 MiB");
}

static void full_internal()
{
    prepare(1, 32 << 20);
    free_in_a();
    take_in_b("internal dependencies, a pool of 32 MiB");
}

int main()
{
    CASE(slept);
    CASE(stream_asked);
    CASE(event_asked);
    CASE(other_synchronised);
    CASE(full);
    CASE(full_internal);
    return 0;
}
