// SPDX-License-Identifier: MIT
// Host code assigns to a device variable: on a GPU only the host's shadow changes.
// expect: HOST code changed the device variable scale directly
// expect: cudaMemcpyToSymbol
// expect: kernel saw 2
#include <stdio.h>

__device__ int scale = 2;

__global__ void read_scale(int *out)
{
    *out = scale;
}

int main()
{
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    scale = 3;
    read_scale<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("kernel saw %d\n", h);
    cudaFree(d);
    return 0;
}
