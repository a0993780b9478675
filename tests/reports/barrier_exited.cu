// SPDX-License-Identifier: MIT
// Threads past the end return before a barrier: legal, the barrier counts those that are left.
// expect: sum 499500
// expect: note: 24 threads
// expect: barrier_exited.cu:@LINE:barrier@
#include <stdio.h>

__global__ void sum_block(const int *x, int *sums, int n)
{
    __shared__ int cell[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int live = min(256, n - (int)(blockIdx.x * blockDim.x));
    if (i >= n)
        return;
    cell[t] = x[i];
    __syncthreads(); // barrier
    if (t == 0)
        for (int k = 0; k < live; k++)
            sums[blockIdx.x] += cell[k];
}

int main()
{
    const int n = 1000;
    int h[n], *x, *sums, back[4], sum = 0;
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&sums, sizeof back);
    cudaMemset(sums, 0, sizeof back);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    sum_block<<<4, 256>>>(x, sums, n);
    cudaMemcpy(back, sums, sizeof back, cudaMemcpyDeviceToHost);
    for (int s : back)
        sum += s;
    printf("sum %d\n", sum);
    cudaFree(x);
    cudaFree(sums);
    return 0;
}
