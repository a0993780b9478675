/* SPDX-License-Identifier: MIT */
/* Shared memory: one array for all extern declarations, static arrays apart from it, one set a block. */
#include "probe.h"

extern __shared__ int ints[];

__global__ static void alias(int *out)
{
    extern __shared__ float floats[];
    floats[1] = 1.0f;
    out[0] = ints[1] == 0x3f800000;
    out[1] = (void *)ints == (void *)floats;
    out[2] = (int)((size_t)floats % 16);
}

static void dynamic_arrays_are_one()
{
    int *d, back[3];
    cudaMalloc(&d, sizeof back);
    alias<<<1, 1, 64>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("seen through the other: %d, same address: %d, %% 16 = %d", back[0], back[1], back[2]);
}

__global__ static void apart(int *out)
{
    __shared__ int fixed[16];
    __shared__ double wide[4];
    __shared__ char narrow;
    extern __shared__ char bytes[];
    int t = threadIdx.x;
    fixed[t % 16] = 100 + t % 16;
    if (t < 4)
        wide[t] = t + 0.5;
    if (t == 0)
        narrow = 7;
    bytes[t] = (char)t;
    __syncthreads();
    int wrong = narrow != 7;
    for (int i = 0; i < 16; i++)
        wrong += fixed[i] != 100 + i;
    for (int i = 0; i < 4; i++)
        wrong += wide[i] != i + 0.5;
    for (int i = 0; i < 64; i++)
        wrong += bytes[i] != i;
    out[t] = wrong + ((size_t)wide % 8 != 0);
}

static void static_and_dynamic_are_apart()
{
    int *d, back[64], wrong = 0;
    cudaMalloc(&d, sizeof back);
    apart<<<1, 64, 64>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (int w : back)
        wrong += w;
    SAY("wrong: %d", wrong);
}

__global__ static void own(int *out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)blockIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

static void each_block_has_its_own()
{
    int *d, back[50], wrong = 0;
    cudaMalloc(&d, sizeof back);
    own<<<50, 70>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 50; i++)
        wrong += back[i] != 70 * (i + 1);
    SAY("wrong: %d", wrong);
}

template <typename T, int N> __device__ T largest(T value)
{
    __shared__ T cell[N];
    cell[threadIdx.x] = value;
    __syncthreads();
    T best = cell[0];
    for (int i = 1; i < N; i++)
        best = cell[i] > best ? cell[i] : best;
    __syncthreads();
    return best;
}

__global__ static void templates(double *out)
{
    int t = threadIdx.x;
    out[0] = largest<int, 32>(t * 7 % 32);
    out[1] = largest<double, 32>(t * 0.5);
    out[2] = largest<float, 32>(-t);
}

static void in_templates()
{
    double *d, back[3];
    cudaMalloc(&d, sizeof back);
    templates<<<1, 32>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("%g %g %g", back[0], back[1], back[2]);
}

struct point {
    float x, y;
};

__global__ static void shapes(float *out)
{
    __shared__ float tile[4][5], *row;
    __shared__ point corner[2];
    int t = threadIdx.x;
    tile[t / 5][t % 5] = t;
    if (t < 2)
        corner[t].x = corner[t].y = t + 1;
    if (t == 0)
        row = tile[2];
    __syncthreads();
    if (t == 0) {
        out[0] = row[3];
        out[1] = corner[0].x + corner[1].y;
        out[2] = sizeof tile + sizeof corner;
    }
}

static void of_several_shapes()
{
    float *d, back[3];
    cudaMalloc(&d, sizeof back);
    shapes<<<1, 20>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("%g %g %g", back[0], back[1], back[2]);
}

int main()
{
    CASE(dynamic_arrays_are_one);
    CASE(static_and_dynamic_are_apart);
    CASE(each_block_has_its_own);
    CASE(in_templates);
    CASE(of_several_shapes);
    return 0;
}
