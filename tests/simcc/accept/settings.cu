/* SPDX-License-Identifier: MIT */
/* The four settings of a launch arrive in their order: a stream that captures keeps what it was given. */
#include <algorithm>
#include <cstdio>

struct plan {
    cudaStream_t stream;
    dim3 block() const { return dim3(32, 2); }
};
static int wrong;

__global__ void k(float *d, int n)
{
    extern __shared__ float s[];
    s[threadIdx.x & 15] = n;
    if (d)
        *d = s[threadIdx.x & 15];
}
template <class T> __global__ void any(T n)
{
    extern __shared__ float s[];
    s[0] = n;
}

/* What was launched since begin() */
static void begin(cudaStream_t s)
{
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
}
static void expect(cudaStream_t s, unsigned grid, unsigned block, unsigned bytes, int line)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    size_t n = 1;
    cudaStreamEndCapture(s, &graph);
    cudaGraphGetNodes(graph, &node, &n);
    if (n == 1)
        cudaGraphKernelNodeGetParams(node, &p);
    cudaGraphDestroy(graph);
    unsigned blocks = p.gridDim.x * p.gridDim.y, threads = p.blockDim.x * p.blockDim.y;
    if (n == 1 && blocks == grid && threads == block && p.sharedMemBytes == bytes)
        return;
    wrong++;
    printf("line %d: %zu launches, of <<<%u, %u, %u>>>\n", line, n, blocks, threads, p.sharedMemBytes);
}

int main()
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    const plan here = {s}, *p = &here;
    float *d = nullptr;
    int n = 100;

    begin(s);
    k
        <<< dim3((n + 15) / 16, std::min(n, 3)), /* >>> */ p->block(), // four settings
            16 * sizeof(float), p->stream >>>
        (d,
         n);
    expect(s, 21, 64, 64, __LINE__);
    begin(s);
    k<<<2, 3, (n < 64 && n > 3) ? 128 : 256, s>>>(nullptr, 0);
    expect(s, 2, 3, 256, __LINE__);
    begin(s);
    any<<<[&] { return n; }(), dim3{2, 2}, 4, s>>>(n);
    expect(s, 100, 4, 4, __LINE__);
    begin(s);
    any<float><<<1, 1, 8, (cudaStream_t)s>>>(n);
    expect(s, 1, 1, 8, __LINE__);

    cudaStreamDestroy(s);
    return wrong;
}
