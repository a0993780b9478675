/* SPDX-License-Identifier: MIT */
/* What looks like code on the wrong side, and is not. */
#include <cstdio>
#include <vector>

int n = 3, unused[4];
const int four = 4;
constexpr float half = 0.5f;
const float scale = 2.0f;
float table[8];
struct pair {
    int n, count;
};
const pair both = {5, 6};
namespace other {
enum { gap = 7 };
__device__ int level = 1;
}
int gap, level;

/* names of its own, in every way */
__global__ void own(int *p, int unused)
{
    int a = 1, n = 2;
    for (int i = 0, gap = 1; i < gap; i++)
        a += n * gap;
    pair q = {1, 2}, *table = &q;
    p[0] = a + unused + table->n + q.count;
}

namespace other {
__global__ void nested(int *p)
{
    p[1] = gap + level;
}
}

__global__ void operand(int *p)
{
    p[2] = sizeof(table) / sizeof(table[0]) + sizeof n + four + (int)(scale * half * 2) + both.n;
    decltype(n) local = 1;
    (void)n;
    p[2] += local;
}

template <int n> __global__ void parameter(int *p)
{
    p[3] = n;
}

template <class T> __device__ T never(T t)
{
    return t + n;
}

static inline __device__ int neither()
{
    return n;
}

__global__ void captures(int *p)
{
    int n = 5;
    auto add = [n](int gap) { return n + gap; };
    p[4] = add(1) & (add(2) && n);
}

__host__ __device__ int side(int *p)
{
#ifdef __CUDA_ARCH__
    return atomicAdd(p, 1);
#else
    return n + *p;
#endif
}

__global__ void both_sides(int *p)
{
    p[5] = side(p + 6);
}

/* a name that CUDA has on the device only */
static int __clz(unsigned)
{
    return 32;
}

struct counter {
    int value;
    __device__ int get() const { return value; }
    __host__ __device__ int twice() const { return 2 * value; }
    int size() const { return value; }
    int out() const;
    __device__ int overloaded(int) const { return 1; }
    int overloaded(float) const { return 2; }
};
__device__ int counter::out() const
{
    return value;
}
struct based : counter {
    using counter::size;
    __device__ int size(int) const { return 1; }
};

template <class T> struct box {
    T value;
    __device__ int get() const { return value.get(); }
    __host__ __device__ void add(T *p) const;
};

__global__ void members(int *p, counter c, box<counter> b)
{
    p[7] = c.get() + c.twice() + c.out() + b.get() + c.overloaded(1);
}

__global__ void builtins(int *p)
{
    const unsigned &x = threadIdx.x;
    const auto &block = blockIdx;
    p[8] = 3 & threadIdx.x;
    if (p[8] &&threadIdx.x)
        p[8] = 9;
    p[8] += x + block.x + ((3) & blockIdx.x) + min(threadIdx.x, 1u);
}

__global__ void inside(int *p)
{
    static __device__ int calls;
    static __constant__ int weights[2] = {3, 4};
    extern __device__ int later;
    p[9] = ++calls + weights[threadIdx.x] + later;
}
__device__ int later = 2;

__global__ void local_class(int *p)
{
    struct inner {
        int v;
        __device__ int get() const { return v; }
    };
    inner i = {8};
    p[10] = i.get();
}

int main()
{
    struct local {
        __device__ void add(int *p) { atomicAdd(p, (int)threadIdx.x); }
        int size() { return 1; }
    };
    std::vector<counter> get(2);
    counter c = {4};
    based d;
    int *p, h[12];
    cudaMalloc(&p, sizeof h);
    cudaMemset(p, 0, sizeof h);
    own<<<1, 1>>>(p, 1);
    other::nested<<<1, 1>>>(p);
    operand<<<1, 1>>>(p);
    parameter<6><<<1, 1>>>(p);
    captures<<<1, 1>>>(p);
    both_sides<<<1, 1>>>(p);
    members<<<1, 1>>>(p, c, box<counter>{c});
    builtins<<<1, 1>>>(p);
    inside<<<1, 1>>>(p);
    local_class<<<1, 1>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(p);
    const int want[12] = {7, 8, 24, 6, 0, h[5], h[6], 21, 0, 6, 8, 0};
    int wrong = (int)get.size() != 2 || local().size() != 1 || __clz(1u) != 32 || c.twice() != 8 ||
                c.overloaded(1.0f) != 2 || sizeof(c.get()) != 4 || sizeof(d) != 4 || side(h) < 0;
    for (int i = 0; i < 12; i++)
        if (h[i] != want[i] && ++wrong)
            printf("%d is %d, not %d\n", i, h[i], want[i]);
    return wrong;
}
