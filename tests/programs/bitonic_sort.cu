// SPDX-License-Identifier: MIT
// Bitonic sort: many launches over the whole array, the last steps of each in shared memory.
#include <stdio.h>
#include <stdlib.h>

#define HALF 512

__device__ inline void order(unsigned &a, unsigned &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

__global__ void global_step_kernel(unsigned *keys, unsigned size, unsigned stride)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = 2 * i - (i & (stride - 1));
    order(keys[low], keys[low + stride], (low & size) == 0);
}

__global__ void shared_steps_kernel(unsigned *keys, unsigned first_size, unsigned last_size)
{
    __shared__ unsigned cell[2 * HALF];
    unsigned t = threadIdx.x, base = blockIdx.x * 2 * HALF;
    cell[t] = keys[base + t];
    cell[t + HALF] = keys[base + t + HALF];
    for (unsigned size = first_size; size <= last_size; size *= 2)
        for (unsigned stride = size / 2 < HALF ? size / 2 : HALF; stride > 0; stride /= 2) {
            unsigned low = 2 * t - (t & (stride - 1));
            __syncthreads();
            order(cell[low], cell[low + stride], ((base + low) & size) == 0);
        }
    __syncthreads();
    keys[base + t] = cell[t];
    keys[base + t + HALF] = cell[t + HALF];
}

static int ascending(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

int main()
{
    const unsigned n = 1 << 13, blocks = n / (2 * HALF);
    static unsigned h[n], back[n];
    unsigned *d, state = 1, wrong = 0;
    for (unsigned &key : h)
        key = state = state * 747796405u + 2891336453u;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);

    shared_steps_kernel<<<blocks, HALF>>>(d, 2, 2 * HALF);
    for (unsigned size = 4 * HALF; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride > HALF; stride /= 2)
            global_step_kernel<<<blocks, HALF>>>(d, size, stride);
        shared_steps_kernel<<<blocks, HALF>>>(d, size, size);
    }
    wrong += cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
    qsort(h, n, sizeof h[0], ascending);
    for (unsigned i = 0; i < n; i++)
        wrong += back[i] != h[i];
    printf("bitonic_sort: %u wrong\n", wrong);
    cudaFree(d);
    return wrong != 0;
}
