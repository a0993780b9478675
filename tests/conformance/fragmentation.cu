/* SPDX-License-Identifier: MIT */
/* Does cudaMalloc fragment? Large blocks: no. Small blocks: they pin the 2 MiB they share. A ballast block
 * first takes all but 160 MiB, so that any device behaves like a small one. */
#include "probe.h"

static const size_t MIB = 1 << 20;

static void leave_free(size_t bytes)
{
    void *ballast;
    ASK(cudaFree(0));
    size_t now = probe_free_bytes();
    if (now > bytes)
        cudaMalloc(&ballast, now - bytes);
    cudaGetLastError();
    SAY("at least 128 MiB left: %d", probe_free_bytes() >= 128 * MIB);
}

/* Fill with blocks of `bytes`; returns how many fitted. */
static int fill(void **blocks, int most, size_t bytes)
{
    int n = 0;
    while (n < most && cudaMalloc(&blocks[n], bytes) == cudaSuccess)
        n++;
    cudaGetLastError();
    return n;
}

static void large_blocks()
{
    void *blocks[64], *p;
    leave_free(160 * MIB);
    int n = fill(blocks, 64, 16 * MIB);
    SAY("several blocks of 16 MiB: %d", n >= 8);
    SAY("one more: %s", cudaGetErrorName(cudaMalloc(&p, 16 * MIB)));
    for (int i = 0; i < n; i += 2)
        cudaFree(blocks[i]);
    SAY("every other one freed: at least 64 MiB free: %d", probe_free_bytes() >= 64 * MIB);
    SAY("64 MiB in one block: %s", cudaGetErrorName(cudaMalloc(&p, 64 * MIB)));
}

static void small_blocks()
{
    void *blocks[64];
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    int n = fill(blocks, 64, MIB / 2);
    SAY("%d x 512 KiB: %ld KiB taken", n, probe_taken_kib(before));
    for (int i = 0; i < 64; i++)
        if (i % 4)
            cudaFree(blocks[i]);
    SAY("three of four freed, 8 MiB live: %ld KiB taken", probe_taken_kib(before));
    int again = fill(blocks, 48, MIB / 2);
    SAY("%d more of the same size: %ld KiB taken", again, probe_taken_kib(before));
}

static void whole_pages_come_back()
{
    void *blocks[64];
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    fill(blocks, 64, MIB / 2);
    for (int i = 0; i < 60; i++)
        cudaFree(blocks[i]);
    SAY("the first 60 of 64 freed: %ld KiB taken", probe_taken_kib(before));
}

static void small_holes_are_no_use_to_large_blocks()
{
    static void *blocks[1024];
    void *p;
    leave_free(160 * MIB);
    int n = fill(blocks, 1024, MIB / 2);
    for (int i = 0; i < n; i++)
        if (i % 4)
            cudaFree(blocks[i]);
    SAY("three of four of all small blocks freed; 16 MiB: %s", cudaGetErrorName(cudaMalloc(&p, 16 * MIB)));
    SAY("512 KiB: %s", cudaGetErrorName(cudaMalloc(&p, MIB / 2)));
}

int main()
{
    CASE(large_blocks);
    CASE(small_blocks);
    CASE(whole_pages_come_back);
    CASE(small_holes_are_no_use_to_large_blocks);
    return 0;
}
