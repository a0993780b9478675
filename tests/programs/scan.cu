// SPDX-License-Identifier: MIT
// Inclusive prefix sum of any length: scan each block, scan the block sums, add them back. Recursive.
#include <stdio.h>
#include <stdlib.h>

const int BLOCK = 256;

__global__ void scan_blocks_kernel(int *x, int *sums, int n)
{
    extern __shared__ int cell[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cell[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int left = t >= offset ? cell[t - offset] : 0;
        __syncthreads();
        cell[t] += left;
        __syncthreads();
    }
    if (i < n)
        x[i] = cell[t];
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = cell[t];
}

__global__ void add_sums_kernel(int *x, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        x[i] += sums[blockIdx.x - 1];
}

static void scan(int *d_x, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK, *d_sums;
    cudaMalloc(&d_sums, blocks * sizeof(int));
    scan_blocks_kernel<<<blocks, BLOCK, BLOCK * sizeof(int)>>>(d_x, d_sums, n);
    if (blocks > 1) {
        scan(d_sums, blocks);
        add_sums_kernel<<<blocks, BLOCK>>>(d_x, d_sums, n);
    }
    cudaFree(d_sums);
}

static int wrong_for(int n)
{
    int *h_x = (int *)malloc(n * sizeof(int)), *back = (int *)malloc(n * sizeof(int)), *d_x, sum = 0;
    for (int i = 0; i < n; i++)
        h_x[i] = i * 7919 % 13 - 6;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, h_x, n * sizeof(int), cudaMemcpyHostToDevice);
    scan(d_x, n);
    int wrong = cudaMemcpy(back, d_x, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < n; i++) {
        sum += h_x[i];
        wrong += back[i] != sum;
    }
    cudaFree(d_x);
    free(h_x);
    free(back);
    return wrong;
}

int main()
{
    int wrong = wrong_for(1) + wrong_for(256) + wrong_for(257) + wrong_for(70001);
    printf("scan: %d wrong\n", wrong);
    return wrong != 0;
}
