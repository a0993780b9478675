/* SPDX-License-Identifier: MIT */
/* Every way to write a launch; each one notes what it was given. Run with LF and with CRLF. */
#include <algorithm>
#include <cstdio>

struct Note {
    unsigned grid, block, shared, line;
};
__device__ __managed__ Note notes[64];
__device__ __managed__ int noted;
static int wanted, bad;

__global__ void k(unsigned line)
{
    extern __shared__ int s[];
    (void)s;
    if (!(blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y))
        notes[noted++] = {gridDim.x * gridDim.y, blockDim.x * blockDim.y, 0, line};
}
template <int N, int M, class T> __global__ void part(T line)
{
    notes[noted++] = {1, 1, N * M, (unsigned)line};
}
template <class T, int N> __global__ void kt(T line)
{
    if (!(blockIdx.x + threadIdx.x))
        notes[noted++] = {gridDim.x, blockDim.x, N, (unsigned)line};
}
__global__ void over(int line) { notes[noted++] = {1, 1, 1, (unsigned)line}; }
__global__ void over(float line) { notes[noted++] = {1, 1, 2, (unsigned)line}; }
__global__ void preset(int line, int extra = 7) { notes[noted++] = {1, 1, (unsigned)extra, (unsigned)line}; }

static void want(unsigned grid, unsigned block, unsigned shared, unsigned line)
{
    cudaDeviceSynchronize();
    Note n = notes[wanted++];
    if (noted == wanted && n.grid == grid && n.block == block && n.shared == shared && n.line == line)
        return;
    printf("line %u: wanted <<<%u, %u>>> %u, got <<<%u, %u>>> %u of line %u\n", line, grid, block, shared,
           n.grid, n.block, n.shared, n.line);
    bad = 1;
}

struct Shape {
    int n;
    dim3 g() const { return dim3(n); }
    int bs() const { return 32; }
};
template <class T> struct Box {
    T value;
};
template <class T> int one() { return 1; }

#define LAUNCH(K, g, b, ...) K<<<g, b>>>(__VA_ARGS__)
#define LAUNCH_LINES(K, g, b) \
    K<<<g,                    \
        b>>>(__LINE__)
#define CFG 1, 32
#define LB <<<
#define RB >>>

int main()
{
    int n = 40;
    Shape d = {3}, *p = &d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    void (*table[])(unsigned) = {k, k};
    k << <1, 2 >> > (__LINE__); want(1, 2, 0, __LINE__);
    k
    <<< dim3((n+15)/16, std::min(n,3)), p->bs(), 16*sizeof(float), s >>>
    (__LINE__); want(9, 32, 0, __LINE__);
    k<<<d.g(), (n<2 && 3>1)?32:64>>>(__LINE__); want(3, 64, 0, __LINE__);
    k<<<[&]{return n;}(), dim3{2,2}>>>(__LINE__); want(40, 4, 0, __LINE__);
    k<<<{2, 2}, {3}>>>(__LINE__); want(4, 3, 0, __LINE__);
    k /* a */ <<< // b >>>
        1, /* c, */ 8 >>> /* d */ (__LINE__ - 1); want(1, 8, 0, __LINE__ - 1);
    k<<<5>>>(__LINE__); want(5, 1, 0, __LINE__);
    k<<<n>>3, 1>>>(__LINE__); want(5, 1, 0, __LINE__);
    k<<<1, one<Box<Box<int>>>()>>>(__LINE__); want(1, 1, 0, __LINE__);
    k<<<1, 1, 64>>>(__LINE__); want(1, 1, 0, __LINE__);
    kt<int, 4><<<2, 3>>>(__LINE__); want(2, 3, 4, __LINE__);
    kt<unsigned, (3 > 1)><<<2, 3>>>(__LINE__); want(2, 3, 1, __LINE__);
    part<2, 3><<<1, 1>>>(__LINE__); want(1, 1, 6, __LINE__);
    over<<<1, 1>>>((int)__LINE__); want(1, 1, 1, __LINE__);
    over<<<1, 1>>>((float)__LINE__); want(1, 1, 2, __LINE__);
    preset<<<1, 1>>>(__LINE__); want(1, 1, 7, __LINE__);
    preset<<<1, 1>>>(__LINE__, 8); want(1, 1, 8, __LINE__);
    table[1]<<<1, 2>>>(__LINE__); want(1, 2, 0, __LINE__);
    (n ? table[0] : k)<<<1, 2>>>(__LINE__); want(1, 2, 0, __LINE__);
    LAUNCH((kt<int, 5>), 1, 2, __LINE__); want(1, 2, 5, __LINE__);
    LAUNCH_LINES(k, 2, 2); want(4 / 2, 2, 0, __LINE__);
    k<<<CFG>>>(__LINE__); want(1, 32, 0, __LINE__);
    k LB 1, 4 RB (__LINE__); want(1, 4, 0, __LINE__);
    cudaStreamDestroy(s);
    printf("%d launches\n", wanted);
    return bad;
}
