/* SPDX-License-Identifier: MIT */
/* Static shared memory up to the last byte of 48 KiB, and more that nothing reads; what kernels say of it. */
#include <cstdio>

__global__ void full(char *p)
{
    __shared__ char a[24576], b[24576];
    a[threadIdx.x] = b[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = a[31 - threadIdx.x] + b[0];
}

__global__ void never_read(char *p)
{
    __shared__ char a[30000], b[30000], c[30000];
    a[threadIdx.x] = p[threadIdx.x];
    b[3] = 1;
    p[1] = sizeof(c) > 1;
    __syncthreads();
    p[0] = a[0];
}

__global__ void one_after_the_other(char *p)
{
    {
        __shared__ char a[16384];
        a[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[0] = a[1];
    }
    {
        __shared__ int a[8192];
        a[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[1] = (char)a[1];
    }
}

template <class T, int N> __global__ void sized(T *p)
{
    __shared__ T row[N];
    __shared__ __align__(16) char other[16];
    row[threadIdx.x] = p[threadIdx.x];
    other[threadIdx.x & 15] = 1;
    __syncthreads();
    p[threadIdx.x] = row[N - 1 - threadIdx.x] + other[0];
}

template <> __global__ void sized<short, 1>(short *p)
{
    __shared__ short one[100];
    one[threadIdx.x] = *p;
    __syncthreads();
    *p = one[3];
}

__device__ int helper(int i)
{
    __shared__ int table[256];
    table[threadIdx.x] = i;
    __syncthreads();
    return table[(threadIdx.x + 1) & 31];
}

template <int N> __global__ void with_helper(int *p)
{
    __shared__ int row[N];
    row[threadIdx.x] = helper(1);
    __syncthreads();
    p[threadIdx.x] = row[31 - threadIdx.x];
}

template <int N> __global__ void never_launched(char *p)
{
    __shared__ char a[70000];
    a[threadIdx.x] = *p;
    __syncthreads();
    *p = a[N];
}

static int wrong;

template <class K> void expect(K kernel, size_t bytes, int blocks)
{
    cudaFuncAttributes a = {};
    int n = 0;
    cudaFuncGetAttributes(&a, kernel);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 32, 0);
    if (a.sharedSizeBytes == bytes && n == blocks)
        return;
    wrong++;
    printf("%zu bytes, not %zu; %d blocks, not %d\n", a.sharedSizeBytes, bytes, n, blocks);
}

int main()
{
    char *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    expect(full, 49152, 4);
    expect(sized<float, 512>, 2064, 32);
    expect(sized<double, 4096>, 32784, 6);
    expect(sized<short, 1>, 200, 32);
    expect(with_helper<5120>, 21504, 10);
    full<<<1, 32>>>(p);
    one_after_the_other<<<1, 32>>>(p);
    sized<float, 512><<<1, 32>>>((float *)p);
    sized<double, 4096><<<1, 32>>>((double *)p);
    sized<short, 1><<<1, 1>>>((short *)p);
    with_helper<5120><<<1, 32>>>((int *)p);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(p);
    return wrong;
}
