/* SPDX-License-Identifier: MIT */
/* cudaMemcpy: the four directions right and wrong, ends, zero counts, null and freed pointers. */
#include "probe.h"

static int h[2048];

static void right_directions()
{
    int *d, *e, back[4] = {0};
    h[0] = 1, h[1] = 2, h[2] = 3, h[3] = 4;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    ASK(cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(e, d, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(back, e, 16, cudaMemcpyDeviceToHost));
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
    ASK(cudaMemcpy(back, h + 1, 12, cudaMemcpyHostToHost));
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
}

static void left_to_the_runtime()
{
    int *d, *e, back[2] = {0, 0};
    h[0] = 5, h[1] = 6;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    ASK(cudaMemcpy(d, h, 8, cudaMemcpyDefault));
    ASK(cudaMemcpy(e, d, 8, cudaMemcpyDefault));
    ASK(cudaMemcpy(back, e, 8, cudaMemcpyDefault));
    ASK(cudaMemcpy(h + 8, back, 8, cudaMemcpyDefault));
    SAY("%d %d", h[8], h[9]);
}

static void wrong_directions()
{
    int *d, *e;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    ASK(cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, h, 64, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, h + 8, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(h, h + 8, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, h + 8, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(d, h, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(e, d, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(e, d, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyAsync(h, d, 64, cudaMemcpyHostToDevice, 0));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

static void host_to_host_of_device_memory()
{
    int *d, back = 0;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    h[0] = 77;
    ASK(cudaMemcpy(d, h, 4, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    SAY("arrived: %d", back);
    ASK(cudaMemcpy(h + 1, d, 4, cudaMemcpyHostToHost));
    SAY("same: %d", h[1] == back);
}

static void kinds()
{
    int *d;
    cudaMalloc(&d, 1024);
    ASK(cudaMemcpy(d, h, 16, (cudaMemcpyKind)5));
    ASK(cudaMemcpy(d, h, 16, (cudaMemcpyKind)9));
    ASK(cudaMemcpy(d, h, 16, (cudaMemcpyKind)99));
    ASK(cudaMemcpy(d, h, 16, (cudaMemcpyKind)-1));
    ASK(cudaMemcpyAsync(d, h, 16, (cudaMemcpyKind)9, 0));
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void past_the_end()
{
    char *d, *e, *c = (char *)h;
    int first = 0;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    cudaMemset(d, 0, 1024);
    h[0] = 0x11111111;
    ASK(cudaMemcpy(d, c, 1024, cudaMemcpyHostToDevice));
    cudaMemset(d, 0, 1024);
    ASK(cudaMemcpy(d, c, 1025, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(c, d, 1025, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(d, e, 1025, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(d + 1020, c, 8, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d + 1020, c, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, c, 1025, cudaMemcpyDefault));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaMemcpy(&first, d, 4, cudaMemcpyDeviceToHost));
    SAY("a refused copy wrote %s", first ? "something" : "nothing");
}

static void odd_sizes()
{
    char *d;
    ASK(cudaMalloc(&d, 1000));
    ASK(cudaMemcpy(d, h, 1000, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, h, 1001, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, h, 1025, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, h, SIZE_MAX, cudaMemcpyHostToDevice));
}

static void zero_and_null()
{
    int *d;
    cudaMalloc(&d, 1024);
    ASK(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(NULL, h, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, d, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(NULL, h, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, NULL, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(NULL, d, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, NULL, 16, cudaMemcpyDeviceToHost));
    ASK(cudaDeviceSynchronize());
}

static void freed()
{
    int *d;
    cudaMalloc(&d, 1024);
    ASK(cudaFree(d));
    ASK(cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    ASK(cudaDeviceSynchronize());
}

static void pinned()
{
    int *d, *p;
    cudaMalloc(&d, 1024);
    cudaMallocHost(&p, 1024);
    p[0] = 3;
    ASK(cudaMemcpy(d, p, 1024, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(h, p, 1024, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(p, d, 1024, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(p, d, 1024, cudaMemcpyDefault));
}

int main()
{
    CASE(right_directions);
    CASE(left_to_the_runtime);
    CASE(wrong_directions);
    CASE(host_to_host_of_device_memory);
    CASE(kinds);
    CASE(past_the_end);
    CASE(odd_sizes);
    CASE(zero_and_null);
    CASE(freed);
    CASE(pinned);
    return 0;
}
