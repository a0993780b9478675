/* SPDX-License-Identifier: MIT */
/* Pinned, registered and mapped host memory. */
#include "probe.h"

__global__ static void increment(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i]++;
}

static void allocate()
{
    void *h = (void *)8;
    unsigned flags = 99;
    ASK(cudaHostAlloc(&h, 0, cudaHostAllocDefault));
    SAY("size 0: %s", h ? "not null" : "null");
    ASK(cudaMallocHost(&h, 0));
    SAY("size 0: %s", h ? "not null" : "null");
    ASK(cudaFreeHost(h));
    ASK(cudaMallocHost((void **)NULL, 64));
    ASK(cudaHostAlloc((void **)NULL, 64, cudaHostAllocDefault));
    ASK(cudaHostAlloc(&h, 64, 0x100));
    ASK(cudaMallocHost(&h, (size_t)1 << 60));
    ASK(cudaGetLastError());
    ASK(cudaHostAlloc(&h, 1, cudaHostAllocDefault));
    SAY("address %% 512 = %d", (int)((size_t)h % 512));
    ASK(cudaHostGetFlags(&flags, h));
    ASK(cudaFreeHost(h));
}

static void mapped()
{
    int *h, *d = NULL;
    ASK(cudaHostAlloc(&h, 64, cudaHostAllocMapped));
    h[0] = 1, h[1] = 5;
    ASK(cudaHostGetDevicePointer(&d, h, 0));
    SAY("the same address: %d", d == h);
    increment<<<1, 1>>>(d, 2);
    ASK(cudaDeviceSynchronize());
    SAY("%d %d", h[0], h[1]);
    ASK(cudaHostGetDevicePointer(&d, h + 3, 0));
    SAY("the same interior address: %d", d == h + 3);
}

static void every_pinned_block_is_mapped()
{
    int *h;
    ASK(cudaMallocHost(&h, 64));
    *h = 1;
    increment<<<1, 1>>>(h, 1);
    ASK(cudaDeviceSynchronize());
    SAY("%d", *h);
}

static void device_pointer_of_others()
{
    void *d, *p;
    ASK(cudaHostGetDevicePointer(&d, malloc(8), 0));
    cudaMalloc(&p, 64);
    ASK(cudaHostGetDevicePointer(&d, p, 0));
    ASK(cudaHostGetDevicePointer(&d, NULL, 0));
    cudaMallocHost(&p, 64);
    ASK(cudaHostGetDevicePointer(&d, p, 1));
    ASK(cudaFreeHost(p));
    ASK(cudaHostGetDevicePointer(&d, p, 0));
    ASK(cudaGetLastError());
}

static void register_memory()
{
    int *m = (int *)aligned_alloc(4096, 8192), *d = NULL;
    m[0] = 1;
    ASK(cudaHostRegister(m, 8192, cudaHostRegisterDefault));
    ASK(cudaHostGetDevicePointer(&d, m, 0));
    SAY("the same address: %d", d == m);
    increment<<<1, 1>>>(d, 1);
    ASK(cudaDeviceSynchronize());
    SAY("%d", m[0]);
    ASK(cudaHostUnregister(m));
    ASK(cudaHostUnregister(m));
    ASK(cudaGetLastError());
}

static void register_twice()
{
    char *m = (char *)aligned_alloc(4096, 16384);
    ASK(cudaHostRegister(m, 8192, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m, 8192, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m, 4096, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m + 4096, 4096, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m + 8192, 4096, cudaHostRegisterDefault));
    ASK(cudaHostUnregister(m + 100));
    ASK(cudaHostUnregister(m));
    ASK(cudaHostUnregister(m + 8192));
}

static void register_wrong()
{
    char *m = (char *)aligned_alloc(4096, 8192);
    void *p;
    ASK(cudaHostRegister(NULL, 4096, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m, 0, cudaHostRegisterDefault));
    ASK(cudaHostRegister(m, 4096, 0x1000));
    ASK(cudaHostUnregister(NULL));
    ASK(cudaHostUnregister(m));
    cudaMallocHost(&p, 4096);
    ASK(cudaHostRegister(p, 4096, cudaHostRegisterDefault));
    ASK(cudaHostUnregister(p));
    ASK(cudaFreeHost(p));
}

static void register_any_address()
{
    char *m = (char *)aligned_alloc(4096, 8192);
    ASK(cudaHostRegister(m + 40, 100, cudaHostRegisterDefault));
    ASK(cudaHostUnregister(m + 40));
}

static void pinned_memory_costs_no_device_memory()
{
    void *h;
    ASK(cudaMallocHost(&h, 64));
    size_t before = probe_free_bytes();
    ASK(cudaMallocHost(&h, 16 << 20));
    SAY("taken: %ld KiB", probe_taken_kib(before));
}

int main()
{
    CASE(allocate);
    CASE(mapped);
    CASE(every_pinned_block_is_mapped);
    CASE(device_pointer_of_others);
    CASE(register_memory);
    CASE(register_twice);
    CASE(register_wrong);
    CASE(register_any_address);
    CASE(pinned_memory_costs_no_device_memory);
    return 0;
}
