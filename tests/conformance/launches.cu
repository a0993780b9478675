/* SPDX-License-Identifier: MIT */
/* What a launch refuses: threads, grids, shared memory, and what opting in to more of it changes. */
#include "probe.h"

__global__ static void nothing() {}

__global__ static void static_4096(int *out)
{
    __shared__ int tile[1024];
    extern __shared__ int more[];
    tile[threadIdx.x] = more[threadIdx.x] = 1;
    __syncthreads();
    if (out)
        *out = tile[0] + more[0];
}

__global__ static void dynamic(int *out)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    if (out)
        *out = tile[threadIdx.x];
}

__global__ void __launch_bounds__(128) at_most_128(int *out)
{
    if (out)
        *out = 1;
}

static void threads()
{
    LAUNCH("<<<1, 1024>>>", nothing<<<1, 1024>>>());
    LAUNCH("<<<1, 1025>>>", nothing<<<1, 1025>>>());
    LAUNCH("<<<1, 2048>>>", nothing<<<1, 2048>>>());
    LAUNCH("<<<1, (32, 32)>>>", nothing<<<1, dim3(32, 32)>>>());
    LAUNCH("<<<1, (32, 33)>>>", nothing<<<1, dim3(32, 33)>>>());
    LAUNCH("<<<1, (1, 1024)>>>", nothing<<<1, dim3(1, 1024)>>>());
    LAUNCH("<<<1, (1, 1025)>>>", nothing<<<1, dim3(1, 1025)>>>());
    LAUNCH("<<<1, (1, 1, 64)>>>", nothing<<<1, dim3(1, 1, 64)>>>());
    LAUNCH("<<<1, (1, 1, 65)>>>", nothing<<<1, dim3(1, 1, 65)>>>());
    LAUNCH("<<<1, 0>>>", nothing<<<1, 0>>>());
    LAUNCH("<<<1, (1, 0)>>>", nothing<<<1, dim3(1, 0)>>>());
    LAUNCH("<<<1, (65536, 65536)>>>", nothing<<<1, dim3(65536, 65536)>>>());
    ASK(cudaDeviceSynchronize());
}

static void grids()
{
    int minus = -1;
    LAUNCH("<<<0, 1>>>", nothing<<<0, 1>>>());
    LAUNCH("<<<(1, 0), 1>>>", nothing<<<dim3(1, 0), 1>>>());
    LAUNCH("<<<(1, 1, 0), 1>>>", nothing<<<dim3(1, 1, 0), 1>>>());
    LAUNCH("<<<-1, 1>>>", nothing<<<minus, 1>>>());
    LAUNCH("<<<(1, 65535), 1>>>", nothing<<<dim3(1, 65535), 1>>>());
    LAUNCH("<<<(1, 65536), 1>>>", nothing<<<dim3(1, 65536), 1>>>());
    LAUNCH("<<<(1, 1, 65535), 1>>>", nothing<<<dim3(1, 1, 65535), 1>>>());
    LAUNCH("<<<(1, 1, 65536), 1>>>", nothing<<<dim3(1, 1, 65536), 1>>>());
    LAUNCH("<<<100000, 1>>>", nothing<<<100000, 1>>>());
    ASK(cudaDeviceSynchronize());
}

static void dynamic_shared()
{
    LAUNCH("48 KiB", dynamic<<<1, 1, 48 << 10>>>(NULL));
    LAUNCH("48 KiB + 1", dynamic<<<1, 1, (48 << 10) + 1>>>(NULL));
    LAUNCH("300 KiB", dynamic<<<1, 1, 300 << 10>>>(NULL));
    LAUNCH("SIZE_MAX", dynamic<<<1, 1, SIZE_MAX>>>(NULL));
    LAUNCH("static 4096 + 45056", static_4096<<<1, 1, 45056>>>(NULL));
    LAUNCH("static 4096 + 45057", static_4096<<<1, 1, 45057>>>(NULL));
    ASK(cudaDeviceSynchronize());
}

static void opting_in()
{
    int most = 0;
    ASK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    SAY("opt-in limit above 48 KiB: %d", most > 48 << 10);
    ASK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    LAUNCH("64 KiB after opting in to 64 KiB", dynamic<<<1, 1, 65536>>>(NULL));
    LAUNCH("64 KiB + 1", dynamic<<<1, 1, 65537>>>(NULL));
    LAUNCH("64 KiB and 1025 threads", dynamic<<<1, 1025, 65536>>>(NULL));
    LAUNCH("64 KiB in a kernel that did not opt in", static_4096<<<1, 1, 65536>>>(NULL));
    ASK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    LAUNCH("the opt-in limit", dynamic<<<1, 1, most>>>(NULL));
    ASK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
    ASK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    ASK(cudaFuncSetAttribute(static_4096, cudaFuncAttributeMaxDynamicSharedMemorySize, most - 4096));
    ASK(cudaFuncSetAttribute(static_4096, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    ASK(cudaFuncSetAttribute(dynamic, (cudaFuncAttribute)99, 1));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

static void function_attributes()
{
    cudaFuncAttributes a;
    ASK(cudaFuncGetAttributes(&a, static_4096));
    SAY("static shared %zu, dynamic at most %d", a.sharedSizeBytes, a.maxDynamicSharedSizeBytes);
    SAY("threads at most %d", a.maxThreadsPerBlock);
    ASK(cudaFuncGetAttributes(&a, dynamic));
    SAY("static shared %zu, dynamic at most %d", a.sharedSizeBytes, a.maxDynamicSharedSizeBytes);
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncGetAttributes(&a, dynamic);
    SAY("after opting in: dynamic at most %d", a.maxDynamicSharedSizeBytes);
    ASK(cudaFuncGetAttributes(&a, at_most_128));
    SAY("__launch_bounds__(128): threads at most %d", a.maxThreadsPerBlock);
    ASK(cudaFuncGetAttributes(&a, (const void *)NULL));
    ASK(cudaFuncGetAttributes(&a, (const void *)&a));
}

static void launch_bounds()
{
    LAUNCH("128 threads", at_most_128<<<1, 128>>>(NULL));
    LAUNCH("129 threads", at_most_128<<<1, 129>>>(NULL));
    ASK(cudaDeviceSynchronize());
}

static void through_a_pointer()
{
    int *d, back = 0;
    void *arguments[] = {&d};
    cudaMalloc(&d, 4);
    ASK(cudaLaunchKernel((const void *)dynamic, dim3(1), dim3(1), arguments, 4, 0));
    ASK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    SAY("wrote %d", back);
    ASK(cudaLaunchKernel((const void *)dynamic, dim3(0), dim3(1), arguments, 4, 0));
    ASK(cudaGetLastError());
}

__global__ static void count(int *counter)
{
    atomicAdd(counter, 1);
}

static void many()
{
    int *d, back = 0;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    for (int i = 0; i < 3000; i++)
        count<<<2, 3>>>(d);
    ASK(cudaGetLastError());
    ASK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    SAY("3000 launches of 6 threads counted %d", back);
}

int main()
{
    CASE(threads);
    CASE(grids);
    CASE(dynamic_shared);
    CASE(opting_in);
    CASE(function_attributes);
    CASE(launch_bounds);
    CASE(through_a_pointer);
    CASE(many);
    return 0;
}
