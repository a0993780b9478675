// SPDX-License-Identifier: MIT
// Vector addition: one thread an element, the last block only partly used.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error = (call);                                                                          \
        if (error != cudaSuccess) {                                                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));        \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

__global__ void add_kernel(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static int wrong_for(int n)
{
    size_t bytes = n * sizeof(float);
    float *h_a = (float *)malloc(bytes), *h_b = (float *)malloc(bytes), *h_c = (float *)malloc(bytes);
    float *d_a, *d_b, *d_c;
    for (int i = 0; i < n; i++) {
        h_a[i] = (float)i;
        h_b[i] = 0.5f * i;
        h_c[i] = -1;
    }
    CHECK(cudaMalloc((void **)&d_a, bytes));
    CHECK(cudaMalloc((void **)&d_b, bytes));
    CHECK(cudaMalloc((void **)&d_c, bytes));
    CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));

    int threads = 256;
    add_kernel<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h_c[i] != 1.5f * i;
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(h_a);
    free(h_b);
    free(h_c);
    return wrong;
}

int main(void)
{
    int sizes[] = {1, 255, 256, 257, 100003}, wrong = 0;
    for (int n : sizes)
        wrong += wrong_for(n);
    printf("vector_add: %d wrong\n", wrong);
    return wrong != 0;
}
