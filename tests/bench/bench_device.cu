// SPDX-License-Identifier: MIT
// What the simulated device costs, beside plain C in the same run. A line: name, best of some runs, unit.
// Made for the simulated device; on a GPU it would time launches, not kernels.
#include "bench.h"

static const int N = 4 << 20, REPEAT = 9;

__global__ void saxpy_kernel(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void barrier_kernel(int count)
{
    for (int i = 0; i < count; i++)
        __syncthreads();
}

__global__ void empty_kernel()
{
}

__global__ void touch_kernel(float *y)
{
    y[0] += 1;
}

__attribute__((noinline)) static void saxpy_host(float a, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static void bench_saxpy()
{
    size_t bytes = N * sizeof(float);
    float *d_x, *d_y, *h_x = (float *)calloc(N, sizeof(float)), *h_y = (float *)calloc(N, sizeof(float));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemset(d_x, 0, bytes));
    CHECK(cudaMemset(d_y, 0, bytes));
    double sim = best(REPEAT, [&] {
        saxpy_kernel<<<N / 256, 256>>>(2, d_x, d_y, N);
        CHECK(cudaDeviceSynchronize());
    });
    double host = best(REPEAT, [&] { saxpy_host(2, h_x, h_y, N); });
    printf("saxpy, block 256\t%.2f\tns/element\n", sim / N);
    printf("saxpy, plain C loop\t%.2f\tns/element\n", host / N);
    printf("saxpy, times plain C\t%.1f\t\n", sim / host);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
}

static void bench_barrier(int block)
{
    const int count = 1000, threads = 4096;
    double took = best(REPEAT, [&] {
        barrier_kernel<<<threads / block, block>>>(count);
        CHECK(cudaDeviceSynchronize());
    });
    printf("__syncthreads, block %d\t%.1f\tns/thread\n", block, took / count / threads);
}

static void bench_launch()
{
    const int count = 1000;
    float *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(float)));
    double empty = best(REPEAT, [&] {
        for (int i = 0; i < count; i++) {
            empty_kernel<<<1, 1>>>();
            CHECK(cudaDeviceSynchronize());
        }
    });
    double touch = best(REPEAT, [&] {
        for (int i = 0; i < count; i++) {
            touch_kernel<<<1, 1>>>(d_y);
            CHECK(cudaDeviceSynchronize());
        }
    });
    printf("launch and wait, empty kernel\t%.2f\tus\n", empty / count / 1000);
    printf("launch and wait, kernel that touches memory\t%.2f\tus\n", touch / count / 1000);
    CHECK(cudaFree(d_y));
}

int main(void)
{
    bench_saxpy();
    bench_barrier(256);
    bench_barrier(1024);
    bench_launch();
    return 0;
}
