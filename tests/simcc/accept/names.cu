/* SPDX-License-Identifier: MIT */
/* Names that are the program's own: nvcc takes them all, so the headers must not. */
#include <cstdio>
#include <cstdlib>
using namespace std;
#if _GLIBCXX_RELEASE >= 13 // its <utility>, which nvcc's headers include as well, declares std::array
#define array array_
#endif

int count = 1, data = 2, size = 3, left = 4, right = 5, hash = 6, array = 7, function = 8, ref = 9, find = 10;
int sort = 11, reduce = 12, transform = 13, vector = 14, string = 15, map = 16, set = 17, queue = 18;
int less = 19, merge = 20;
int größe = 21; // ein Name mit Umlaut

struct Box {
    dim3 gridDim, threadIdx;
    int min, max;
    void widen()
    {
        gridDim.x = 3;
        threadIdx.y++;
    }
};

namespace a {
namespace b {
template <class T> __global__ void k(T *p)
{
    p[threadIdx.x] = (T)threadIdx.x;
}
}
}

__host__ __device__ int larger(int a, int b)
{
    return max(a, b) + (int)min(1u, 2u);
}

__global__ void __launch_bounds__(64) before(int *p)
{
    *p += larger(1, 2);
}
__launch_bounds__(64, 1) __global__ void after(int *p)
{
    *p += larger(3, 4);
}
__global__ void shadow(int *p, Box box)
{
    uint3 blockIdx = threadIdx;
    blockIdx.x = 5;
    box.gridDim.x += box.max;
    *p += blockIdx.x + box.gridDim.x;
}
void launch(int *p, void (*kernel)(int *))
{
    return kernel<<<1, 1>>>(p);
}

int main()
{
    dim3 grid(2);
    grid.x *= 2;
    uint3 plain = grid;
    int *p, back[4], n = 0;
    Box box = {};
    box.widen();
    box.max = 4;
    cudaMalloc(&p, sizeof back);
    cudaMemset(p, 0, sizeof back);
    if (plain.x == 4)
        before<<<1, 1>>>(p);
    else
        after<<<1, 1>>>(p);
    plain.x == 4 ? after<<<1, 1>>>(p) : before<<<1, 1>>>(p);
    n++, launch(p, before);
    shadow<<<1, 1>>>(p, box);
    cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost);
    n = back[0];
    ::a::b::k<float><<<1, 4>>>((float *)p);
    float f[4];
    cudaMemcpy(f, p, sizeof f, cudaMemcpyDeviceToHost);
    cudaFree(p);
    int names = count + data + size + left + right + hash + array + function + ref + find + sort + reduce +
                transform + vector + string + map + set + queue + less + merge + größe;
    printf("%d %g %d\n", n, f[3], names);
    return !(n == 3 + 5 + 3 + 12 && f[3] == 3 && names == 231);
}
