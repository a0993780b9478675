// SPDX-License-Identifier: MIT
// The line of a race is that of its write, and of the writes that a thread makes one after another the first:
// in every order of the threads. What is to be done about it depends on who the threads are.
//
// run: readers
// finding: global memory race @changed@
// expect: use another launch, an atomic
// run: warps
// finding: shared memory race @set@
// expect: there must be a __syncthreads()
// run: tiles
// finding: shared memory race @left@ @product@
// finding: shared memory race @right@ @product@
// run: lockstep
// finding: shared memory race @step@
// expect: there must be a __syncwarp() or __syncthreads()
// run: histogram
// finding: shared memory race @bin@
// expect: a value that all of them change needs an atomic
// run: flag
// finding: global memory race @raise@ @poll@
// expect: for a flag atomicExch; volatile is none
#include <stdio.h>
#include <string.h>

__global__ void readers(int *x)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (b == 0)
        x[1 + t] = x[0];
    else if (b == 1)
        x[33 + t] = x[0] + 1;
    else if (b == 2)
        x[65 + t] = x[0] + 2;
    else if (t == 0)
        x[0] = 5; // changed
}

__global__ void warps(int *x)
{
    __shared__ int s;
    int t = threadIdx.x, v = 0;
    if (t == 0)
        s = 1;
    __syncthreads();
    if (t < 32)
        v = s;
    else if (t < 64)
        v = s + 1;
    else if (t == 64)
        s = 7; // set
    x[t] = v;
}

__global__ void tiles(int *x)
{
    enum { T = 8, N = 4 * T };
    __shared__ int a[T][T], b[T][T];
    int column = threadIdx.x % T, row = threadIdx.x / T, sum = 0;
    for (int t = 0; t < N; t += T) {
        a[row][column] = t + row + column; // left
        b[row][column] = t + row - column; // right
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += a[row][k] * b[k][column]; // product
    }
    x[threadIdx.x] = sum;
}

__global__ void lockstep(int *x)
{
    __shared__ int s[64];
    volatile int *v = s;
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32) {
        v[t] += v[t + 32]; // step
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0)
        x[0] = s[0];
}

__global__ void histogram(int *x)
{
    __shared__ int bins[4];
    if (threadIdx.x < 4)
        bins[threadIdx.x] = 0;
    __syncthreads();
    bins[threadIdx.x % 4]++; // bin
    __syncthreads();
    if (threadIdx.x < 4)
        x[threadIdx.x] = bins[threadIdx.x];
}

/* Whether the flag is seen depends on the order of the blocks: looked at once, not waited for. */
__global__ void flag(int *x)
{
    volatile int *up = x;
    if (blockIdx.x == 0) {
        __threadfence();
        *up = 1; // raise
    } else if (*up) // poll
        x[1] = 1;
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*kernel)(int *);
        int blocks, threads;
    } runs[] = {{"readers", readers, 4, 32},     {"warps", warps, 1, 96},  {"tiles", tiles, 1, 64},
                {"lockstep", lockstep, 1, 64}, {"histogram", histogram, 1, 64}, {"flag", flag, 2, 1}};
    int *x;
    cudaMalloc(&x, 1024);
    cudaMemset(x, 0, 1024);
    for (auto &r : runs)
        if (argc > 1 && !strcmp(r.name, argv[1]))
            r.kernel<<<r.blocks, r.threads>>>(x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
}
