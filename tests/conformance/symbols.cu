/* SPDX-License-Identifier: MIT */
/* __device__, __constant__ and __managed__ variables, and the copies that name them. */
#include "probe.h"

__device__ int numbers[4] = {1, 2, 3, 4};
__device__ float scale = 2.5f;
__constant__ int table[4];
__managed__ int shared_by_both = 10;
static int on_host[8];

struct pair {
    int first;
    double second;
};
__device__ pair both;

namespace deep {
__constant__ float weight = 0.5f;
}

__global__ static void add_table()
{
    numbers[threadIdx.x] += table[threadIdx.x];
    both.first = 3;
    both.second = deep::weight * scale;
}

__global__ static void count_up()
{
    shared_by_both++;
}

static void there_and_back()
{
    int h[4] = {10, 20, 30, 40}, back[4];
    float w = 1.5f;
    pair p;
    ASK(cudaMemcpyToSymbol(table, h, sizeof h));
    ASK(cudaMemcpyToSymbol(deep::weight, &w, sizeof w));
    add_table<<<1, 4>>>();
    ASK(cudaMemcpyFromSymbol(back, numbers, sizeof back));
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
    ASK(cudaMemcpyFromSymbol(&p, both, sizeof p));
    SAY("%d %g", p.first, p.second);
}

static void offsets()
{
    int h[4] = {7, 8, 9, 10}, back[4];
    ASK(cudaMemcpyToSymbol(numbers, h, 8, 4));
    ASK(cudaMemcpyFromSymbol(back, numbers, 12, 4));
    SAY("%d %d %d", back[0], back[1], back[2]);
    ASK(cudaMemcpyToSymbol(numbers, h, 8, 12));
    ASK(cudaMemcpyToSymbol(numbers, h, 4, 16));
    ASK(cudaMemcpyToSymbol(numbers, h, 4, SIZE_MAX - 3));
    ASK(cudaMemcpyFromSymbol(back, numbers, 16, 4));
    ASK(cudaGetLastError());
}

static void too_large()
{
    int h[8] = {0};
    ASK(cudaMemcpyToSymbol(numbers, h, 16));
    ASK(cudaMemcpyToSymbol(numbers, h, 17));
    ASK(cudaMemcpyToSymbol(table, h, 20));
    ASK(cudaMemcpyFromSymbol(h, numbers, 20));
    ASK(cudaMemcpyToSymbol(numbers, h, 0));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

static void kinds()
{
    int h = 5, *d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 1, 64);
    ASK(cudaMemcpyToSymbol(numbers, &h, 4, 0, cudaMemcpyDefault));
    ASK(cudaMemcpyToSymbol(numbers, d, 4, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyFromSymbol(&h, numbers, 4, 0, cudaMemcpyDeviceToHost));
    SAY("%d", h);
    ASK(cudaMemcpyFromSymbol(d, numbers, 4, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyToSymbol(numbers, &h, 4, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyFromSymbol(&h, numbers, 4, 0, cudaMemcpyHostToDevice));
    ASK(cudaGetLastError());
}

static void not_a_symbol()
{
    int h[4] = {0};
    void *p;
    size_t bytes;
    ASK(cudaMemcpyToSymbol(on_host, h, 4));
    ASK(cudaMemcpyFromSymbol(h, on_host, 4));
    ASK(cudaGetSymbolAddress(&p, on_host));
    ASK(cudaGetSymbolSize(&bytes, on_host));
    ASK(cudaGetLastError());
}

static void address_and_size()
{
    void *p, *q;
    int back = 0;
    size_t bytes = 0;
    ASK(cudaGetSymbolAddress(&p, numbers));
    ASK(cudaGetSymbolSize(&bytes, numbers));
    SAY("size %zu, address %% 4 = %d", bytes, (int)((size_t)p % 4));
    ASK(cudaMemcpy(&back, (int *)p + 2, 4, cudaMemcpyDeviceToHost));
    SAY("numbers[2] %d", back);
    ASK(cudaMemset(p, 0, 4));
    ASK(cudaGetSymbolAddress(&q, table));
    ASK(cudaGetSymbolSize(&bytes, table));
    SAY("size %zu", bytes);
    ASK(cudaMemset(q, 0, 16));
    ASK(cudaMemcpyFromSymbol(&back, numbers, 4));
    SAY("numbers[0] %d", back);
    ASK(cudaGetSymbolSize(&bytes, both));
    SAY("size %zu", bytes);
}

static void host_address_of_a_symbol()
{
    int h[4] = {0};
    ASK(cudaMemcpy(&numbers, h, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemset(&numbers, 0, 16));
    ASK(cudaGetLastError());
}

static void managed_variable()
{
    int *p;
    shared_by_both = 20;
    count_up<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    SAY("%d", shared_by_both);
    ASK(cudaGetSymbolAddress((void **)&p, shared_by_both));
    SAY("address is the host's: %d", p == &shared_by_both);
    int h = 30;
    ASK(cudaMemcpyToSymbol(shared_by_both, &h, 4));
    SAY("%d", shared_by_both);
}

static void in_a_stream()
{
    static int h[4] = {1, 1, 1, 1}, back[4];
    cudaStream_t s;
    cudaStreamCreate(&s);
    ASK(cudaMemcpyToSymbolAsync(table, h, 16, 0, cudaMemcpyHostToDevice, s));
    add_table<<<1, 4, 0, s>>>();
    ASK(cudaMemcpyFromSymbolAsync(back, numbers, 16, 0, cudaMemcpyDeviceToHost, s));
    ASK(cudaStreamSynchronize(s));
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
}

int main()
{
    CASE(there_and_back);
    CASE(offsets);
    CASE(too_large);
    CASE(kinds);
    CASE(not_a_symbol);
    CASE(address_and_size);
    CASE(host_address_of_a_symbol);
    CASE(managed_variable);
    CASE(in_a_stream);
    return 0;
}
