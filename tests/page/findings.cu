// SPDX-License-Identifier: MIT
// Mistakes at three lines, a text that must not end the page's script, and a fault after which nothing runs.
#include <cstdio>

__global__ void past_the_end(float *x, int n) // </script><b>"\ must stay text
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i; // past
}

__global__ void sum(const float *x, float *out, int n)
{
    for (int i = 0; i < n; i++)
        *out += x[i]; // unwritten
}

int main()
{
    float *x, *y, *out, h = 0;
    cudaMalloc(&x, 100 * sizeof *x);
    cudaMalloc(&y, 100 * sizeof *y); // leak
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    sum<<<1, 1>>>(y, out, 100);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    past_the_end<<<1, 128>>>(x, 100);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
    printf("%g\n", h);
}
