// SPDX-License-Identifier: MIT
// One dynamic shared allocation carved into two arrays, and opting in to more than 48 KiB of it.
#include <stdio.h>

struct sample {
    double weight;
    short value;
};

__global__ void weighted_kernel(const sample *in, double *out, int n)
{
    extern __shared__ double memory[];
    double *weights = memory;
    short *values = (short *)&weights[n];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        weights[i] = in[i].weight;
        values[i] = in[i].value;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int mirrored = n - 1 - i;
        out[i] = weights[mirrored] * values[mirrored];
    }
}

static int wrong_for(int n)
{
    static sample h_in[8192];
    static double back[8192];
    sample *d_in;
    double *d_out;
    for (int i = 0; i < n; i++)
        h_in[i] = {i * 0.5, (short)(i % 300 - 150)};
    cudaMalloc(&d_in, n * sizeof(sample));
    cudaMalloc(&d_out, n * sizeof(double));
    cudaMemcpy(d_in, h_in, n * sizeof(sample), cudaMemcpyHostToDevice);

    size_t bytes = n * (sizeof(double) + sizeof(short));
    if (bytes > 48 * 1024)
        cudaFuncSetAttribute(weighted_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    weighted_kernel<<<1, 128, bytes>>>(d_in, d_out, n);
    int wrong = cudaGetLastError() != cudaSuccess;
    wrong += cudaMemcpy(back, d_out, n * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < n; i++)
        wrong += back[i] != h_in[n - 1 - i].weight * h_in[n - 1 - i].value;
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong;
}

int main()
{
    int wrong = wrong_for(1) + wrong_for(1000) + wrong_for(6000);
    printf("dynamic_shared: %d wrong\n", wrong);
    return wrong != 0;
}
