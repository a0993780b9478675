/* SPDX-License-Identifier: MIT */
/* cudaMalloc: odd sizes, spacing of small blocks, and what each takes off the device's free memory. */
#include "probe.h"

static void sizes()
{
    void *p = (void *)8;
    ASK(cudaMalloc(&p, 0));
    SAY("p after size 0: %s", p ? "not null" : "null");
    ASK(cudaFree(p));
    ASK(cudaMalloc(&p, 1));
    ASK(cudaFree(p));
    ASK(cudaMalloc((void **)NULL, 16));
    ASK(cudaGetLastError());
}

static void too_large()
{
    void *p = NULL;
    ASK(cudaMalloc(&p, (size_t)1 << 60));
    SAY("p: %s", p ? "not null" : "null");
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(&p, (size_t)1 << 50));
    ASK(cudaMalloc(&p, SIZE_MAX));
    ASK(cudaMalloc(&p, SIZE_MAX - 511));
    ASK(cudaMalloc(&p, 16));
}

static void failed_call_leaves_the_pointer()
{
    void *p = (void *)8;
    cudaMalloc(&p, (size_t)1 << 60);
    SAY("p: %s", p == (void *)8 ? "as before" : p ? "something else" : "null");
}

static void spacing()
{
    char *a, *b, *c;
    cudaMalloc(&a, 1);
    cudaMalloc(&b, 1);
    cudaMalloc(&c, 1);
    SAY("1-byte blocks: %ld and %ld bytes apart", (long)(b - a), (long)(c - b));
    SAY("address %% 512 = %d", (int)((size_t)a % 512));
}

static void spacing_of_sizes()
{
    const size_t sizes[] = {512, 513, 1024, 4000};
    for (size_t bytes : sizes) {
        char *a, *b;
        cudaMalloc(&a, bytes);
        cudaMalloc(&b, bytes);
        SAY("%zu-byte blocks: %ld bytes apart", bytes, (long)(b - a));
    }
}

static void granularity()
{
    ASK(cudaFree(0));
    const size_t sizes[] = {1, 512, 1 << 20, 2 << 20, (2 << 20) + 1, 3 << 20, 5 << 20};
    for (size_t bytes : sizes) {
        char *p;
        size_t before = probe_free_bytes();
        cudaMalloc(&p, bytes);
        SAY("cudaMalloc(%zu): %ld KiB less free; address %% 2 MiB = %zu", bytes, probe_taken_kib(before),
            (size_t)p % (2 << 20));
    }
}

static void free_gives_back()
{
    void *small[8], *large;
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    for (void *&p : small)
        cudaMalloc(&p, 1000);
    cudaMalloc(&large, 3 << 20);
    SAY("eight small and one of 3 MiB: %ld KiB", probe_taken_kib(before));
    cudaFree(large);
    SAY("large freed: %ld KiB", probe_taken_kib(before));
    for (int i = 0; i < 7; i++)
        cudaFree(small[i]);
    SAY("seven of eight small freed: %ld KiB", probe_taken_kib(before));
    cudaFree(small[7]);
    SAY("all freed: %ld KiB", probe_taken_kib(before));
}

static void leak()
{
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    for (int i = 0; i < 50; i++) {
        void *p;
        cudaMalloc(&p, 1 << 20);
    }
    SAY("50 x 1 MiB never freed: %ld KiB", probe_taken_kib(before));
}

static void memory_info()
{
    size_t now = 0, total = 0;
    ASK(cudaMemGetInfo(&now, &total));
    SAY("free <= total: %d, total > 0: %d", now <= total, total > 0);
}

int main()
{
    CASE(sizes);
    CASE(too_large);
    CASE(failed_call_leaves_the_pointer);
    CASE(spacing);
    CASE(spacing_of_sizes);
    CASE(granularity);
    CASE(free_gives_back);
    CASE(leak);
    CASE(memory_info);
    return 0;
}
