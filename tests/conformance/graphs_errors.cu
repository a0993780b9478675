/* SPDX-License-Identifier: MIT */
/* What captures forbid, mode by mode; the codes of failed captures; updates, launches and ends of executable
 * graphs. */
#include "capture.h"

static cudaStream_t s, t;
static cudaEvent_t event;
static cudaGraph_t graph, other;
static cudaGraphExec_t exec;
static int *d;

__global__ static void add(int *p, int value)
{
    *p += value;
}

__global__ static void take(int *p, int value)
{
    *p -= value;
}

static void prepare()
{
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    cudaDeviceSynchronize();
}

static int value()
{
    int back = -1;
    cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost);
    return back;
}

static void inside(cudaStreamCaptureMode mode)
{
    void *p = NULL, *host = NULL, *managed = NULL;
    size_t bytes, total;
    cudaStream_t made;
    cudaEvent_t new_event;
    cudaPointerAttributes attributes;
    static char mine[4096];
    int back;
    prepare();
    INSIDE(cudaMalloc(&p, 16));
    INSIDE(cudaMallocManaged(&managed, 16));
    INSIDE(cudaMallocHost(&host, 16));
    INSIDE(cudaHostRegister(mine, sizeof mine, 0));
    INSIDE(cudaFree(nullptr));
    INSIDE(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    INSIDE(cudaMemcpyAsync(&back, d, 4, cudaMemcpyDeviceToHost, s));
    INSIDE(cudaMemset(d, 0, 4));
    INSIDE(cudaMemsetAsync(d, 0, 4, 0));
    INSIDE(cudaDeviceSynchronize());
    INSIDE(cudaStreamSynchronize(s));
    INSIDE(cudaStreamSynchronize(t));
    INSIDE(cudaStreamSynchronize(0));
    INSIDE(cudaStreamQuery(s));
    INSIDE(cudaStreamQuery(t));
    INSIDE(cudaEventQuery(event));
    INSIDE(cudaEventSynchronize(event));
    INSIDE(cudaEventRecord(event, s));
    INSIDE(cudaStreamWaitEvent(t, event, 0));
    INSIDE(cudaStreamCreate(&made));
    INSIDE(cudaEventCreate(&new_event));
    INSIDE(cudaMemGetInfo(&bytes, &total));
    INSIDE(cudaPointerGetAttributes(&attributes, d));
}

static void inside_global()
{
    inside(cudaStreamCaptureModeGlobal);
}

static void inside_thread_local()
{
    inside(cudaStreamCaptureModeThreadLocal);
}

static void inside_relaxed()
{
    inside(cudaStreamCaptureModeRelaxed);
}

static void captured_events()
{
    cudaEvent_t second;
    float ms;
    prepare();
    cudaEventCreate(&second);
    cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed);
    ASK(cudaEventRecord(event, t));
    ASK(cudaEventQuery(event));
    ASK(cudaStreamEndCapture(t, &graph));
    ASK(cudaEventQuery(event));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    ASK(cudaStreamWaitEvent(s, event, 0));
    ASK(cudaEventRecord(event, s));
    ASK(cudaEventQuery(second));
}

static void two_captures()
{
    prepare();
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, s));
    ASK(cudaStreamWaitEvent(t, event, 0));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamEndCapture(t, &other));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, s));
    ASK(cudaStreamWaitEvent(t, event, 0));
    ASK(cudaStreamEndCapture(t, &graph)); // not the stream that began it
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)3));
    ASK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
}

static cudaGraph_t kernel_graph(void (*kernel)(int *, int), int by, unsigned threads)
{
    cudaGraph_t made;
    cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed);
    kernel<<<1, threads, 0, t>>>(d, by);
    cudaStreamEndCapture(t, &made);
    return made;
}

static void update(cudaGraph_t from)
{
    cudaGraphExecUpdateResultInfo info;
    memset(&info, 0xff, sizeof info);
    ASK(cudaGraphExecUpdate(exec, from, &info));
    SAY("result %d, a node %d, from a node %d", (int)info.result, info.errorNode != NULL,
        info.errorFromNode != NULL);
    cudaGraphLaunch(exec, t);
    cudaStreamSynchronize(t);
    SAY("then %d", value());
}

