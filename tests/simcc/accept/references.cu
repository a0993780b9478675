/* SPDX-License-Identifier: MIT */
/* Kernels whose parameters are references: the device gets an address. Constant memory filled to the last
 * byte, and other signatures that nvcc takes. */
#include <cstdio>
#include <type_traits>

__constant__ char half[32768], quarter[16384];
namespace {
__constant__ double rest[2047];
}
__constant__ char last[8];

typedef void nothing;

__global__ void add(int &a, const int &b)
{
    a += b;
}

__global__ void fill(int (&row)[4])
{
    row[threadIdx.x] = half[threadIdx.x] + quarter[0] + (int)rest[3] + last[7] + 5;
}

__global__ nothing quiet(int *p)
{
    *p += 1;
}

__global__ auto arrow(int *p) -> void
{
    *p += 1;
}

template <class T> __global__ std::enable_if_t<sizeof(T) == 4> four(T *p)
{
    *p += 1;
}

template <class... A> __global__ void many(int *p, A... a)
{
    *p += sizeof...(a);
}

template <class T> __global__ void forwarded(T &&, int *p)
{
    *p += 1;
}

int main()
{
    int *d, *shared, h[4] = {1, 2, 3, 4};
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(*d, d[3]);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = h[0] != 5;
    fill<<<1, 4>>>(*(int (*)[4])d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    wrong += h[0] != 5 || h[3] != 5;
    cudaMallocManaged(&shared, sizeof *shared);
    *shared = 1;
    add<<<1, 1>>>(*shared, d[0]);
    cudaDeviceSynchronize();
    wrong += *shared != 6;
    void *arguments[] = {&shared, &d};
    cudaLaunchKernel((const void *)add, dim3(1), dim3(1), arguments, 0, 0);
    cudaDeviceSynchronize();
    wrong += *shared != 11;
    quiet<<<1, 1>>>(shared);
    arrow<<<1, 1>>>(shared);
    four<<<1, 1>>>(shared);
    many<<<1, 1>>>(shared, 3, 4.0f);
    forwarded<<<1, 1>>>(wrong, shared);
    cudaDeviceSynchronize();
    wrong += *shared != 17;
    cudaFree(d);
    cudaFree(shared);
    if (wrong)
        printf("%d %d %d wrong: %d\n", h[0], h[3], *shared, wrong);
    return wrong;
}
