/* SPDX-License-Identifier: MIT */
/* The name of a shared variable at file scope, or of a macro, may be another's before it, and the variable's
 * inside a function. */
#include <cstdio>

__global__ void before(int *out)
{
    int tile = 1;
    *out = tile;
}

__shared__ int tile[4];

__global__ void anew(int *out)
{
    int tile = 2;
    *out += tile;
}

__global__ void parameter(int *tile)
{
    *tile += 4;
}

__global__ void itself(int *out)
{
    tile[0] = 8;
    {
        int tile = 16;
        *out += tile;
    }
    *out += tile[0];
}

__global__ void earlier(int *out)
{
    int space = 32;
    *out += space;
}

#define space __shared__

__global__ void later(int *out)
{
    space int box;
    box = 64;
    *out += box;
}

int main()
{
    int *d, h;
    cudaMalloc(&d, sizeof *d);
    before<<<1, 1>>>(d);
    anew<<<1, 1>>>(d);
    parameter<<<1, 1>>>(d);
    itself<<<1, 1>>>(d);
    earlier<<<1, 1>>>(d);
    later<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return cudaFree(d) || h != 127;
}
