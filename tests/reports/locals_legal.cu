// SPDX-License-Identifier: MIT
// Private arrays, recursion and barriers inside called functions keep every thread's own values.
// expect: wrong 0
// expect-not: [sim]
#include <stdio.h>

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int pass(int *cell, int value)
{
    cell[threadIdx.x] = value;
    __syncthreads();
    int next = cell[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return next;
}

__global__ void mix(int *out)
{
    __shared__ int cell[1024];
    int r[9], t = threadIdx.x;
    for (int k = 0; k < 9; k++)
        r[k] = t * 10 + k;
    for (int half = 4; half; half /= 2)
        for (int j = 0; j < half; j++)
            r[j] += pass(cell, r[j + half]) + fibonacci(t % 7);
    int sum = 0;
    for (int k = 0; k < 9; k++)
        sum += r[k];
    out[t] = sum;
}

static int fibonacci_on_host(int n)
{
    return n < 2 ? n : fibonacci_on_host(n - 1) + fibonacci_on_host(n - 2);
}

static int wrong_for(int n)
{
    static int r[1024][9], back[1024];
    int *d, wrong = 0;
    cudaMalloc(&d, n * sizeof(int));
    mix<<<1, n>>>(d);
    cudaMemcpy(back, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int t = 0; t < n; t++)
        for (int k = 0; k < 9; k++)
            r[t][k] = t * 10 + k;
    for (int half = 4; half; half /= 2)
        for (int j = 0; j < half; j++)
            for (int t = 0; t < n; t++)
                r[t][j] += r[(t + 1) % n][j + half] + fibonacci_on_host(t % 7);
    for (int t = 0; t < n; t++) {
        int sum = 0;
        for (int k = 0; k < 9; k++)
            sum += r[t][k];
        wrong += sum != back[t];
    }
    return wrong;
}

int main()
{
    printf("wrong %d\n", wrong_for(1) + wrong_for(32) + wrong_for(33) + wrong_for(1024));
    return 0;
}
