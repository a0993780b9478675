/* SPDX-License-Identifier: MIT */
/* Out of memory is an answer, not an end: what is still true afterwards. */
#include "probe.h"

static const size_t MIB = 1 << 20;

__global__ static void add(int *p)
{
    atomicAdd(p, 1);
}

static void by_size()
{
    void *p, *q;
    size_t now, total;
    cudaMemGetInfo(&now, &total);
    SAY("free + 64 MiB: %s", cudaGetErrorName(cudaMalloc(&p, now + 64 * MIB)));
    SAY("fifteen sixteenths: %s", cudaGetErrorName(cudaMalloc(&p, now / 16 * 15)));
    SAY("a tenth more: %s", cudaGetErrorName(cudaMalloc(&q, total / 10)));
    ASK(cudaFree(p));
    SAY("fifteen sixteenths again: %s", cudaGetErrorName(cudaMalloc(&p, now / 16 * 15)));
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void a_failed_call_takes_nothing()
{
    void *p;
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    for (int i = 0; i < 100; i++)
        cudaMalloc(&p, before + 64 * MIB);
    SAY("taken by 100 failed calls: %ld KiB", probe_taken_kib(before));
}

static void recovery()
{
    void *blocks[16];
    int n = 0, *counter, back = 0;
    ASK(cudaMalloc(&counter, 4));
    cudaMemset(counter, 0, 4);
    size_t eighth = probe_free_bytes() / 8 / (2 * MIB) * (2 * MIB);
    while (n < 16 && cudaMalloc(&blocks[n], eighth) == cudaSuccess)
        n++;
    SAY("seven or eight eighths fitted: %d", n == 7 || n == 8);
    ASK(cudaPeekAtLastError());
    add<<<1, 32>>>(counter);
    ASK(cudaMemcpy(&back, counter, 4, cudaMemcpyDeviceToHost));
    SAY("a kernel still runs: %d", back);
    ASK(cudaGetLastError());
    ASK(cudaFree(blocks[n / 2]));
    ASK(cudaMalloc(&blocks[n / 2], eighth));
    for (int i = 0; i < n; i++)
        cudaFree(blocks[i]);
    SAY("four eighths in one block: %s", cudaGetErrorName(cudaMalloc(&blocks[0], 4 * eighth)));
    ASK(cudaGetLastError());
}

static void stream_ordered()
{
    void *p, *q;
    size_t now = probe_free_bytes();
    SAY("free + 64 MiB: %s", cudaGetErrorName(cudaMallocAsync(&p, now + 64 * MIB, 0)));
    ASK(cudaGetLastError());
    SAY("three quarters: %s", cudaGetErrorName(cudaMallocAsync(&p, now / 4 * 3, 0)));
    SAY("half by cudaMalloc: %s", cudaGetErrorName(cudaMalloc(&q, now / 2)));
    ASK(cudaFreeAsync(p, 0));
    ASK(cudaStreamSynchronize(0));
    SAY("half by cudaMalloc: %s", cudaGetErrorName(cudaMalloc(&q, now / 2)));
}

static void small_blocks()
{
    void *p, *ballast;
    int n = 0;
    ASK(cudaFree(0));
    ASK(cudaMalloc(&ballast, probe_free_bytes() - 16 * MIB));
    while (n < 1 << 16 && cudaMalloc(&p, 64 << 10) == cudaSuccess)
        n++;
    SAY("32 blocks of 64 KiB to each 2 MiB: %d", n % 32 == 0 && n >= 32);
    ASK(cudaGetLastError());
    ASK(cudaFree(ballast));
    ASK(cudaMalloc(&p, 64 << 10));
}

int main()
{
    CASE(by_size);
    CASE(a_failed_call_takes_nothing);
    CASE(recovery);
    CASE(stream_ordered);
    CASE(small_blocks);
    return 0;
}
