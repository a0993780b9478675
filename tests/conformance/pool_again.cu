/* SPDX-License-Identifier: MIT */
/* When may a stream have what another has freed, though no policy allows it, and when does a pool grow? */
#include "pools.h"

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
    prepare(0, 0, 0);
    free_in_a();
    usleep(300000);
    take_in_b("no policy, after a sleep");
}

static void stream_asked()
{
    prepare(0, 0, 0);
    free_in_a();
    while (cudaStreamQuery(a) == cudaErrorNotReady)
        continue;
    take_in_b("no policy, the stream was asked");
}

static void event_asked()
{
    cudaEvent_t e;
    prepare(0, 0, 0);
    free_in_a();
    cudaEventCreate(&e);
    cudaEventRecord(e, a);
    while (cudaEventQuery(e) == cudaErrorNotReady)
        continue;
    take_in_b("no policy, an event was asked");
}

static void other_synchronised()
{
    prepare(0, 0, 0);
    free_in_a();
    usleep(300000);
    cudaStreamSynchronize(b);
    take_in_b("no policy, after a sleep and a synchronise of the other stream");
}

static void destroyed()
{
    prepare(0, 0, 0);
    free_in_a();
    cudaStreamDestroy(a);
    usleep(300000);
    take_in_b("no policy, after its stream was destroyed");
}

static void destroyed_just_now()
{
    prepare(0, 0, 0);
    free_in_a();
    cudaStreamDestroy(a);
    take_in_b("no policy, its stream is destroyed at once");
}

static void legacy_synchronised()
{
    prepare(0, 0, 0);
    cudaStreamCreate(&a);
    free_in_a();
    cudaStreamSynchronize(cudaStreamLegacy);
    take_in_b("no policy, after a synchronise of the legacy stream, which waits for its stream");
}

static void follower_synchronised()
{
    cudaStream_t c;
    cudaEvent_t e;
    prepare(0, 0, 0);
    cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    free_in_a();
    cudaEventCreate(&e);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(c, e, 0);
    cudaStreamSynchronize(c);
    take_in_b("no policy, after a synchronise of a stream that waits for its stream");
}

static void full_slept()
{
    prepare(0, 0, 0, 32 << 20);
    free_in_a();
    usleep(300000);
    take_in_b("no policy, a pool of 32 MiB, after a sleep");
}

static void full_opportunistic()
{
    prepare(0, 1, 0, 32 << 20);
    free_in_a();
    take_in_b("opportunistic, a pool of 32 MiB");
}

static void full_events()
{
    prepare(1, 0, 0, 32 << 20);
    free_in_a();
    take_in_b("event dependencies without an event, a pool of 32 MiB");
}

static void full()
{
    prepare(0, 0, 0, 32 << 20);
    free_in_a();
    take_in_b("no policy, a pool of 32 MiB");
}

static void full_internal()
{
    prepare(0, 0, 1, 32 << 20);
    free_in_a();
    take_in_b("internal dependencies, a pool of 32 MiB");
}

int main()
{
    CASE(slept);
    CASE(stream_asked);
    CASE(event_asked);
    CASE(other_synchronised);
    CASE(destroyed);
    CASE(destroyed_just_now);
    CASE(legacy_synchronised);
    CASE(follower_synchronised);
    CASE(full_slept);
    CASE(full_opportunistic);
    CASE(full_events);
    CASE(full);
    CASE(full_internal);
    return 0;
}
