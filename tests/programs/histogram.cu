// SPDX-License-Identifier: MIT
// Histogram of bytes: atomics in shared memory first, one atomic a bin and block in global memory after.
#include <cstdio>
#include <vector>

#define BINS 256

__global__ void histogram_kernel(const unsigned char *data, size_t n, unsigned int *bins)
{
    __shared__ unsigned int local[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();

    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (local[i])
            atomicAdd(&bins[i], local[i]);
}

int main()
{
    const size_t n = 200001;
    std::vector<unsigned char> data(n);
    unsigned int wanted[BINS] = {0}, bins[BINS], state = 12345, *d_bins;
    unsigned char *d_data;
    for (auto &byte : data) {
        state = state * 1664525u + 1013904223u;
        byte = (state >> 24) & (state >> 16);
        wanted[byte]++;
    }
    cudaMalloc(&d_data, n);
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof bins);

    histogram_kernel<<<30, 192>>>(d_data, n, d_bins);
    cudaError_t error = cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);

    int wrong = error != cudaSuccess;
    for (int i = 0; i < BINS; i++)
        wrong += bins[i] != wanted[i];
    std::printf("histogram: %d wrong\n", wrong);
    cudaFree(d_data);
    cudaFree(d_bins);
    return wrong != 0;
}
