// SPDX-License-Identifier: MIT
// Shared memory starts unwritten in every block, static and dynamic.
//
// run: static
// finding: unwritten @fixed@
// first: thread (0,0,0)
// run: dynamic
// finding: unwritten @dynamic@
// run: halo
// finding: unwritten @halo@
// first: thread (63,0,0)
// run: counter
// finding: unwritten @counter@
// run: second-block
// finding: unwritten @second@
// first: block (1,0,0)
// run: padding
// expect: sum 2016
// run: right
// expect: sum 2016
#include <stdio.h>
#include <string.h>

__global__ void read_static(int *out)
{
    __shared__ int cell[64];
    out[threadIdx.x] = cell[threadIdx.x]; // fixed
}

__global__ void read_dynamic(int *out)
{
    extern __shared__ int cell[];
    out[threadIdx.x] = cell[threadIdx.x]; // dynamic
}

__global__ void neighbour(int *out)
{
    __shared__ int cell[65];
    cell[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cell[threadIdx.x] + cell[threadIdx.x + 1]; // halo
}

__global__ void count(int *out)
{
    __shared__ int hits;
    atomicAdd(&hits, 1); // counter
    __syncthreads();
    out[threadIdx.x] = hits;
}

__global__ void first_only(int *out)
{
    __shared__ int cell[64];
    if (blockIdx.x == 0)
        cell[threadIdx.x] = 1;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x]; // second
}

__global__ void columns(int *out)
{
    __shared__ int tile[8][9];
    tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8];
}

__global__ void right(int *out)
{
    __shared__ int cell[64], hits;
    if (threadIdx.x == 0)
        hits = 0;
    cell[63 - threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&hits, cell[threadIdx.x] + 1);
    __syncthreads();
    out[threadIdx.x] = hits == 2080 ? cell[threadIdx.x] : -1;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int h[64] = {}, *d, sum = 0;
    cudaMalloc(&d, 512);
    if (is("static"))
        read_static<<<1, 64>>>(d);
    else if (is("dynamic"))
        read_dynamic<<<1, 64, 256>>>(d);
    else if (is("halo"))
        neighbour<<<1, 64>>>(d);
    else if (is("counter"))
        count<<<1, 64>>>(d);
    else if (is("second-block"))
        first_only<<<2, 64>>>(d);
    else if (is("padding"))
        columns<<<1, 64>>>(d);
    else
        right<<<1, 64>>>(d);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && (is("right") || is("padding"))) {
        for (int x : h)
            sum += x;
        printf("sum %d\n", sum);
    }
    cudaFree(d);
    return 0;
}
