// SPDX-License-Identifier: MIT
// Template kernels: explicit and deduced arguments, functors, structs by value, overloads, namespaces.
#include <cstdio>

struct scale {
    float by;
    __host__ __device__ float operator()(float x) const
    {
        return x * by;
    }
};

struct clamp {
    float low, high;
    __host__ __device__ float operator()(float x) const
    {
        return x < low ? low : x > high ? high : x;
    }
};

namespace math {
namespace kernels {
template <typename T, typename F> __global__ void map(const T *in, T *out, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(in[i]);
}
} // namespace kernels

template <typename T, int N> struct vec {
    T v[N];
    __host__ __device__ T sum() const
    {
        T s = 0;
        for (int k = 0; k < N; k++)
            s += v[k];
        return s;
    }
};
} // namespace math

template <typename T, int N>
__global__ void sums_kernel(const math::vec<T, N> *in, T *out, math::vec<T, N> plus)
{
    out[threadIdx.x] = in[threadIdx.x].sum() + plus.sum();
}

__global__ void fill(float *x, float value)
{
    x[threadIdx.x] = value;
}

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

template <typename T> static int wrong_fill(T value)
{
    T *d, back[40];
    cudaMalloc(&d, sizeof back);
    fill<<<1, 40>>>(d, value);
    int wrong = cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (T b : back)
        wrong += b != value;
    cudaFree(d);
    return wrong;
}

template <typename F> static int wrong_map(F f)
{
    const int n = 100;
    float h[n], back[n], *x, *y;
    for (int i = 0; i < n; i++)
        h[i] = i - 50;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    math::kernels::map<float, F><<<4, 32>>>(x, y, n, f);
    math::kernels::map<<<dim3(4), dim3(32)>>>(x, y, n, f);
    int wrong = cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < n; i++)
        wrong += back[i] != f(h[i]);
    cudaFree(x);
    cudaFree(y);
    return wrong;
}

int main()
{
    math::vec<double, 3> h[2] = {{{1, 2, 3}}, {{4, 5, 6}}}, plus = {{10, 20, 30}}, *d_in;
    double *d_out, back[2];
    cudaMalloc(&d_in, sizeof h);
    cudaMalloc(&d_out, sizeof back);
    cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);
    sums_kernel<double, 3><<<1, 2>>>(d_in, d_out, plus);
    cudaMemcpy(back, d_out, sizeof back, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    int wrong = (back[0] != 66) + (back[1] != 75) + wrong_fill(2.5f) + wrong_fill(7) + wrong_map(scale{3}) +
                wrong_map(clamp{-10, 20});
    std::printf("templates: %d wrong\n", wrong);
    return wrong != 0;
}
