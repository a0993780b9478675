// SPDX-License-Identifier: MIT
// Indices that come from data; what lies beside global memory: constant, local, pinned, managed, symbols.
#include "parity.h"

KERNEL k_gather_permuted(const int *index, const float *in, float *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_gather_repeated(const int *index, const float *in, float *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_gather_window(const int *index, const float *in, float *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_gather_hash(const float *in, float *out)
{
    out[THREAD] = in[hash(THREAD) % N];
}
KERNEL k_gather_double(const int *index, const double *in, double *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_gather_float4(const int *index, const float4 *in, float4 *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_gather_char(const int *index, const char *in, char *out)
{
    out[THREAD] = in[index[THREAD]];
}
KERNEL k_scatter(const int *index, const float *in, float *out)
{
    out[index[THREAD]] = in[THREAD];
}
KERNEL k_scatter_double(const int *index, const double *in, double *out)
{
    out[index[THREAD]] = in[THREAD];
}
KERNEL k_store_same(const float *in, float *out)
{
    out[blockIdx.x] = in[THREAD];
}
KERNEL k_backward(const float *in, float *out)
{
    out[N - 1 - THREAD] = in[THREAD];
}
KERNEL k_grid_stride(const float *in, float *out)
{
    ROLLED
    for (unsigned i = THREAD; i < N - 100; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}
KERNEL k_ldg(const float *in, float *out)
{
    out[THREAD] = __ldg(&in[THREAD + 3]);
}
KERNEL k_restrict(const float *__restrict__ in, float *__restrict__ out)
{
    out[THREAD] = in[THREAD * 3];
}
KERNEL k_pinned(const float *in, float *out)
{
    out[THREAD] = in[THREAD];
}
KERNEL k_managed(const float *in, float *out)
{
    out[THREAD] = in[2 * THREAD];
}

__device__ float table[4 * BLOCK];
KERNEL k_symbol(float *out)
{
    out[THREAD] = table[4 * threadIdx.x];
}

__constant__ float coefficients[1024];
__constant__ double doubles[512];
KERNEL k_constant_uniform(float *out, int n)
{
    float sum = 0;
    ROLLED
    for (int k = 0; k < n; k++)
        sum += coefficients[k];
    out[THREAD] = sum;
}
KERNEL k_constant_lanes(float *out)
{
    out[THREAD] = coefficients[threadIdx.x];
}
KERNEL k_constant_pairs(float *out)
{
    out[THREAD] = coefficients[threadIdx.x / 2];
}
KERNEL k_constant_stride(float *out)
{
    out[THREAD] = coefficients[4 * threadIdx.x];
}
KERNEL k_constant_data(const int *index, float *out)
{
    out[THREAD] = coefficients[index[THREAD] % 4];
}
KERNEL k_constant_double(double *out)
{
    out[THREAD] = doubles[threadIdx.x];
}

KERNEL k_local_same(const int *index, float *out)
{
    int a[32];
    ROLLED
    for (int j = 0; j < 32; j++)
        a[j] = index[THREAD + j];
    out[THREAD] = (float)a[index[blockIdx.x] & 31];
}
KERNEL k_local_double(const int *index, double *out)
{
    double a[16];
    ROLLED
    for (int j = 0; j < 16; j++)
        a[j] = index[THREAD + j];
    out[THREAD] = a[index[THREAD] & 15];
}
KERNEL k_local_lanes(const int *index, float *out)
{
    int a[32];
    ROLLED
    for (int j = 0; j < 32; j++)
        a[j] = index[THREAD + j];
    out[THREAD] = (float)a[index[THREAD] & 31];
}

int main()
{
    float *in = zeros<float>(8 * N), *out = zeros<float>(4 * N), *pinned, *managed;
    int *permuted = values(N + 32, [](unsigned i) { return i * 7919 % N; });
    int *random = values(N, [](unsigned i) { return hash(i) % N; });
    int *repeated = values(N, [](unsigned i) { return hash(i / 4) % N; });
    int *window = values(N, [](unsigned i) { return i / 32 * 32 + hash(i) % 32; });
    CHECK(cudaMallocHost(&pinned, N * sizeof *pinned));
    CHECK(cudaMallocManaged(&managed, 2 * N * sizeof *managed));
    for (int i = 0; i < N; i++)
        pinned[i] = managed[2 * i] = managed[2 * i + 1] = (float)i;
    RUN(k_gather_permuted, GRID, BLOCK, permuted, in, out);
    RUN(k_gather_repeated, GRID, BLOCK, repeated, in, out);
    RUN(k_gather_window, GRID, BLOCK, window, in, out);
    RUN(k_gather_hash, GRID, BLOCK, in, out);
    RUN(k_gather_double, GRID, BLOCK, random, (double *)in, (double *)out);
    RUN(k_gather_float4, GRID, BLOCK, random, (float4 *)in, (float4 *)out);
    RUN(k_gather_char, GRID, BLOCK, random, (char *)in, (char *)out);
    RUN(k_scatter, GRID, BLOCK, permuted, in, out);
    RUN(k_scatter_double, GRID, BLOCK, permuted, (double *)in, (double *)out);
    RUN(k_store_same, GRID, BLOCK, in, out);
    RUN(k_backward, GRID, BLOCK, in, out);
    RUN(k_grid_stride, 13, 96, in, out);
    RUN(k_ldg, GRID, BLOCK, in, out);
    RUN(k_restrict, GRID, BLOCK, in, out);
    RUN(k_pinned, GRID, BLOCK, pinned, out);
    RUN(k_managed, GRID, BLOCK, managed, out);
    RUN(k_symbol, GRID, BLOCK, out);
    RUN(k_constant_uniform, GRID, BLOCK, out, 20);
    RUN(k_constant_lanes, GRID, BLOCK, out);
    RUN(k_constant_pairs, GRID, BLOCK, out);
    RUN(k_constant_stride, GRID, BLOCK, out);
    RUN(k_constant_data, GRID, BLOCK, random, out);
    RUN(k_constant_double, GRID, BLOCK, (double *)out);
    RUN(k_local_same, GRID, BLOCK, permuted, out);
    RUN(k_local_double, GRID, BLOCK, permuted, (double *)out);
    RUN(k_local_lanes, GRID, BLOCK, permuted, out);
    int *indices[] = {permuted, random, repeated, window};
    for (int *p : indices)
        CHECK(cudaFree(p));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
