/* SPDX-License-Identifier: MIT */
/* cudaMemset fills bytes; its ends, its zero counts, and the memory it refuses. */
#include "probe.h"

static void values()
{
    int *d, i[2];
    float f;
    cudaMalloc(&d, 1024);
    ASK(cudaMemset(d, 1, 8));
    cudaMemcpy(i, d, 8, cudaMemcpyDeviceToHost);
    SAY("ints: %d %d", i[0], i[1]);
    ASK(cudaMemset(d, 0x1ff, 4));
    cudaMemcpy(i, d, 8, cudaMemcpyDeviceToHost);
    SAY("ints: %d %d", i[0], i[1]);
    ASK(cudaMemset(d, (int)-10000.0f, 4));
    cudaMemcpy(&f, d, 4, cudaMemcpyDeviceToHost);
    SAY("float: %g", f);
    ASK(cudaMemset((char *)d + 1, 0, 2));
    cudaMemcpy(i, d, 4, cudaMemcpyDeviceToHost);
    SAY("bytes 1 and 2 cleared: %08x", i[0]);
}

static void ends()
{
    char *d;
    unsigned char first = 0;
    cudaMalloc(&d, 1024);
    ASK(cudaMemset(d, 5, 1024));
    ASK(cudaMemset(d, 0, 1025));
    ASK(cudaMemset(d, 0, 1 << 22));
    ASK(cudaMemset(d + 1023, 0, 2));
    ASK(cudaMemset(d + 1023, 0, 1));
    ASK(cudaMemset(d, 0, SIZE_MAX));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    cudaMemcpy(&first, d, 1, cudaMemcpyDeviceToHost);
    SAY("first byte %d", first);
}

static void zero_and_null()
{
    char *d;
    cudaMalloc(&d, 1024);
    ASK(cudaMemset(d, 0, 0));
    ASK(cudaMemset(NULL, 0, 0));
    ASK(cudaMemset(NULL, 0, 16));
    ASK(cudaGetLastError());
}

static void other_memory()
{
    static char host[64];
    char *pinned, *managed, *d;
    ASK(cudaMemset(host, 0, 16));
    cudaMallocHost(&pinned, 64);
    ASK(cudaMemset(pinned, 7, 16));
    ASK(cudaDeviceSynchronize());
    SAY("pinned: %d", pinned[15]);
    cudaMallocManaged(&managed, 64);
    ASK(cudaMemset(managed, 9, 16));
    ASK(cudaDeviceSynchronize());
    SAY("managed: %d", managed[15]);
    cudaMalloc(&d, 64);
    cudaFree(d);
    ASK(cudaMemset(d, 0, 16));
}

static void in_a_stream()
{
    char *d, back = 0;
    cudaStream_t s;
    cudaMalloc(&d, 1024);
    ASK(cudaStreamCreate(&s));
    ASK(cudaMemsetAsync(d, 3, 1024, s));
    ASK(cudaMemsetAsync(d, 0, 1025, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaMemcpy(&back, d + 1023, 1, cudaMemcpyDeviceToHost));
    SAY("last byte %d", back);
    ASK(cudaStreamDestroy(s));
}

int main()
{
    CASE(values);
    CASE(ends);
    CASE(zero_and_null);
    CASE(other_memory);
    CASE(in_a_stream);
    return 0;
}
