/* SPDX-License-Identifier: MIT */
/* Vector accesses must be aligned to their size. Hardware always checks; the simulated device does in
 * the checked build. */
#include "probe.h"

__global__ static void write_float4(float *p)
{
    *(float4 *)p = make_float4(1, 2, 3, 4);
}

__global__ static void write_double(char *p)
{
    *(double *)p = 1;
}

static float *block()
{
    float *d = NULL;
    cudaMalloc(&d, 1024);
    return d;
}

static void float4_at_4()
{
    write_float4<<<1, 1>>>(block() + 1);
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

static void float4_at_8()
{
    write_float4<<<1, 1>>>(block() + 2);
    ASK(cudaDeviceSynchronize());
}

static void float4_at_16()
{
    write_float4<<<1, 1>>>(block() + 4);
    ASK(cudaDeviceSynchronize());
}

static void double_at_4()
{
    write_double<<<1, 1>>>((char *)block() + 4);
    ASK(cudaDeviceSynchronize());
}

static void double_at_8()
{
    write_double<<<1, 1>>>((char *)block() + 8);
    ASK(cudaDeviceSynchronize());
}

int main()
{
    CASE(float4_at_4);
    CASE(float4_at_8);
    CASE(float4_at_16);
    CASE(double_at_4);
    CASE(double_at_8);
    return 0;
}
