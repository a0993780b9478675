// SPDX-License-Identifier: MIT
/* Graphs: work whose order is in their edges; mistakes of captures. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 64, BYTES = N * sizeof(int) };

static __global__ void put(int *p, int value)
{
    p[threadIdx.x] = value; // store
}

static __global__ void get(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x]; // load
}

static cudaStream_t s, t;
static cudaEvent_t fork_event, join_event;
static int *a, *b, *h;
static cudaGraph_t graph;
static cudaGraphExec_t exec;

static void launch()
{
    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) {
        puts("not instantiated");
        return;
    }
    cudaGraphLaunch(exec, s); // launch
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

static void begin()
{
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
}

/* Work of another stream, by a fork and a join. */
// run: joined
static void joined()
{
    begin();
    put<<<1, N, 0, s>>>(a, 1);
    cudaEventRecord(fork_event, s);
    cudaStreamWaitEvent(t, fork_event);
    get<<<1, N, 0, t>>>(a, b);
    cudaEventRecord(join_event, t);
    cudaStreamWaitEvent(s, join_event);
    put<<<1, N, 0, s>>>(a, 2);
    cudaMemcpyAsync(h, b, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &graph);
    launch();
    printf("%d\n", h[N - 1]);
}

// run: fork_too_early
// finding: unordered work @load@ @store@ @writes@ @reads@ @launch@
// expect: two branches of a graph
static void fork_too_early()
{
    begin();
    cudaEventRecord(fork_event, s);
    cudaStreamWaitEvent(t, fork_event);
    put<<<1, N, 0, s>>>(a, 1); // writes
    get<<<1, N, 0, t>>>(a, b); // reads
    cudaEventRecord(join_event, t);
    cudaStreamWaitEvent(s, join_event);
    cudaStreamEndCapture(s, &graph);
    launch();
}

/* By hand, with and without the edge. */
static void by_hand(bool edge)
{
    int value = 3;
    void *put_arguments[] = {&a, &value}, *get_arguments[] = {&a, &b};
    cudaKernelNodeParams kernel = {};
    cudaGraphNode_t first, second;
    cudaGraphCreate(&graph, 0);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(N);
    kernel.func = (void *)put;
    kernel.kernelParams = put_arguments;
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel); // by-hand-writes
    kernel.func = (void *)get;
    kernel.kernelParams = get_arguments;
    cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel); // by-hand-reads
    if (edge)
        cudaGraphAddDependencies(graph, &first, &second, nullptr, 1);
    launch();
}

// run: edge

// run: no_edge
// finding: unordered work @load@ @store@ @by-hand-writes@ @by-hand-reads@
// expect: no edges of the graph lead from one to the other

/* Two launches of one executable graph have an order, whatever their streams are. */
// run: twice
static void twice()
{
    begin();
    put<<<1, N, 0, s>>>(a, 1);
    get<<<1, N, 0, s>>>(a, b);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, t);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

/* Another stream's work knows nothing of the launch. */
// run: beside
// finding: unordered work @load@ @store@ @in-graph@ @beside@
// expect: two streams
static void beside()
{
    begin();
    put<<<1, N, 0, s>>>(a, 1); // in-graph
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    get<<<1, N, 0, t>>>(a, b); // beside
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// run: synchronise
// expect: cudaStreamSynchronize: the stream is capturing
// expect: 901
// exit: any
static void synchronise()
{
    begin();
    put<<<1, N, 0, s>>>(a, 1);
    cudaStreamSynchronize(s);
    printf("%d\n", cudaStreamEndCapture(s, &graph));
}

// run: not_joined
// expect: a stream was not joined
// expect: 904
// exit: any
static void not_joined()
{
    begin();
    cudaEventRecord(fork_event, s);
    cudaStreamWaitEvent(t, fork_event);
    put<<<1, N, 0, t>>>(a, 1);
    printf("%d\n", cudaStreamEndCapture(s, &graph));
}

/* A result that is read before anything has waited for the launch. */
// run: read_early
// finding: unordered host access @looks@ @copies@
static void read_early()
{
    begin();
    cudaMemcpyAsync(h, a, BYTES, cudaMemcpyDeviceToHost, s); // copies
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    printf("%d\n", h[0]); // looks
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

int main(int, char **arguments)
{
    const char *name = arguments[1];
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork_event);
    cudaEventCreate(&join_event);
    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaMemset(a, 0, BYTES);
    cudaMemset(b, 0, BYTES);
    cudaDeviceSynchronize();
    memset(h, 0, BYTES);
#define RUN(x) strcmp(name, #x) ? (void)0 : x()
    RUN(joined);
    RUN(fork_too_early);
    RUN(twice);
    RUN(beside);
    RUN(synchronise);
    RUN(not_joined);
    RUN(read_early);
    if (strstr(name, "edge"))
        by_hand(!strcmp(name, "edge"));
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(h);
    cudaEventDestroy(fork_event);
    cudaEventDestroy(join_event);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
