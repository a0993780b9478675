// SPDX-License-Identifier: MIT
// A one-dimensional filter whose coefficients live in constant memory; halo cells in shared memory.
#include <math.h>
#include <stdio.h>

#define RADIUS 4
#define BLOCK 128

__constant__ float coefficients[2 * RADIUS + 1];
__device__ unsigned int blocks_done;

__global__ void filter_kernel(const float *in, float *out, int n)
{
    __shared__ float cell[BLOCK + 2 * RADIUS];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    for (int k = t; k < BLOCK + 2 * RADIUS; k += BLOCK) {
        int from = (int)(blockIdx.x * BLOCK) + k - RADIUS;
        cell[k] = from >= 0 && from < n ? in[from] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < 2 * RADIUS + 1; k++)
            sum = fmaf(coefficients[k], cell[t + k], sum);
        out[i] = sum;
    }
    if (t == 0)
        atomicInc(&blocks_done, 0xffffffffu);
}

int main()
{
    const int n = 5000, blocks = (n + BLOCK - 1) / BLOCK;
    static float h_in[n], h_out[n];
    float h_c[2 * RADIUS + 1], *d_in, *d_out;
    unsigned int done = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        h_c[k + RADIUS] = 1.0f / (1 << (k < 0 ? -k : k));
    for (int i = 0; i < n; i++)
        h_in[i] = (float)(i % 17);
    cudaMemcpyToSymbol(coefficients, h_c, sizeof h_c);
    cudaMalloc(&d_in, sizeof h_in);
    cudaMalloc(&d_out, sizeof h_out);
    cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    filter_kernel<<<blocks, BLOCK>>>(d_in, d_out, n);
    cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&done, blocks_done, sizeof done);

    int wrong = done != blocks;
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n)
                sum += h_c[k + RADIUS] * h_in[i + k];
        wrong += fabsf(sum - h_out[i]) > 1e-4f;
    }
    printf("constant_filter: %d wrong\n", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
