/* SPDX-License-Identifier: MIT */
/* Streams: handles, flags, and which calls wait for which stream. */
#include "probe.h"

static const size_t MIB = 1 << 20;
static char *d, *pageable, *pinned;
static cudaStream_t blocking, nonblocking;

static void prepare()
{
    cudaMalloc(&d, 4 * MIB);
    pageable = (char *)calloc(4, MIB);
    cudaMallocHost(&pinned, 4 * MIB);
    cudaMemset(d, 0, 4 * MIB); // first uses load things, which may wait for the device
    cudaMemset(pinned, 0, 4 * MIB);
    cudaMemcpy(d, pageable, 4 * MIB, cudaMemcpyHostToDevice);
    cudaMemcpy(pageable, d, 4 * MIB, cudaMemcpyDeviceToHost);
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&nonblocking, cudaStreamNonBlocking);
    probe_spin<<<1, 1>>>();
    cudaDeviceSynchronize();
}

static void busy(cudaStream_t stream)
{
    probe_spin<<<1, 1, 0, stream>>>();
}

static void create_and_destroy()
{
    cudaStream_t s;
    unsigned flags = 9;
    int priority = 9;
    ASK(cudaStreamCreate(&s));
    ASK(cudaStreamGetFlags(s, &flags));
    SAY("flags %u", flags);
    ASK(cudaStreamGetPriority(s, &priority));
    SAY("priority %d", priority);
    ASK(cudaStreamQuery(s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaStreamDestroy(s));
    ASK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    ASK(cudaStreamGetFlags(s, &flags));
    SAY("flags %u", flags);
    ASK(cudaStreamDestroy(s));
    ASK(cudaStreamCreateWithFlags(&s, 77));
    ASK(cudaStreamCreate(NULL));
    ASK(cudaGetLastError());
}

static void priorities()
{
    int least = 9, greatest = 9, priority = 9;
    cudaStream_t s;
    ASK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SAY("least %d, greatest is not larger: %d", least, greatest <= least);
    ASK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    ASK(cudaStreamGetPriority(s, &priority));
    SAY("as asked for: %d", priority == greatest);
    ASK(cudaStreamCreateWithPriority(&s, cudaStreamDefault, greatest - 100));
    ASK(cudaStreamGetPriority(s, &priority));
    SAY("clamped to the greatest: %d", priority == greatest);
}

static void null_stream()
{
    unsigned flags = 9;
    ASK(cudaStreamDestroy(0));
    ASK(cudaStreamSynchronize(0));
    ASK(cudaStreamQuery(0));
    ASK(cudaStreamQuery(cudaStreamLegacy));
    ASK(cudaStreamQuery(cudaStreamPerThread));
    ASK(cudaStreamGetFlags(0, &flags));
    ASK(cudaStreamWaitEvent(0, (cudaEvent_t)0, 0));
    ASK(cudaGetLastError());
}

static void query()
{
    prepare();
    busy(blocking);
    ASK(cudaStreamQuery(blocking));
    ASK(cudaStreamQuery(nonblocking));
    ASK(cudaStreamSynchronize(blocking));
    ASK(cudaStreamQuery(blocking));
}

static void legacy_stream_waits_for_blocking_streams()
{
    prepare();
    busy(blocking);
    ASK(cudaMemcpy(d, pageable, 64, cudaMemcpyHostToDevice));
    ASK(cudaStreamQuery(blocking));
}

static void legacy_stream_passes_nonblocking_streams()
{
    prepare();
    busy(nonblocking);
    ASK(cudaMemcpy(d, pageable, 64, cudaMemcpyHostToDevice));
    ASK(cudaStreamQuery(nonblocking));
    ASK(cudaStreamSynchronize(0));
    ASK(cudaStreamQuery(nonblocking));
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamQuery(nonblocking));
}

static void streams_wait_for_the_legacy_stream()
{
    prepare();
    busy(0);
    cudaMemsetAsync(d, 1, 64, blocking);
    ASK(cudaStreamQuery(blocking));
    cudaMemsetAsync(d + MIB, 1, 64, nonblocking);
    ASK(cudaStreamSynchronize(nonblocking));
    ASK(cudaStreamQuery(0));
    ASK(cudaStreamSynchronize(blocking));
    ASK(cudaStreamQuery(0));
}

static void pageable_to_host_waits()
{
    prepare();
    busy(nonblocking);
    ASK(cudaMemcpyAsync(pageable, d, MIB, cudaMemcpyDeviceToHost, nonblocking));
    ASK(cudaStreamQuery(nonblocking));
}

static void pageable_to_device_is_staged()
{
    prepare();
    busy(nonblocking);
    ASK(cudaMemcpyAsync(d, pageable, 1024, cudaMemcpyHostToDevice, nonblocking));
    ASK(cudaStreamQuery(nonblocking));
    pageable[0] = 9;
    ASK(cudaStreamSynchronize(nonblocking));
    char back = 5;
    ASK(cudaMemcpy(&back, d, 1, cudaMemcpyDeviceToHost));
    SAY("the value at the time of the call arrived: %d", back == 0);
}

static void pinned_does_not_wait()
{
    prepare();
    busy(nonblocking);
    ASK(cudaMemcpyAsync(pinned, d, MIB, cudaMemcpyDeviceToHost, nonblocking));
    ASK(cudaMemcpyAsync(d, pinned, MIB, cudaMemcpyHostToDevice, nonblocking));
    ASK(cudaMemsetAsync(d, 0, MIB, nonblocking));
    ASK(cudaStreamQuery(nonblocking));
    ASK(cudaStreamSynchronize(nonblocking));
}

static void free_waits()
{
    prepare();
    busy(nonblocking);
    ASK(cudaFree(d));
    ASK(cudaStreamQuery(nonblocking));
}

static void malloc_does_not_wait()
{
    void *p;
    prepare();
    busy(nonblocking);
    ASK(cudaMalloc(&p, 64 * MIB));
    ASK(cudaStreamQuery(nonblocking));
    ASK(cudaDeviceSynchronize());
}

static void destroy_does_not_drop_work()
{
    prepare();
    busy(nonblocking);
    cudaMemsetAsync(pinned, 5, 64, nonblocking);
    ASK(cudaStreamDestroy(nonblocking));
    ASK(cudaDeviceSynchronize());
    SAY("%d", pinned[0]);
}

int main()
{
    CASE(create_and_destroy);
    CASE(priorities);
    CASE(null_stream);
    CASE(query);
    CASE(legacy_stream_waits_for_blocking_streams);
    CASE(legacy_stream_passes_nonblocking_streams);
    CASE(streams_wait_for_the_legacy_stream);
    CASE(pageable_to_host_waits);
    CASE(pageable_to_device_is_staged);
    CASE(pinned_does_not_wait);
    CASE(free_waits);
    CASE(malloc_does_not_wait);
    CASE(destroy_does_not_drop_work);
    return 0;
}
