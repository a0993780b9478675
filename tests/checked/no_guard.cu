// SPDX-License-Identifier: MIT
// The last block is not guarded: the first bad thread is named, the others are counted. To the byte.
//
// run: a
// finding: out of bounds @write@ @y@
// first: block (3,0,0) thread (232,0,0)
// expect: a write of 4 bytes
// first: 0 bytes past the end of the 4000-byte block
// expect: 23 more
// expect-not: sizeof missing
// run: b
// finding: out of bounds @read@ @x@
// first: block (3,0,0) thread (232,0,0)
// first: 0 bytes past the end of the 4000-byte block
// expect: 23 more
// expect-not: sizeof missing
// run: c
// expect: last 1998
#include <stdio.h>

__global__ void write_all(float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * i; // write
}

__global__ void read_all(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i]; // read
    if (i < n || value > 1e30f)
        y[i] = 2 * value;
}

__global__ void guarded(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

int main(int argc, char **argv)
{
    const int n = 1000;
    static float h[n];
    float *x, *y;
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&x, n * sizeof(float)); // x
    cudaMalloc(&y, n * sizeof(float)); // y
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    switch (argc > 1 ? argv[1][0] : 'c') {
    case 'a': write_all<<<4, 256>>>(y); break;
    case 'b': read_all<<<4, 256>>>(y, x, n); break;
    case 'c': guarded<<<4, 256>>>(y, x, n); break;
    }
    if (cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess)
        printf("last %g\n", h[n - 1]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
