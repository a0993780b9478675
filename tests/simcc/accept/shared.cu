/* SPDX-License-Identifier: MIT */
/* Every way to declare shared memory. */
#include <cstdio>
#define TILE 8
#define SCRATCH(T, name) __shared__ T name[TILE]

template <class A, class B> struct Pair {
    A a;
    B b;
    typedef A First;
};
extern __shared__ int whole[];
__shared__ int block_sum;
static __shared__ float table[2][TILE];

__device__ int add_all(int v)
{
    __shared__ int part[TILE];
    part[threadIdx.x] = v;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += part[i];
    return sum;
}
template <class T, int N> __device__ T twice(T v)
{
    __shared__ Pair<T, int> p[N], *q;
    __shared__ typename Pair<T, T>::First f;
    if (!threadIdx.x)
        q = p, f = 2;
    __syncthreads();
    q[threadIdx.x].a = v * f;
    return p[threadIdx.x].a;
}
__global__ void many(int *out)
{
    float *half = reinterpret_cast<float *>(whole);
    __shared__ int a[2][TILE], b, *c, (*rows)[TILE];
    static __shared__ unsigned long long d;
    volatile __shared__ short e[TILE];
    __shared__ __align__(16) char f[16];
    __align__(16) __shared__ char g[16];
    __shared__ struct {
        int x, y[TILE];
    } h;
    char __shared__ pad;
    SCRATCH(int, scratch);
    auto own = [&](int v) {
        __shared__ int in_lambda[TILE];
        in_lambda[threadIdx.x] = v;
        return in_lambda[threadIdx.x];
    };
    int t = threadIdx.x;
    a[0][t] = t, e[t] = t, h.y[t] = own(t), table[1][t] = t, scratch[t] = t;
    if (!t)
        b = 1, c = &b, d = 2, pad = 1, h.x = 3, rows = a, block_sum = 0;
    half[t] = 1.0f;
    __syncthreads();
    if (!t)
        for (int i = 0; i < TILE; i++)
            block_sum += rows[0][i] + e[i] + h.y[i] + (int)table[1][i] + scratch[i];
    __syncthreads();
    *(float4 *)f = *(float4 *)g;
    if (!t)
        out[blockIdx.x] = block_sum + *c + (int)d + pad + h.x + (whole[0] == 0x3f800000) +
                          (((size_t)f | (size_t)g) % 16 != 0) * 1000;
    int all = add_all(t) + twice<int, TILE>(t);
    if (t == 1)
        out[2 + blockIdx.x] = all;
}

int main()
{
    int *p, back[4];
    cudaMalloc(&p, sizeof back);
    many<<<2, TILE, TILE * sizeof(float)>>>(p);
    cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost);
    cudaFree(p);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, (const void *)many);
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    return !(back[0] == 5 * 28 + 8 && back[1] == back[0] && back[2] == 30 && back[3] == 30) ||
           attributes.sharedSizeBytes < 200;
}
