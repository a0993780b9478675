/* SPDX-License-Identifier: MIT */
/* When may a stream have what another stream has freed? Each of the three policies, alone and off. */
#include "pools.h"

static void take_in(const char *what, cudaStream_t s)
{
    void *q;
    cudaError_t e = cudaMallocFromPoolAsync(&q, bytes, pool, s);
    SAY("%s: %s, %ld MiB reserved", what, cudaGetErrorName(e), reserved());
    cudaMemsetAsync(q, 2, bytes, s);
    cudaFreeAsync(q, s);
    cudaDeviceSynchronize();
}

static volatile int reached;

static void reach(void *)
{
    reached = 1;
}

static void same_stream()
{
    prepare(0, 0, 0);
    free_in_a();
    take_in("no policy, the same stream", a);
}

static void none()
{
    prepare(0, 0, 0);
    free_in_a();
    take_in("no policy, another stream", b);
}

static void synchronised()
{
    prepare(0, 0, 0);
    free_in_a();
    cudaStreamSynchronize(a);
    take_in("no policy, after a synchronise of the stream", b);
}

static void event_synchronised()
{
    cudaEvent_t e;
    prepare(0, 0, 0);
    free_in_a();
    cudaEventCreate(&e);
    cudaEventRecord(e, a);
    cudaEventSynchronize(e);
    take_in("no policy, after a synchronise of an event", b);
}

static void device_synchronised()
{
    prepare(0, 0, 0);
    free_in_a();
    cudaDeviceSynchronize();
    take_in("no policy, after a synchronise of the device", b);
}

static void with_event(const char *what, int events)
{
    cudaEvent_t e;
    prepare(events, 0, 0);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    free_in_a();
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    take_in(what, b);
}

static void event_policy()
{
    with_event("events, behind an event", 1);
}

static void event_policy_off()
{
    with_event("no policy, behind an event", 0);
}

static void early_event()
{
    cudaEvent_t e;
    void *p;
    prepare(1, 0, 0);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaMallocFromPoolAsync(&p, bytes, pool, a);
    probe_spin<<<1, 1, 0, a>>>();
    cudaEventRecord(e, a);
    cudaFreeAsync(p, a);
    cudaStreamWaitEvent(b, e, 0);
    take_in("events, behind an event before the free", b);
}

static void indirect_event()
{
    cudaEvent_t e, f;
    cudaStream_t c;
    prepare(1, 0, 0);
    cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
    free_in_a();
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(c, e, 0);
    cudaEventRecord(f, c);
    cudaStreamWaitEvent(b, f, 0);
    take_in("events, behind an event by way of a third stream", b);
}

static void has_run(const char *what, int opportunistic)
{
    prepare(0, opportunistic, 0);
    reached = 0;
    free_in_a();
    cudaLaunchHostFunc(a, reach, NULL);
    while (!reached)
        continue;
    usleep(100000);
    take_in(what, b);
}

static void opportunistic_policy()
{
    has_run("opportunistic, the free has run", 1);
}

static void opportunistic_off()
{
    has_run("no policy, the free has run", 0);
}

static void opportunistic_too_early()
{
    prepare(0, 1, 0);
    free_in_a();
    take_in("opportunistic, the free has not run", b);
}

static void internal_policy()
{
    prepare(0, 0, 1);
    free_in_a();
    take_in("internal dependencies", b);
}

static void marks()
{
    unsigned long long zero = 0;
    void *p, *q;
    prepare(1, 1, 1);
    cudaMallocFromPoolAsync(&p, bytes, pool, a);
    cudaMallocFromPoolAsync(&q, bytes, pool, a);
    cudaFreeAsync(q, a);
    cudaStreamSynchronize(a);
    SAY("used %ld of at most %ld, reserved %ld of %ld MiB", book(cudaMemPoolAttrUsedMemCurrent) >> 20,
        book(cudaMemPoolAttrUsedMemHigh) >> 20, reserved(), book(cudaMemPoolAttrReservedMemHigh) >> 20);
    ASK(cudaMemPoolTrimTo(pool, 40 << 20));
    SAY("trimmed to 40 MiB: reserved %ld", reserved());
    ASK(cudaMemPoolTrimTo(pool, 0));
    SAY("trimmed to 0: reserved %ld", reserved());
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    SAY("marks reset: used %ld, reserved %ld", book(cudaMemPoolAttrUsedMemHigh) >> 20,
        book(cudaMemPoolAttrReservedMemHigh) >> 20);
    cudaFreeAsync(p, a);
    cudaStreamSynchronize(a);
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    SAY("all freed, reset: used %ld, reserved %ld", book(cudaMemPoolAttrUsedMemHigh) >> 20, reserved());
}

static void threshold()
{
    unsigned long long keep = 48 << 20;
    void *p[3];
    prepare(1, 1, 1);
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    for (void *&one : p)
        cudaMallocFromPoolAsync(&one, bytes, pool, a);
    for (void *one : p)
        cudaFreeAsync(one, a);
    SAY("freed: reserved %ld MiB", reserved());
    cudaStreamSynchronize(a);
    SAY("synchronised, threshold 48 MiB: reserved %ld MiB", reserved());
    keep = 0;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    SAY("threshold 0: reserved %ld MiB", reserved());
    cudaStreamSynchronize(a);
    SAY("synchronised: reserved %ld MiB", reserved());
}

int main()
{
    CASE(same_stream);
    CASE(none);
    CASE(synchronised);
    CASE(event_synchronised);
    CASE(device_synchronised);
    CASE(event_policy);
    CASE(event_policy_off);
    CASE(early_event);
    CASE(indirect_event);
    CASE(opportunistic_policy);
    CASE(opportunistic_off);
    CASE(opportunistic_too_early);
    CASE(internal_policy);
    CASE(marks);
    CASE(threshold);
    return 0;
}
