// SPDX-License-Identifier: MIT
// An allocation whose size is the number of elements, not of bytes: the element that straddles its end.
//
// run: a
// finding: out of bounds @write@ @allocated@
// first: 96
// expect: 100-byte
// first: thread (12,0,0)
// expect: sizeof
// run: b
// finding: out of bounds @write@ @allocated@
// run: c
// expect: sum 4950
#include <stdio.h>

__global__ void fill(double *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = i; // write
}

int main(int argc, char **argv)
{
    const int n = 100;
    char which = argc > 1 ? argv[1][0] : 'c';
    double h[n] = {}, sum = 0, *d;
    cudaMalloc(&d, which == 'c' ? n * sizeof(double) : n); // allocated
    if (which != 'b')
        cudaMemcpy(d, h, which == 'c' ? n * sizeof(double) : n, cudaMemcpyHostToDevice);
    fill<<<1, 128>>>(d, n);
    if (which == 'c') {
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        for (double x : h)
            sum += x;
        printf("sum %g\n", sum);
    }
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
