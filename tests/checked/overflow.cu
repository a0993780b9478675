// SPDX-License-Identifier: MIT
// Sizes and indices that overflowed int.
//
// env: SIM_MEMORY=16G
// run: a
// expect: 18446744065119617024
// expect: 8589934592
// expect: @huge@
// expect: did an int overflow?
// expect: answer cudaErrorMemoryAllocation
// exit: any
// run: b
// finding: kernel fault @write@
// expect: null
// expect: @zero@
// expect: answer cudaSuccess
// run: c
// finding: out of bounds @far@ @allocated@
// expect: before the 4294967296-byte block
// expect: did an int overflow
// run: d
// expect: answer cudaSuccess
#include <stdio.h>

__global__ void fill(char *p)
{
    p[threadIdx.x] = 1; // write
}

__global__ void stride(char *p, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 40000)
        p[(int)((unsigned)i * (unsigned)times)] = 1; // far
}

__global__ void stride_wide(char *p, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 40000)
        p[(long long)i * times] = 1;
}

int main(int argc, char **argv)
{
    volatile int n = 1 << 30;
    unsigned w = 65536;
    char *p = NULL;
    cudaError_t answer = cudaSuccess;
    switch (argc > 1 ? argv[1][0] : 'd') {
    case 'a':
        answer = cudaMalloc(&p, (size_t)(long long)(int)(3u * n) * sizeof(double)); // huge
        break;
    case 'b':
        answer = cudaMalloc(&p, w * w); // zero
        fill<<<1, 32>>>(p);
        break;
    case 'c':
        answer = cudaMalloc(&p, (size_t)4 << 30); // allocated
        stride<<<160, 256>>>(p, 65536);
        break;
    case 'd':
        answer = cudaMalloc(&p, (size_t)4 << 30);
        stride_wide<<<160, 256>>>(p, 65536);
        break;
    }
    printf("answer %s\n", cudaGetErrorName(answer));
    cudaDeviceSynchronize();
    cudaGetLastError();
    cudaFree(p);
    return 0;
}
