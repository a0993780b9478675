/* SPDX-License-Identifier: MIT */
/* __syncthreads and its counting forms; threads that ended no longer count. */
#include "probe.h"

__global__ static void sum_after_early_return(int *out, int n)
{
    __shared__ int part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = 0;
    __syncthreads();
    if (i >= n)
        return;
    part[threadIdx.x] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int t = 0; t < 256; t++)
            sum += part[t];
        out[blockIdx.x] = sum;
    }
}

static void early_return()
{
    int *d, back[4];
    cudaMalloc(&d, sizeof back);
    sum_after_early_return<<<4, 256>>>(d, 1000);
    ASK(cudaDeviceSynchronize());
    cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
    SAY("%d %d %d %d", back[0], back[1], back[2], back[3]);
}

__global__ static void votes(int *out, int limit)
{
    int t = threadIdx.x;
    int count = __syncthreads_count(t < limit);
    int all = __syncthreads_and(t < limit);
    int any = __syncthreads_or(t < limit);
    if (t == 0) {
        out[0] = count;
        out[1] = all != 0;
        out[2] = any != 0;
    }
}

static void counting()
{
    int *d, back[3];
    cudaMalloc(&d, sizeof back);
    for (int limit : {0, 1, 33, 99, 100}) {
        votes<<<1, 100>>>(d, limit);
        cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
        SAY("%d of 100: count %d, and %d, or %d", limit, back[0], back[1], back[2]);
    }
}

__global__ static void votes_of_the_living(int *out)
{
    if (threadIdx.x % 2)
        return;
    int count = __syncthreads_count(1);
    int all = __syncthreads_and(threadIdx.x % 2 == 0);
    if (threadIdx.x == 0) {
        out[0] = count;
        out[1] = all != 0;
    }
}

static void counting_after_returns()
{
    int *d, back[2];
    cudaMalloc(&d, sizeof back);
    votes_of_the_living<<<1, 96>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("count %d, and %d", back[0], back[1]);
}

__global__ static void rotate(int *out, int rounds)
{
    __shared__ int cell[96];
    int t = threadIdx.x, n = blockDim.x;
    cell[t] = t;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        int next = cell[(t + 1) % n];
        __syncthreads();
        cell[t] = next;
    }
    out[t] = cell[t];
}

static void in_a_loop()
{
    int *d, back[96], wrong = 0;
    cudaMalloc(&d, sizeof back);
    rotate<<<1, 96>>>(d, 500);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; i++)
        wrong += back[i] != (i + 500) % 96;
    SAY("wrong: %d", wrong);
}

__device__ static int neighbour(int *cell, int value)
{
    cell[threadIdx.x] = value;
    __syncthreads();
    int result = cell[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return result;
}

__global__ static void two_calls(int *out)
{
    __shared__ int cell[1024];
    out[threadIdx.x] = neighbour(cell, neighbour(cell, threadIdx.x));
}

static void in_a_function()
{
    int *d, back[1024];
    cudaMalloc(&d, sizeof back);
    for (int threads : {1, 32, 33, 1024}) {
        int wrong = 0;
        two_calls<<<1, threads>>>(d);
        cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
        for (int i = 0; i < threads; i++)
            wrong += back[i] != (i + 2) % threads;
        SAY("%d threads, wrong: %d", threads, wrong);
    }
}

int main()
{
    CASE(early_return);
    CASE(counting);
    CASE(counting_after_returns);
    CASE(in_a_loop);
    CASE(in_a_function);
    return 0;
}
