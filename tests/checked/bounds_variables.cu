// SPDX-License-Identifier: MIT
// Bounds of __constant__ and __device__ variables, whose neighbours are other variables.
//
// run: constant 7
// run: constant 8
// finding: out of bounds @constant@
// expect: weights
// expect: 32-byte
// run: constant -1
// finding: out of bounds @constant@
// expect: weights
// run: device 15
// run: device 16
// finding: out of bounds @device@
// expect: table
// run: device -1
// finding: out of bounds @device@
// run: scalar 0
// run: scalar 1
// finding: out of bounds @scalar@
// expect: counter
// run: matrix 3
// run: matrix 4
// finding: out of bounds @matrix@
// expect: grid
// run: write 2
// finding: out of bounds @written@
// expect: counter
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__constant__ float before_weights[8] = {1, 2}, weights[8] = {1, 2, 3, 4, 5, 6, 7, 8}, after_weights[8];
__device__ int before_table[16], table[16], after_table[16];
__device__ int counter, after_counter;
__device__ double grid[4][5], after_grid;
enum which { CONSTANT, DEVICE, SCALAR, MATRIX, WRITE };

__global__ void touch(double *out, int which, int i)
{
    if (which == CONSTANT)
        *out = weights[i]; // constant
    if (which == DEVICE)
        *out = table[i]; // device
    if (which == SCALAR)
        *out = (&counter)[i]; // scalar
    if (which == MATRIX)
        *out = grid[i][0]; // matrix
    if (which == WRITE)
        (&counter)[i] = 4; // written
    *out +=
        before_weights[1] + after_weights[1] + before_table[1] + after_table[1] + after_counter + after_grid;
}

int main(int argc, char **argv)
{
    const char *names[] = {"constant", "device", "scalar", "matrix", "write"};
    double *d;
    int which = 0;
    while (which < WRITE && argc > 2 && strcmp(argv[1], names[which]))
        which++;
    cudaMalloc(&d, sizeof(double));
    touch<<<1, 1>>>(d, which, argc > 2 ? atoi(argv[2]) : 0);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
