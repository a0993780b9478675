// SPDX-License-Identifier: MIT
// Printing from a kernel and checking what came out: the program reads back its own output.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__global__ void show_kernel(const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 5)
        printf("block %d thread %d: x = %.2f\n", blockIdx.x, threadIdx.x, x[i]);
}

int main()
{
    float h[8], *d;
    int wrong = 0, lines = 0;
    for (int i = 0; i < 8; i++)
        h[i] = i * 1.25f;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);

    FILE *caught = tmpfile();
    int terminal = dup(STDOUT_FILENO);
    dup2(fileno(caught), STDOUT_FILENO);
    show_kernel<<<2, 4>>>(d);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);

    char line[100];
    for (rewind(caught); fgets(line, sizeof line, caught); lines++) {
        int block = -1, thread = -1;
        float x = 0;
        wrong += sscanf(line, "block %d thread %d: x = %f", &block, &thread, &x) != 3;
        wrong += block * 4 + thread < 5 || x - h[block * 4 + thread] > 0.006f;
        fputs(line, stdout);
    }
    printf("printf_debug: %d lines, %d wrong\n", lines, wrong);
    cudaFree(d);
    return wrong || lines != 3;
}
