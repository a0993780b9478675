// SPDX-License-Identifier: MIT
// Temporaries from the stream-ordered allocator: each step allocates, works and frees without waiting.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s: %s (%s)\n", line, call, cudaGetErrorString(error), cudaGetErrorName(error));
    exit(1);
}

__global__ void iota_kernel(int *x, int n, int start)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = start + i;
}

__global__ void add_kernel(int *sum, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum[i] += x[i];
}

int main()
{
    const int n = 3000, steps = 20;
    int supported = 0, *total, *host = NULL, wrong = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    if (!supported)
        return 77;
    cudaStream_t stream;
    cudaMemPool_t pool;
    unsigned long long keep = 64ull << 20, used = 1;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    CHECK(cudaMallocAsync(&total, n * sizeof(int), stream));
    CHECK(cudaMemsetAsync(total, 0, n * sizeof(int), stream));
    for (int step = 0; step < steps; step++) {
        int *temporary;
        CHECK(cudaMallocAsync(&temporary, n * sizeof(int), stream));
        iota_kernel<<<4, 128, 0, stream>>>(temporary, n, step);
        add_kernel<<<4, 128, 0, stream>>>(total, temporary, n);
        CHECK(cudaGetLastError());
        CHECK(cudaFreeAsync(temporary, stream));
    }
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaMemcpyAsync(host, total, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(total, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
        wrong += host[i] != steps * i + steps * (steps - 1) / 2;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaFreeHost(host));
    CHECK(cudaStreamDestroy(stream));
    printf("malloc_async: %d wrong, %llu bytes left in use\n", wrong, used);
    return wrong || used;
}
