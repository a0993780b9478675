// SPDX-License-Identifier: MIT
// The second barrier of a tiled product is missing: a race between one tile's reads and the next one's
// writes, in every order and also when the numbers happen to come out right. One tile has no next one.
//
// run: a
// expect: n 16
// run: b
// finding: shared memory race @write-a@ @read@
// finding: shared memory race @write-b@ @read@
// expect: shared
// expect: n 64
// run: c
// expect: n 64, wrong 0
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

template <bool second_barrier>
__global__ void multiply(float *c, const float *a, const float *b, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n / TILE; tile++) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x]; // write-a
        tb[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * n + column]; // write-b
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x]; // read
        if (second_barrier)
            __syncthreads();
    }
    c[row * n + column] = sum;
}

int main(int argc, char **argv)
{
    char which = argc > 1 ? argv[1][0] : 'c';
    int n = which == 'a' ? 16 : 64, wrong = 0;
    size_t bytes = n * n * sizeof(float);
    float *h = (float *)malloc(bytes), *d[3];
    for (int i = 0; i < n * n; i++)
        h[i] = i % 7;
    for (int k = 0; k < 3; k++)
        cudaMalloc(&d[k], bytes);
    cudaMemcpy(d[1], h, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d[2], h, bytes, cudaMemcpyHostToDevice);
    dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
    if (which == 'c')
        multiply<true><<<grid, block>>>(d[0], d[1], d[2], n);
    else
        multiply<false><<<grid, block>>>(d[0], d[1], d[2], n);
    float *c = (float *)malloc(bytes);
    cudaMemcpy(c, d[0], bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += h[i / n * n + k] * h[k * n + i % n];
        wrong += sum != c[i];
    }
    printf("n %d, wrong %d\n", n, wrong);
    for (int k = 0; k < 3; k++)
        cudaFree(d[k]);
    free(h);
    free(c);
    return 0;
}
