// SPDX-License-Identifier: MIT
// Managed memory touched by the host after a synchronisation: no report.
// expect: 1 2
// expect-not: [sim]
#include <stdio.h>

__global__ void set(int *p)
{
    p[0] = 1;
}

int main()
{
    int *a, *b;
    cudaMallocManaged(&a, 400);
    cudaMallocManaged(&b, 400);
    set<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    b[0] = 2;
    printf("%d %d\n", a[0], b[0]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
