// SPDX-License-Identifier: MIT
// Kernels chosen at run time from a table of function pointers, and launched through cudaLaunchKernel.
#include <math.h>
#include <stdio.h>

typedef void (*unary_kernel)(const float *, float *, int);

__device__ __forceinline__ int global_index()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void square_kernel(const float *x, float *y, int n)
{
    int i = global_index();
    if (i < n)
        y[i] = x[i] * x[i];
}

__global__ void half_kernel(const float *x, float *y, int n)
{
    int i = global_index();
    if (i < n)
        y[i] = x[i] / 2;
}

template <int N> __global__ void add_kernel(const float *x, float *y, int n)
{
    int i = global_index();
    if (i < n)
        y[i] = x[i] + N;
}

static const struct {
    const char *name;
    unary_kernel kernel;
    float (*reference)(float);
} table[] = {
    {"square", square_kernel, [](float x) { return x * x; }},
    {"half", half_kernel, [](float x) { return x / 2; }},
    {"add 3", add_kernel<3>, [](float x) { return x + 3; }},
    {"add -8", add_kernel<-8>, [](float x) { return x - 8; }},
};

int main()
{
    const int n = 333;
    float h[n], back[n], *x, *y;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        h[i] = i - 100.0f;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);

    for (const auto &entry : table) {
        entry.kernel<<<(n + 63) / 64, 64>>>(x, y, n);
        wrong += cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
        for (int i = 0; i < n; i++)
            wrong += back[i] != entry.reference(h[i]);
        cudaMemset(y, 0, sizeof h);

        int count = n;
        void *arguments[] = {&x, &y, &count};
        const void *kernel = (const void *)entry.kernel;
        wrong += cudaLaunchKernel(kernel, dim3(6), dim3(64), arguments, 0, 0) != cudaSuccess;
        wrong += cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
        for (int i = 0; i < n; i++)
            wrong += back[i] != entry.reference(h[i]);
        printf("%s: %d wrong so far\n", entry.name, wrong);
    }
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
