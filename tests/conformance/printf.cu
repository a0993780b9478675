/* SPDX-License-Identifier: MIT */
/* printf in a kernel: when the text comes out, what it can format, and what it returns. */
#include "probe.h"

__global__ static void hello()
{
    printf("  hello from thread %d\n", threadIdx.x);
}

static void shown_at_synchronisation()
{
    hello<<<1, 2>>>();
    SAY("launched");
    ASK(cudaDeviceSynchronize());
    SAY("synchronised");
}

static void not_shown_without()
{
    hello<<<1, 2>>>();
    SAY("launched");
    exit(0);
}

static void shown_by_other_waits()
{
    cudaStream_t s;
    cudaEvent_t e;
    int *d, h;
    cudaMalloc(&d, 4);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    hello<<<1, 1, 0, s>>>();
    SAY("launched");
    ASK(cudaStreamSynchronize(s));
    hello<<<1, 1>>>();
    SAY("launched");
    ASK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    hello<<<1, 1>>>();
    cudaEventRecord(e);
    SAY("launched");
    ASK(cudaEventSynchronize(e));
    ASK(cudaDeviceSynchronize());
}

__global__ static void formats()
{
    char text[] = "local";
    printf("  %d %5d|%-5d|%05d %+d %u %x %X %#x %o\n", -7, 42, 42, 42, 42, 4000000000u, 255, 255, 255, 8);
    printf("  %ld %lu %lld %llu %llx\n", -5L, 5UL, -6000000000LL, 6000000000ULL, 1ULL << 40);
    printf("  %f %.2f %8.3f|%-8.1f|%e %g %G\n", 1.5f, 3.14159, 2.71828, 2.5, 12345.678, 0.0001, 1e20);
    printf("  %c %s %s %10s|%-10s|%.2s %%\n", 'x', "literal", text, "right", "left", "cut");
    printf("  nothing to format\n");
}

static void formatting()
{
    formats<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
}

__global__ static void results(int *out)
{
    out[0] = printf("  none\n");
    out[1] = printf("  %d\n", 1);
    out[2] = printf("  %d %d %d\n", 1, 2, 3);
}

static void returns_the_number_of_arguments()
{
    int *d, back[3];
    cudaMalloc(&d, sizeof back);
    results<<<1, 1>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("%d %d %d", back[0], back[1], back[2]);
}

__global__ static void first(int n)
{
    if (threadIdx.x == 0)
        printf("  kernel %d\n", n);
}

static void in_the_order_of_the_stream()
{
    for (int i = 0; i < 5; i++)
        first<<<1, 32>>>(i);
    ASK(cudaDeviceSynchronize());
}

int main()
{
    CASE(shown_at_synchronisation);
    CASE(not_shown_without);
    CASE(shown_by_other_waits);
    CASE(formatting);
    CASE(returns_the_number_of_arguments);
    CASE(in_the_order_of_the_stream);
    return 0;
}
