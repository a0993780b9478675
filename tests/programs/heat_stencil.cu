// SPDX-License-Identifier: MIT
// Heat on a plate: two buffers that change places after every step (ping-pong).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W 70
#define H 45
#define STEPS 30

__host__ __device__ static float step_at(const float *u, int x, int y)
{
    float c = u[y * W + x];
    if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
        return c;
    return c + 0.2f * (u[y * W + x - 1] + u[y * W + x + 1] + u[(y - 1) * W + x] + u[(y + 1) * W + x] - 4 * c);
}

__global__ void __launch_bounds__(256) step_kernel(const float *__restrict__ from, float *__restrict__ to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H)
        to[y * W + x] = step_at(from, x, y);
}

int main()
{
    size_t bytes = W * H * sizeof(float);
    float *a = (float *)calloc(W * H, sizeof(float)), *b = (float *)malloc(bytes);
    float *result = (float *)malloc(bytes), *d_from, *d_to, ms = 0;
    cudaEvent_t start, stop;
    for (int x = 0; x < W; x++)
        a[x] = 100;
    cudaMalloc(&d_from, bytes);
    cudaMalloc(&d_to, bytes);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(d_from, a, bytes, cudaMemcpyHostToDevice);

    dim3 block(32, 8), grid((W + 31) / 32, (H + 7) / 8);
    cudaEventRecord(start);
    for (int step = 0; step < STEPS; step++) {
        step_kernel<<<grid, block>>>(d_from, d_to);
        float *swap = d_from;
        d_from = d_to;
        d_to = swap;
    }
    cudaEventRecord(stop);
    cudaMemcpy(result, d_from, bytes, cudaMemcpyDeviceToHost);
    int wrong = cudaEventElapsedTime(&ms, start, stop) != cudaSuccess || ms < 0;

    for (int step = 0; step < STEPS; step++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                b[y * W + x] = step_at(a, x, y);
        memcpy(a, b, bytes);
    }
    for (int i = 0; i < W * H; i++)
        wrong += fabsf(result[i] - a[i]) > 1e-3f;
    printf("heat_stencil: %d wrong\n", wrong);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_from);
    cudaFree(d_to);
    free(a);
    free(b);
    free(result);
    return wrong != 0;
}
