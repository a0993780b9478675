// SPDX-License-Identifier: MIT
// Two streams that share the work and meet by an event; memory of every kind; one block is never freed.
#include <cstdio>

__global__ void scale(float *x, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

__global__ void add(float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}

int main()
{
    const int n = 1 << 19, parts = 4, part = n / parts;
    const size_t bytes = n * sizeof(float);
    float *h_x, *d_x, *d_y, *managed, *scratch, *small[6];
    cudaStream_t s[2];
    cudaEvent_t half;
    cudaMallocHost(&h_x, bytes);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, 3 * bytes);
    for (int i = 0; i < 6; i++)
        cudaMalloc(&small[i], 1000 << i); // leak
    cudaMallocManaged(&managed, 4096);
    for (int i = 0; i < n; i++)
        h_x[i] = i % 7;
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&s[i]);
    cudaEventCreate(&half);

    for (int p = 0; p < parts; p++) {
        cudaMemcpyAsync(d_x + p * part, h_x + p * part, bytes / parts, cudaMemcpyHostToDevice, s[p % 2]);
        scale<<<part / 256, 256, 0, s[p % 2]>>>(d_x + p * part, 2, part);
    }
    cudaEventRecord(half, s[0]);
    cudaStreamWaitEvent(s[1], half, 0);
    cudaMemsetAsync(d_y, 0, bytes, s[1]);
    add<<<n / 256, 256, 0, s[1]>>>(d_y, d_x, n); // launch
    cudaMemcpyAsync(h_x, d_y, bytes, cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);

    for (int round = 0; round < 3; round++) {
        cudaMallocAsync(&scratch, bytes << round, s[0]);
        cudaMemcpyAsync(scratch, d_x, bytes, cudaMemcpyDeviceToDevice, s[0]);
        scale<<<n / 256, 256, 0, s[0]>>>(scratch, 0.5f, n);
        cudaFreeAsync(scratch, s[0]);
    }
    cudaDeviceSynchronize();
    printf("%g\n", h_x[5]);

    for (int i = 0; i < 5; i++)
        cudaFree(small[4 - i]);
    cudaFree(d_y);
    cudaFree(d_x);
    cudaFree(managed);
    cudaFreeHost(h_x);
    cudaEventDestroy(half);
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(s[i]);
    return cudaGetLastError() != cudaSuccess;
}
