/* SPDX-License-Identifier: MIT */
/* Managed memory: one address for both sides. */
#include "probe.h"

__global__ static void add(int *p, int n, int value)
{
    for (int i = 0; i < n; i++)
        p[i] += value;
}

static void sizes()
{
    int *m = NULL;
    size_t now, total;
    cudaMemGetInfo(&now, &total);
    ASK(cudaMallocManaged(&m, 0));
    SAY("size 0: %s", m ? "not null" : "null");
    ASK(cudaFree(m));
    ASK(cudaMallocManaged((int **)NULL, 64));
    ASK(cudaMallocManaged(&m, 64, 77));
    ASK(cudaMallocManaged(&m, 1));
    ASK(cudaFree(m));
    SAY("larger than the device: %s", cudaGetErrorName(cudaMallocManaged(&m, total + (16 << 20))));
    ASK(cudaFree(m));
    ASK(cudaGetLastError());
}

static void both_sides()
{
    int *m;
    ASK(cudaMallocManaged(&m, 1 << 20));
    m[0] = 1;
    m[1] = 5;
    add<<<1, 1>>>(m, 2, 2);
    ASK(cudaDeviceSynchronize());
    SAY("%d %d", m[0], m[1]);
    add<<<1, 1>>>(m, 2, m[0]);
    ASK(cudaDeviceSynchronize());
    SAY("%d %d", m[0], m[1]);
    ASK(cudaFree(m));
    ASK(cudaFree(m));
}

static void copies()
{
    int *m, *d, h[4] = {1, 2, 3, 4};
    cudaMallocManaged(&m, 1024);
    cudaMalloc(&d, 1024);
    ASK(cudaMemcpy(m, h, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(m + 4, h, 16, cudaMemcpyDefault));
    ASK(cudaMemcpy(m + 64, m, 64, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(m + 64, m, 64, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(d, m, 64, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, m, 64, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    SAY("%d %d %d %d", h[0], h[1], h[2], h[3]);
    ASK(cudaMemcpy(m, h, 1025, cudaMemcpyHostToDevice));
    ASK(cudaGetLastError());
}

static void takes_nothing_before_it_is_touched()
{
    char *m;
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    ASK(cudaMallocManaged(&m, 64 << 20));
    SAY("taken: %ld KiB", probe_taken_kib(before));
    memset(m, 0, 64 << 20);
    SAY("touched by the host: %ld KiB", probe_taken_kib(before));
}

static void prefetch_and_advice()
{
    char *m, *d;
    cudaMemLocation device = {}, host = {}, wrong = {};
    device.type = cudaMemLocationTypeDevice;
    host.type = cudaMemLocationTypeHost;
    wrong.type = cudaMemLocationTypeDevice;
    wrong.id = 99;
    cudaMallocManaged(&m, 1 << 20);
    cudaMalloc(&d, 1 << 20);
    memset(m, 3, 1 << 20);
    ASK(cudaMemPrefetchAsync(m, 1 << 20, device, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 1 << 20, host, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 1 << 20, wrong, 0, 0));
    ASK(cudaMemPrefetchAsync(m, (1 << 20) + 1, device, 0, 0));
    ASK(cudaMemPrefetchAsync(d, 1 << 20, device, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 0, device, 0, 0));
    ASK(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetReadMostly, device));
    ASK(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetPreferredLocation, host));
    ASK(cudaMemAdvise(m, 1 << 20, (cudaMemoryAdvise)99, device));
    ASK(cudaMemAdvise(d, 1 << 20, cudaMemAdviseSetReadMostly, device));
    ASK(cudaDeviceSynchronize());
    SAY("%d", m[(1 << 20) - 1]);
}

static void attach()
{
    cudaStream_t s;
    int *m;
    cudaStreamCreate(&s);
    cudaMallocManaged(&m, 64, cudaMemAttachHost);
    m[0] = 1;
    ASK(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachSingle));
    ASK(cudaStreamSynchronize(s));
    add<<<1, 1, 0, s>>>(m, 1, 4);
    ASK(cudaStreamSynchronize(s));
    SAY("%d", m[0]);
}

int main()
{
    CASE(sizes);
    CASE(both_sides);
    CASE(copies);
    CASE(takes_nothing_before_it_is_touched);
    CASE(prefetch_and_advice);
    CASE(attach);
    return 0;
}
