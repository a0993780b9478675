/* SPDX-License-Identifier: MIT */
/* Every wrong way to free, and that nothing but the wrong call suffers. */
#include "probe.h"

static void twice()
{
    void *p;
    ASK(cudaMalloc(&p, 64));
    ASK(cudaFree(p));
    ASK(cudaFree(p));
    ASK(cudaGetLastError());
    ASK(cudaMalloc(&p, 64));
    ASK(cudaDeviceSynchronize());
}

static void interior()
{
    char *p;
    int x = 7, y = 0;
    ASK(cudaMalloc(&p, 1024));
    ASK(cudaFree(p + 1));
    ASK(cudaFree(p + 256));
    ASK(cudaFree(p + 1024));
    ASK(cudaMemcpy(p + 512, &x, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(&y, p + 512, 4, cudaMemcpyDeviceToHost));
    SAY("the block still holds %d", y);
    ASK(cudaFree(p));
}

static void host_memory()
{
    int on_stack = 0;
    void *heap = malloc(16);
    ASK(cudaFree(&on_stack));
    ASK(cudaFree(heap));
    ASK(cudaFreeHost(heap));
    ASK(cudaFreeHost(&on_stack));
    ASK(cudaGetLastError());
}

static void pinned()
{
    void *h;
    ASK(cudaMallocHost(&h, 4096));
    ASK(cudaFree(h));
    ASK(cudaFreeHost((char *)h + 64));
    ASK(cudaFreeHost(h));
    ASK(cudaFreeHost(h));
    ASK(cudaGetLastError());
}

static void device_as_host()
{
    void *d;
    ASK(cudaMalloc(&d, 64));
    ASK(cudaFreeHost(d));
    ASK(cudaFree(d));
}

static void managed()
{
    int *m;
    ASK(cudaMallocManaged(&m, 4096));
    ASK(cudaFreeHost(m));
    ASK(cudaFree(m + 1));
    ASK(cudaFree(m));
    ASK(cudaFree(m));
}

static void null()
{
    ASK(cudaFree(NULL));
    ASK(cudaFreeHost(NULL));
    ASK(cudaHostUnregister(NULL));
    ASK(cudaFreeAsync(NULL, 0));
}

static void registered()
{
    char *m = (char *)aligned_alloc(4096, 8192);
    ASK(cudaHostRegister(m, 8192, cudaHostRegisterDefault));
    ASK(cudaFree(m));
    ASK(cudaFreeHost(m));
    ASK(cudaHostUnregister(m));
}

__device__ int device_variable;

static void symbol()
{
    void *p;
    ASK(cudaGetSymbolAddress(&p, device_variable));
    ASK(cudaFree(p));
}

static void stream_ordered()
{
    void *p;
    ASK(cudaMallocAsync(&p, 1 << 20, 0));
    ASK(cudaFree(p));
    ASK(cudaFree(p));
}

int main()
{
    CASE(twice);
    CASE(interior);
    CASE(host_memory);
    CASE(pinned);
    CASE(device_as_host);
    CASE(managed);
    CASE(null);
    CASE(registered);
    CASE(symbol);
    CASE(stream_ordered);
    return 0;
}
