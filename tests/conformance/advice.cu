/* SPDX-License-Identifier: MIT */
/* What is said of managed memory, and asked of it; attaching it; limits that new devices do not have. */
#include "probe.h"

static char *m;
static const size_t bytes = 1 << 20;
static cudaMemLocation device, host;

static void prepare()
{
    device.type = cudaMemLocationTypeDevice;
    host.type = cudaMemLocationTypeHost;
    cudaMallocManaged(&m, bytes);
}

static int number(cudaMemRangeAttribute which, const char *p, size_t n)
{
    int value = 77;
    cudaError_t e = cudaMemRangeGetAttribute(&value, sizeof value, which, p, n);
    if (e)
        SAY("attribute %d -> %s", (int)which, cudaGetErrorName(e));
    return value;
}

static void said(const char *what, const char *p, size_t n)
{
    int by[3] = {77, 77, 77};
    cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, p, n);
    SAY("%s: read mostly %d; preferred %d, type %d; prefetched %d, type %d; by %d %d %d", what,
        number(cudaMemRangeAttributeReadMostly, p, n), number(cudaMemRangeAttributePreferredLocation, p, n),
        number(cudaMemRangeAttributePreferredLocationType, p, n),
        number(cudaMemRangeAttributeLastPrefetchLocation, p, n),
        number(cudaMemRangeAttributeLastPrefetchLocationType, p, n), by[0], by[1], by[2]);
}

static void advice()
{
    prepare();
    said("nothing", m, bytes);
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseSetReadMostly, device));
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseSetPreferredLocation, device));
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseSetAccessedBy, host));
    said("all", m, bytes);
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseSetAccessedBy, device));
    said("both", m, bytes);
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseSetPreferredLocation, host));
    said("the host", m, bytes);
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseUnsetReadMostly, device));
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseUnsetPreferredLocation, device));
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseUnsetAccessedBy, device));
    ASK(cudaMemAdvise(m, bytes, cudaMemAdviseUnsetAccessedBy, host));
    said("taken back", m, bytes);
}

static void ids()
{
    prepare();
    SAY("of nothing %d, %d", number(cudaMemRangeAttributePreferredLocationId, m, bytes),
        number(cudaMemRangeAttributeLastPrefetchLocationId, m, bytes));
    cudaMemAdvise(m, bytes, cudaMemAdviseSetPreferredLocation, device);
    SAY("of the device %d", number(cudaMemRangeAttributePreferredLocationId, m, bytes));
    cudaMemAdvise(m, bytes, cudaMemAdviseSetPreferredLocation, host);
    SAY("of the host %d", number(cudaMemRangeAttributePreferredLocationId, m, bytes));
}

static void parts()
{
    const size_t half = bytes / 2;
    prepare();
    ASK(cudaMemAdvise(m, half, cudaMemAdviseSetReadMostly, device));
    ASK(cudaMemAdvise(m, half, cudaMemAdviseSetPreferredLocation, device));
    ASK(cudaMemAdvise(m, half, cudaMemAdviseSetAccessedBy, device));
    said("first half", m, half);
    said("second half", m + half, half);
    said("all", m, bytes);
    said("one byte", m + 5, 1);
    ASK(cudaMemAdvise(m + half + 1, 1, cudaMemAdviseSetReadMostly, device)); // its page
    SAY("that page %d, the next byte %d", number(cudaMemRangeAttributeReadMostly, m + half, 4096),
        number(cudaMemRangeAttributeReadMostly, m + half + 4096, 1));
}

static void prefetches()
{
    prepare();
    memset(m, 1, bytes);
    ASK(cudaMemPrefetchAsync(m, bytes, device, 0, 0));
    said("to the device", m, bytes);
    ASK(cudaMemPrefetchAsync(m, bytes / 2, host, 0, 0));
    ASK(cudaDeviceSynchronize());
    said("half of it back", m, bytes);
    said("that half", m, bytes / 2);
}

static void questions()
{
    int value = 77, other = 77, by = 77;
    void *d, *both[] = {&value, &by}, *hole[] = {&value, NULL};
    size_t sizes[] = {4, 4};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
    prepare();
    cudaMalloc(&d, bytes);
    ASK(cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, m, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 8, cudaMemRangeAttributeReadMostly, m, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 0, cudaMemRangeAttributeAccessedBy, m, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeAccessedBy, m, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 4, (cudaMemRangeAttribute)99, m, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, m, 0));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, m, bytes + 1));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, d, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, NULL, bytes));
    SAY("%d", value);
    ASK(cudaMemRangeGetAttributes(both, sizes, which, 2, m, bytes));
    SAY("%d %d", value, by);
    ASK(cudaMemRangeGetAttributes(both, sizes, which, 0, m, bytes));
    ASK(cudaMemRangeGetAttributes(hole, sizes, which, 2, m, bytes));
    sizes[1] = 3;
    value = 77;
    both[1] = &other;
    ASK(cudaMemRangeGetAttributes(both, sizes, which, 2, m, bytes));
    SAY("%d %d", value, other);
    ASK(cudaGetLastError());
}

static void attaching()
{
    cudaStream_t s;
    prepare();
    cudaStreamCreate(&s);
    ASK(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(cudaStreamLegacy, m, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(cudaStreamPerThread, m, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachHost));
    ASK(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachGlobal));
    ASK(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachGlobal));
    ASK(cudaStreamAttachMemAsync(s, m, 0, 0));
    ASK(cudaStreamAttachMemAsync(s, m, 0, 3));
    ASK(cudaStreamAttachMemAsync(s, m, bytes, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(s, m, bytes / 2, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(s, m + 4096, 0, cudaMemAttachSingle));
    ASK(cudaStreamSynchronize(s));
}

static void limits()
{
    size_t value = 77;
    ASK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    SAY("%zu", value);
    ASK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    ASK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
    ASK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount));
    SAY("%zu", value);
}

int main()
{
    CASE(advice);
    CASE(ids);
    CASE(parts);
    CASE(prefetches);
    CASE(questions);
    CASE(attaching);
    CASE(limits);
    return 0;
}
