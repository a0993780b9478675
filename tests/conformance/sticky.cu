/* SPDX-License-Identifier: MIT */
/* Errors of a running kernel: they arrive late, stay, and end the device for this process. */
#include "probe.h"

__device__ int variable;

__global__ static void write_one(int *p)
{
    *p = 1;
}

__global__ static void trap()
{
    __trap();
}

__global__ static void read_one(const int *p, int *out)
{
    *out = *p;
}

static void null_write()
{
    int *p;
    LAUNCH("write through a null pointer", write_one<<<1, 1>>>(NULL));
    ASK(cudaDeviceSynchronize());
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(&p, 16));
    ASK(cudaGetLastError());
}

static void what_still_works()
{
    int n = 0, value = 0;
    void *p;
    size_t now, total;
    cudaEvent_t event;
    cudaStream_t stream;
    cudaDeviceProp properties;
    cudaPointerAttributes attributes;
    write_one<<<1, 1>>>(NULL);
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSynchronize());
    ASK(cudaMalloc(&p, 16));
    ASK(cudaFree(0));
    ASK(cudaFree(NULL));
    ASK(cudaMemGetInfo(&now, &total));
    ASK(cudaMemcpyFromSymbol(&value, variable, 4));
    ASK(cudaEventCreate(&event));
    ASK(cudaStreamCreate(&stream));
    ASK(cudaStreamQuery(0));
    ASK(cudaStreamSynchronize(0));
    ASK(cudaMallocHost(&p, 64));
    ASK(cudaMallocManaged(&p, 64));
    ASK(cudaPointerGetAttributes(&attributes, &value));
    LAUNCH("another launch", trap<<<1, 1>>>());
    LAUNCH("a launch with a bad configuration", trap<<<0, 1>>>());
    ASK(cudaGetDeviceCount(&n));
    ASK(cudaGetDevice(&n));
    ASK(cudaSetDevice(0));
    ASK(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    ASK(cudaGetDeviceProperties(&properties, 0));
    ASK(cudaRuntimeGetVersion(&n));
    ASK(cudaDriverGetVersion(&n));
    SAY("%s", cudaGetErrorString(cudaErrorIllegalAddress));
}

static void reset_after()
{
    void *p;
    write_one<<<1, 1>>>(NULL);
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceReset());
    ASK(cudaMalloc(&p, 16));
    ASK(cudaGetLastError());
}

static void seen_by_the_next_copy()
{
    int *d, h = 0;
    cudaMalloc(&d, 64);
    write_one<<<1, 1>>>(NULL);
    ASK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    ASK(cudaFree(d));
    ASK(cudaDeviceSynchronize());
}

static void seen_by_a_stream()
{
    cudaStream_t s;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    write_one<<<1, 1, 0, s>>>(NULL);
    cudaEventRecord(e, s); // may or may not know already
    ASK(cudaStreamSynchronize(s));
    ASK(cudaEventSynchronize(e));
    ASK(cudaEventQuery(e));
    ASK(cudaStreamDestroy(s));
    ASK(cudaEventDestroy(e));
    ASK(cudaDeviceSynchronize());
}

static void null_read()
{
    int *d;
    cudaMalloc(&d, 64);
    read_one<<<1, 1>>>(NULL, d);
    ASK(cudaDeviceSynchronize());
}

static void far_away()
{
    char *d;
    cudaMalloc(&d, 1024);
    write_one<<<1, 1>>>((int *)(d + ((size_t)1 << 38)));
    ASK(cudaDeviceSynchronize());
}

static void host_pointer()
{
    int pageable = -1, *heap = (int *)malloc(64);
    heap[0] = 5;
    ASK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    SAY("pageableMemoryAccess %d", pageable);
    write_one<<<1, 1>>>(heap);
    ASK(cudaDeviceSynchronize());
    SAY("the host still reads %d", heap[0]);
}

static void trapped()
{
    void *p;
    LAUNCH("__trap()", trap<<<1, 1>>>());
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(&p, 4));
}

static void kernels_after_the_fault_do_not_run()
{
    int *h;
    cudaHostAlloc(&h, 64, cudaHostAllocMapped);
    *h = 7;
    trap<<<1, 1>>>();
    cudaDeviceSynchronize();
    write_one<<<1, 1>>>(h);
    ASK(cudaDeviceSynchronize());
    SAY("mapped memory still holds %d", *h);
}

int main()
{
    CASE(null_write);
    CASE(what_still_works);
    CASE(reset_after);
    CASE(seen_by_the_next_copy);
    CASE(seen_by_a_stream);
    CASE(null_read);
    CASE(far_away);
    CASE(host_pointer);
    CASE(trapped);
    CASE(kernels_after_the_fault_do_not_run);
    return 0;
}