static void updates()
{
    cudaGraphNode_t node;
    prepare();
    ASK(cudaGraphInstantiate(&exec, kernel_graph(add, 1, 1), 0));
    update(kernel_graph(add, 10, 1));
    update(kernel_graph(take, 5, 1)); // another kernel
    cudaGraph_t longer = kernel_graph(add, 1, 1);
    ASK(cudaGraphAddEmptyNode(&node, longer, NULL, 0));
    update(longer);
    cudaGraphCreate(&other, 0);
    cudaGraphAddEmptyNode(&node, other, NULL, 0);
    update(other); // another kind of node
    cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed);
    cudaMemsetAsync(d, 0, 4, t);
    cudaStreamEndCapture(t, &other);
    update(other);
    cudaGraphCreate(&other, 0);
    update(other);
    ASK(cudaGraphExecUpdate(exec, NULL, NULL));
}

static void flags_of_instantiation()
{
    unsigned long long kept = 99;
    prepare();
    graph = kernel_graph(add, 1, 1);
    for (unsigned flags : {1u, 2u, 4u, 8u, 3u, 6u, 16u}) {
        SAY("flags %u", flags);
        if (ASK(cudaGraphInstantiate(&exec, graph, flags)) == cudaSuccess) {
            ASK(cudaGraphExecGetFlags(exec, &kept));
            SAY("kept %llu", kept);
            cudaGraphExecDestroy(exec);
        }
    }
    ASK(cudaGraphInstantiate(NULL, graph, 0));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphUpload(exec, t));
    ASK(cudaGraphUpload(NULL, t));
}

static void circles()
{
    cudaGraphNode_t a, b, both[2];
    prepare();
    ASK(cudaGraphCreate(&graph, 1));
    ASK(cudaGraphCreate(&graph, 0));
    ASK(cudaGraphAddEmptyNode(&a, graph, NULL, 0));
    ASK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    ASK(cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
    ASK(cudaGraphAddDependencies(graph, &a, &a, NULL, 1));
    both[0] = both[1] = a;
    ASK(cudaGraphAddEmptyNode(&b, graph, both, 2));
    ASK(cudaGraphAddEmptyNode(&b, graph, NULL, 1));
}

static void in_flight()
{
    prepare();
    cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed);
    probe_spin<<<1, 1, 0, t>>>();
    add<<<1, 1, 0, t>>>(d, 1);
    cudaStreamEndCapture(t, &graph);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, t));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaGraphDestroy(graph));
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaDeviceSynchronize());
    SAY("%d", value());
}

static void clones()
{
    cudaGraphNode_t node, found, child;
    cudaGraph_t inner;
    size_t n = 9;
    prepare();
    graph = kernel_graph(add, 1, 1);
    n = 1;
    ASK(cudaGraphGetNodes(graph, &node, &n));
    ASK(cudaGraphClone(&other, graph));
    ASK(cudaGraphNodeFindInClone(&found, node, other));
    ASK(cudaGraphNodeFindInClone(&found, found, graph));
    ASK(cudaGraphNodeFindInClone(&found, node, graph));
    ASK(cudaGraphDestroyNode(node));
    ASK(cudaGraphGetNodes(other, NULL, &n));
    SAY("nodes %zu", n);
    ASK(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, other));
    ASK(cudaGraphChildGraphNodeGetGraph(child, &inner));
    SAY("the child is the graph that was given: %d", inner == other);
    ASK(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, graph));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, t));
    ASK(cudaStreamSynchronize(t));
    SAY("%d", value());
}

int main()
{
    CASE(inside_global);
    CASE(inside_thread_local);
    CASE(inside_relaxed);
    CASE(captured_events);
    CASE(two_captures);
    CASE(updates);
    CASE(flags_of_instantiation);
    CASE(circles);
    CASE(in_flight);
    CASE(clones);
    return 0;
}
