// SPDX-License-Identifier: MIT
// The size of the simulated card is a setting.
// env: SIM_MEMORY=64M
// expect: total 64 MiB
// expect: 48 MiB cudaSuccess, 80 MiB cudaErrorMemoryAllocation
#include <stdio.h>

int main()
{
    size_t now, total;
    void *p, *q;
    cudaMemGetInfo(&now, &total);
    printf("total %zu MiB\n", total >> 20);
    cudaError_t a = cudaMalloc(&p, 48 << 20), b = cudaMalloc(&q, 80 << 20);
    printf("48 MiB %s, 80 MiB %s\n", cudaGetErrorName(a), cudaGetErrorName(b));
    cudaFree(p);
    return 0;
}
