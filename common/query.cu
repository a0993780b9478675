// SPDX-License-Identifier: MIT
// Does a GPU answer? Then its name, exit 0; else the reason on stderr, exit 1. For the Makefile, nvcc only.
#include <stdio.h>

int main(void)
{
    cudaDeviceProp properties;
    cudaError_t error = cudaFree(0); // makes the context: a device that is listed may still refuse that
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 1;
    }
    puts(properties.name);
    return 0;
}
