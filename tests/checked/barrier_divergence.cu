// SPDX-License-Identifier: MIT
// Barriers that not every thread of a block reaches. Threads that have left the kernel do not count.
//
// run: a
// finding: divergent barrier @even@
// expect: 32 threads
// run: b
// expect: sum 499500
// expect: note: 24 threads
// expect: @all@
// exit: any
// run: c
// finding: divergent barrier @low@ @high@
// run: d
// expect: sum 640
// run: e
// finding: divergent barrier @after@ @inside@
// run: f
// finding: divergent barrier @called@ @end@
// run: g
// finding: divergent barrier @first@ @last@
// run: h
// expect: sum 2016
#include <stdio.h>

__global__ void half_wait(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        __syncthreads(); // even
    out[t] = 1;
}

__global__ void early_return(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = i;
    __syncthreads(); // all
}

__global__ void two_branches(int *out)
{
    if (threadIdx.x < 16)
        __syncthreads(); // low
    else
        __syncthreads(); // high
    out[threadIdx.x] = 1;
}

__global__ void equal_trips(int *out)
{
    for (int i = 0; i < 10; i++) {
        out[threadIdx.x] = i + 1;
        __syncthreads();
    }
}

__global__ void unequal_trips(int *out)
{
    for (int i = 0; i < (int)threadIdx.x % 2 + 1; i++)
        __syncthreads(); // inside
    out[threadIdx.x] = 1;
    __syncthreads(); // after
}

__device__ void wait(int *out)
{
    out[threadIdx.x] = 1;
    __syncthreads(); // called
}

__global__ void in_function(int *out)
{
    if (threadIdx.x != 5)
        wait(out);
    else
        out[threadIdx.x] = 2;
    __syncthreads(); // end
}

__global__ void whole_warps(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads(); // first
    out[threadIdx.x] = 1;
    if (threadIdx.x >= 32)
        __syncthreads(); // last
    out[threadIdx.x] += 1;
    __syncthreads();
}

__global__ void uniform_branch(int *out)
{
    if (blockIdx.x == 0)
        __syncthreads();
    out[threadIdx.x] = threadIdx.x;
    if (blockDim.x > 32)
        __syncthreads();
}

int main(int argc, char **argv)
{
    const int n = 1000;
    int h[1024] = {}, *d, sum = 0;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    switch (argc > 1 ? argv[1][0] : 'd') {
    case 'a': half_wait<<<1, 64>>>(d); break;
    case 'b': early_return<<<4, 256>>>(d, n); break;
    case 'c': two_branches<<<1, 64>>>(d); break;
    case 'd': equal_trips<<<1, 64>>>(d); break;
    case 'e': unequal_trips<<<1, 64>>>(d); break;
    case 'f': in_function<<<1, 64>>>(d); break;
    case 'g': whole_warps<<<1, 64>>>(d); break;
    case 'h': uniform_branch<<<1, 64>>>(d); break;
    }
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h)
        sum += x;
    printf("sum %d\n", sum);
    cudaFree(d);
    return 0;
}
