// SPDX-License-Identifier: MIT
// Idioms that look odd and are right: no report.
// expect: all 0
// expect-not: [sim]
#include <stdio.h>

int main()
{
    int n = 0, wrong = 0;
    float h[1], *d, *p;
    wrong += cudaFree(0);
    wrong += cudaGetDeviceCount(&n);
    wrong += cudaSetDevice(0);
    wrong += cudaSetDevice(0);
    wrong += cudaMalloc(&d, 4);
    wrong += cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice);
    wrong += cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice);
    wrong += cudaMemset(d, 0, 0);
    wrong += cudaMalloc(&p, 0);
    wrong += cudaFree(p);
    wrong += cudaMallocHost(&p, 0);
    wrong += cudaFreeHost(p);
    wrong += cudaGetLastError();
    wrong += cudaFree(d);
    wrong += cudaDeviceReset();
    printf("all %d\n", wrong);
    return 0;
}
