// SPDX-License-Identifier: MIT
// Names a program may use for itself although a device or its standard library knows them too.
#include <cstdio>
#include <cstdlib>
using namespace std;
#if _GLIBCXX_RELEASE >= 13 // its <utility>, which nvcc's headers include as well, declares std::array
#define array array_
#endif

int count = 1, data = 2, size = 3, left = 4, right = 5, hash = 6, array = 7, function = 8, ref = 9;
int find = 10, sort = 11, reduce = 12, transform = 13, vector = 14, string = 15, map = 16, set = 17;
int queue = 18, less = 19, merge = 20;

struct launch {
    int gridDim, threadIdx, min, max;
};

struct box {
    dim3 corner;
    uint3 size;
};

namespace a {
namespace b {
template <typename T> __global__ void k(T *p)
{
    p[threadIdx.x] = min(max((int)threadIdx.x, 2), 5) + min(1u, 2u);
}
} // namespace b
} // namespace a

__launch_bounds__(64) __global__ void before(int *p)
{
    *p = blockDim.x;
}

__global__ void __launch_bounds__(64, 2) after(int *p)
{
    atomicAdd(p, blockDim.x);
}

static int größe(int länge) // non-ASCII names are letters too, in host code
{
    return 2 * länge;
}

static int run()
{
    int *d, h[8], wrong = 0;
    cudaMalloc((void **)&d, sizeof h);
    ::a::b::k<int><<<1, 8>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        wrong += h[i] != 1 + (i < 2 ? 2 : i > 5 ? 5 : i);
    before<<<1, 64>>>(d);
    after<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    wrong += größe(h[0]) != 2 * (64 + 32 * 32);
    cudaFree(d);
    return wrong;
}

int main()
{
    launch l = {1, 2, 3, 4};
    dim3 g;
    g.x *= 2;
    uint3 u = g;
    box b = {g, make_uint3(1, 2, 3)};
    int sum = count + data + size + left + right + hash + array + function + ref + find + sort + reduce +
              transform + vector + string + map + set + queue + less + merge;
    int wrong = run() + (sum != 210) + (l.gridDim + l.threadIdx + min(l.min, l.max) != 6) +
                (u.x + b.corner.y + b.size.z != 6) + (max(1.5f, 2.5f) != 2.5f);
    printf("names: %d wrong\n", wrong);
    return wrong != 0;
}
