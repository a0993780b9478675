// SPDX-License-Identifier: MIT
/* Memory that graphs allocate, and memory that launched graphs need. */
#include <cstdio>
#include <cstring>

enum { N = 64, BYTES = N * sizeof(int) };

static __global__ void put(int *p, int value)
{
    p[threadIdx.x] = value; // store
}

static cudaStream_t s, t;
static int *a, *p;
static cudaGraph_t graph;
static cudaGraphExec_t exec;

static void begin()
{
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
}

static void end()
{
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
}

/* Allocated, used and freed in order, and twice. */
// run: in_order
static void in_order()
{
    begin();
    cudaMallocAsync(&p, BYTES, s);
    put<<<1, N, 0, s>>>(p, 1);
    cudaMemcpyAsync(a, p, BYTES, cudaMemcpyDeviceToDevice, s);
    cudaFreeAsync(p, s);
    end();
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

/* What a launch leaves allocated is used and freed behind it. */
// run: freed_outside
static void freed_outside()
{
    begin();
    cudaMallocAsync(&p, BYTES, s);
    put<<<1, N, 0, s>>>(p, 1);
    end();
    cudaGraphLaunch(exec, s);
    put<<<1, N, 0, s>>>(p, 2);
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
}

/* A graph allocates memory again that it has freed; another graph frees that. */
// run: freed_by_another_graph
// expect: the same 1, codes 0 0 0
static void freed_by_another_graph()
{
    cudaGraphExec_t allocates;
    int *again;
    begin();
    cudaMallocAsync(&p, BYTES, s);
    cudaFreeAsync(p, s);
    cudaMallocAsync(&again, BYTES, s);
    put<<<1, N, 0, s>>>(again, 1);
    end();
    allocates = exec;
    begin();
    int freed = cudaFreeAsync(again, s);
    end();
    int first = cudaGraphLaunch(allocates, s), second = cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(allocates);
    printf("the same %d, codes %d %d %d\n", p == again, freed, first, second);
}

/* A node behind the one that frees. */
// run: after_its_free
// finding: use after free @store@
// expect: no graph holds now
static void after_its_free()
{
    begin();
    cudaMallocAsync(&p, BYTES, s);
    cudaFreeAsync(p, s);
    put<<<1, N, 0, s>>>(p, 1);
    end();
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

/* The launch is in one stream, what uses its memory in another. */
// run: unordered
// finding: unordered work @store@ @allocates@ @elsewhere@
static void unordered()
{
    begin();
    cudaMallocAsync(&p, BYTES, s); // allocates
    end();
    cudaGraphLaunch(exec, s);
    put<<<1, N, 0, t>>>(p, 1); // elsewhere
    cudaDeviceSynchronize();
    cudaFree(p);
}

/* A buffer that the graph's kernel needs is freed between two launches. */
// run: buffer_freed
// finding: use after free @store@
// expect: freed by cudaFree at @frees@
// expect: 700
static void buffer_freed()
{
    begin();
    put<<<1, N, 0, s>>>(a, 1);
    end();
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaFree(a); // frees
    cudaGraphLaunch(exec, s);
    printf("%d\n", cudaStreamSynchronize(s));
}

/* The same of a copy. */
// run: copy_freed
// finding: use after free @launches@ @copies@ @goes@
// expect: 700
static void copy_freed()
{
    int *h;
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    begin();
    cudaMemcpyAsync(a, h, BYTES, cudaMemcpyHostToDevice, s); // copies
    end();
    cudaFreeHost(h);          // goes
    cudaGraphLaunch(exec, s); // launches
    printf("%d\n", cudaStreamSynchronize(s));
}

int main(int, char **arguments)
{
    const char *name = arguments[1];
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&a, BYTES);
    cudaDeviceSynchronize();
#define RUN(x) strcmp(name, #x) ? (void)0 : x()
    RUN(in_order);
    RUN(freed_outside);
    RUN(freed_by_another_graph);
    RUN(after_its_free);
    RUN(unordered);
    RUN(buffer_freed);
    RUN(copy_freed);
    if (strcmp(name, "buffer_freed"))
        cudaFree(a);
    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
