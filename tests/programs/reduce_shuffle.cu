// SPDX-License-Identifier: MIT
// Sum and maximum of an array: a grid-stride loop, then shuffles in each warp, then one atomic a block.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

__inline__ __device__ long long warp_sum(long long value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__inline__ __device__ int warp_max(int value)
{
    for (int mask = 16; mask; mask >>= 1)
        value = max(value, __shfl_xor_sync(0xffffffff, value, mask));
    return value;
}

__global__ void reduce_kernel(const int *x, int n, unsigned long long *sum, int *largest)
{
    __shared__ long long part[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    long long mine = 0;
    int best = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += x[i];
        best = max(best, x[i]);
    }
    mine = warp_sum(mine);
    best = warp_max(best);
    if (lane == 0) {
        part[warp] = mine;
        atomicMax(largest, best);
    }
    __syncthreads();
    if (warp == 0) {
        mine = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
        mine = warp_sum(mine);
        if (lane == 0)
            atomicAdd(sum, (unsigned long long)mine);
    }
}

int main()
{
    const int n = 300007;
    int *h_x = (int *)malloc(n * sizeof(int)), *d_x, *d_largest, largest = INT_MIN, wanted_largest = INT_MIN;
    unsigned long long *d_sum, sum = 0;
    long long wanted = 0;
    srand(1);
    for (int i = 0; i < n; i++) {
        h_x[i] = rand() % 2000001 - 1000000;
        wanted += h_x[i];
        wanted_largest = h_x[i] > wanted_largest ? h_x[i] : wanted_largest;
    }
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_sum, sizeof sum);
    cudaMalloc(&d_largest, sizeof largest);
    cudaMemcpy(d_x, h_x, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sum, &sum, sizeof sum, cudaMemcpyHostToDevice);
    cudaMemcpy(d_largest, &largest, sizeof largest, cudaMemcpyHostToDevice);

    reduce_kernel<<<40, 256>>>(d_x, n, d_sum, d_largest);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&largest, d_largest, sizeof largest, cudaMemcpyDeviceToHost);

    printf("reduce_shuffle: sum %lld (%lld), ", (long long)sum, wanted);
    printf("largest %d (%d)\n", largest, wanted_largest);
    cudaFree(d_x);
    cudaFree(d_sum);
    cudaFree(d_largest);
    free(h_x);
    return (long long)sum != wanted || largest != wanted_largest;
}
