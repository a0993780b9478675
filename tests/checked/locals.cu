// SPDX-License-Identifier: MIT
// Private arrays, recursion and barriers in called functions: every thread keeps its own values, and no
// finding; a private array is not shared even when its address is.
//
// run: 1
// expect: wrong 0
// run: 32
// expect: wrong 0
// run: 33
// expect: wrong 0
// run: 1024
// expect: wrong 0
// run: overflow
// finding: kernel fault
// expect: overflowed its stack
// run: frame
// finding: kernel fault
// expect: overflowed its stack
// expect: thread (20,0,0)
// run: deep
// expect: sum 523776
#include <stdio.h>
#include <stdlib.h>

__host__ __device__ int fibonacci(int n)
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

__device__ void reverse(float *r, int n)
{
    for (int k = 0; k < n / 2; k++) {
        float swap = r[k];
        r[k] = r[n - 1 - k];
        r[n - 1 - k] = swap;
    }
}

__global__ void mix(int *out)
{
    __shared__ int cell[1024];
    int t = threadIdx.x;
    float r[9];
    for (int k = 0; k < 9; k++)
        r[k] = t * 10 + k;
    for (int half = 4; half; half /= 2)
        for (int j = 0; j < half; j++) {
            r[j] += pass(cell, (int)r[j + half]) + fibonacci(t % 7);
            reverse(r, 9);
            __syncthreads();
            reverse(r, 9);
        }
    int sum = 0;
    for (int k = 0; k < 9; k++)
        sum += (int)r[k];
    out[t] = sum;
}

__global__ void deep(int *out)
{
    char frame[3000];
    for (int i = 0; i < 3000; i++)
        frame[i] = (char)(threadIdx.x + i);
    __syncthreads();
    int same = 0;
    for (int i = 0; i < 3000; i++)
        same += frame[i] == (char)(threadIdx.x + i);
    out[threadIdx.x] = same == 3000 ? threadIdx.x : -1;
}

/* One frame that is larger than a stack and the guard below it. */
__device__ __noinline__ int stride(int i)
{
    volatile char frame[500000];
    frame[i] = 1;
    return frame[i];
}

__global__ void uneven(int *out)
{
    volatile int mine = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = threadIdx.x == 20 ? stride(50000) : mine;
}

__device__ __noinline__ int descend(int n, const volatile char *outer)
{
    volatile char frame[4096];
    frame[n % 4096] = (char)n;
    return n ? descend(n - 1, frame) + frame[n % 4096] : outer[0];
}

__global__ void too_deep(int *out)
{
    volatile char first[1] = {1};
    out[threadIdx.x] = descend(100000, first);
}

int main(int argc, char **argv)
{
    static int r[1024][9], back[1024];
    int n = argc > 1 ? atoi(argv[1]) : 0, wrong = 0, *d;
    cudaMalloc(&d, sizeof back);
    if (argc > 1 && (argv[1][0] == 'o' || argv[1][0] == 'f')) {
        if (argv[1][0] == 'f')
            uneven<<<1, 1024>>>(d);
        else
            too_deep<<<1, 1024>>>(d);
        return cudaDeviceSynchronize() == cudaSuccess;
    }
    if (!n) {
        int sum = 0;
        deep<<<1, 1024>>>(d);
        cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
        for (int x : back)
            sum += x;
        printf("sum %d\n", sum);
        return cudaFree(d);
    }
    mix<<<1, n>>>(d);
    cudaMemcpy(back, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int t = 0; t < n; t++)
        for (int k = 0; k < 9; k++)
            r[t][k] = t * 10 + k;
    for (int half = 4; half; half /= 2)
        for (int j = 0; j < half; j++)
            for (int t = 0; t < n; t++)
                r[t][j] += r[(t + 1) % n][j + half] + fibonacci(t % 7);
    for (int t = 0; t < n; t++) {
        int sum = 0;
        for (int k = 0; k < 9; k++)
            sum += r[t][k];
        wrong += sum != back[t];
    }
    printf("wrong %d\n", wrong);
    return 0;
}
