/* SPDX-License-Identifier: MIT */
/* Code that looks like a mistake and is none. */
#include <cstdio>
#include <cstdlib>
#include <vector>
#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif
#define HD __host__ __device__

HD int both() { return 1; }
#ifdef __CUDACC_RELAXED_CONSTEXPR__
constexpr int known(int a) { return a + 1; }
#else
constexpr HD int known(int a) { return a + 1; }
#endif
static int host_only() { return 2; }
struct Number {
    int v;
    HD int host_only() const { return v; }
    HD int rand() const { return v; }
    HD friend int time(Number n) { return n.v; }
};
HD int mixed()
{
#ifdef __CUDA_ARCH__
    int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane * 0 + 1;
#else
    return host_only() - 1;
#endif
}
template <class T> __device__ T never(T v) { return v + host_only(); }
template <class F> __global__ void apply(int *p, F f) { *p += f(*p); }
struct Add {
    HD int operator()(int v) const { return v + 1; }
};
struct Friend {
    friend __global__ void friendly(Friend, int *);
    int v;
};
__global__ void friendly(Friend f, int *p) { *p += f.v; }
__global__ void declared_later(int *);
__global__ void k(int *p, Number n)
{
    auto exit = [](int a) { return a; };
    auto both_here = [&] { return both() + known(1) + mixed(); };
    int host_only = exit(3), write = 1;
    bool less = threadIdx.x == 0 && threadIdx.y <= blockDim.y;
    *p += both_here() + host_only + n.host_only() + n.rand() + time(n) + write + less;
    printf("%s", "");
    void *m = malloc(8);
    free(m);
}
static std::vector<std::vector<std::vector<int>>> nested;
static int run_time_array(int n)
{
    int a[n], sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] = i;
    return sum;
}
int main()
{
    int *p, back;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    k<<<1, 1>>>(p, Number{1});
    apply<<<1, 1>>>(p, Add());
    friendly<<<1, 1>>>(Friend{5}, p);
    declared_later<<<1, 1>>>(p);
    __global__ void declared_here(int *);
    declared_here<<<1, 1>>>(p);
    cudaMemcpy(&back, p, 4, cudaMemcpyDeviceToHost);
    cudaFree(p);
    if (back != 2 * 12 + 1 + 5 + 2)
        printf("%d %d\n", back, ARCH), exit(1);
    return rand() < 0 || (int)nested.size() || run_time_array(4) != 6;
}
__global__ void declared_later(int *p) { *p += 1; }
__global__ void declared_here(int *p) { *p += 1; }
