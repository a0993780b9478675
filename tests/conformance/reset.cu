/* SPDX-License-Identifier: MIT */
/* cudaDeviceReset: everything of this process on the device goes, and the device can be used again. */
#include "probe.h"

__device__ int variable = 5;

__global__ static void set(int value)
{
    variable = value;
}

static void memory()
{
    void *p, *q;
    ASK(cudaFree(0));
    size_t before = probe_free_bytes();
    ASK(cudaMalloc(&p, 32 << 20));
    ASK(cudaDeviceReset());
    SAY("taken after the reset: %ld KiB", probe_taken_kib(before));
    ASK(cudaMalloc(&q, 1024));
    ASK(cudaFree(q));
    ASK(cudaGetLastError());
}

static void old_pointer()
{
    int *p, h = 0;
    ASK(cudaMalloc(&p, 1024));
    ASK(cudaDeviceReset());
    ASK(cudaFree(p));
    ASK(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
}

static void variables_start_again()
{
    int h = 0;
    set<<<1, 1>>>(9);
    ASK(cudaMemcpyFromSymbol(&h, variable, 4));
    SAY("%d", h);
    ASK(cudaDeviceReset());
    ASK(cudaMemcpyFromSymbol(&h, variable, 4));
    SAY("%d", h);
    set<<<1, 1>>>(7);
    ASK(cudaMemcpyFromSymbol(&h, variable, 4));
    SAY("%d", h);
}

static void before_anything_and_twice()
{
    ASK(cudaDeviceReset());
    ASK(cudaDeviceReset());
    ASK(cudaDeviceSynchronize());
    set<<<1, 1>>>(1);
    ASK(cudaGetLastError());
    ASK(cudaDeviceReset());
    ASK(cudaDeviceReset());
}

static void last_error()
{
    set<<<0, 1>>>(1);
    ASK(cudaPeekAtLastError());
    ASK(cudaDeviceReset());
    ASK(cudaGetLastError());
}

int main()
{
    CASE(memory);
    CASE(old_pointer);
    CASE(variables_start_again);
    CASE(before_anything_and_twice);
    CASE(last_error);
    return 0;
}
