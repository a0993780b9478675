/* SPDX-License-Identifier: MIT */
/* Stream capture and graphs: what may not be called while capturing, and what a graph does when launched. */
#include "probe.h"

static cudaStream_t s;
static cudaGraph_t graph;
static cudaGraphExec_t exec;
static int *d;

__global__ static void add(int *p, int value)
{
    *p += value;
}

static void prepare()
{
    cudaStreamCreate(&s);
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    add<<<1, 1, 0, s>>>(d, 0);
    cudaDeviceSynchronize();
}

static int value()
{
    int back = -1;
    cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost);
    return back;
}

static void refused()
{
    void *p;
    prepare();
    ASK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaMalloc(&p, 16));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    LAUNCH("launch into the legacy stream", add<<<1, 1>>>(d, 1));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaGetLastError());
}

static void relaxed()
{
    void *p;
    prepare();
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ASK(cudaMalloc(&p, 16));
    ASK(cudaStreamEndCapture(s, &graph));
}

static void status()
{
    cudaStreamCaptureStatus now;
    prepare();
    ASK(cudaStreamIsCapturing(s, &now));
    SAY("status %d", (int)now);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    ASK(cudaStreamIsCapturing(s, &now));
    SAY("status %d", (int)now);
    cudaStreamSynchronize(s);
    ASK(cudaStreamIsCapturing(s, &now));
    SAY("status %d", (int)now);
    cudaStreamEndCapture(s, &graph);
    ASK(cudaStreamIsCapturing(s, &now));
    SAY("status %d", (int)now);
}

static void captured_work_runs_at_launch()
{
    size_t n = 0;
    prepare();
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(d, 3);
    ASK(cudaMemsetAsync(d + 1, 1, 4, s));
    add<<<1, 1, 0, s>>>(d, 4);
    ASK(cudaStreamEndCapture(s, &graph));
    SAY("after capture: %d", value());
    ASK(cudaGraphGetNodes(graph, NULL, &n));
    SAY("nodes %zu", n);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    SAY("after two launches: %d", value());
    ASK(cudaGraphDestroy(graph));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    SAY("the graph destroyed, a third launch: %d", value());
    ASK(cudaGraphExecDestroy(exec));
}

static void arguments_are_those_of_the_capture()
{
    int n = 5;
    prepare();
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, s>>>(d, n);
    cudaStreamEndCapture(s, &graph);
    n = 100;
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    SAY("%d", value());
}

static void forks_and_joins()
{
    cudaStream_t other;
    cudaEvent_t fork, join;
    prepare();
    cudaStreamCreate(&other);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaEventRecord(fork, s));
    ASK(cudaStreamWaitEvent(other, fork, 0));
    add<<<1, 1, 0, other>>>(d, 1);
    ASK(cudaEventRecord(join, other));
    ASK(cudaStreamWaitEvent(s, join, 0));
    add<<<1, 1, 0, s>>>(d, 1);
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    SAY("%d", value());
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaEventRecord(fork, s));
    ASK(cudaStreamWaitEvent(other, fork, 0));
    add<<<1, 1, 0, other>>>(d, 1);
    ASK(cudaStreamEndCapture(s, &graph)); // the other stream never joined
}

static void empty_and_null()
{
    size_t n = 9;
    ASK(cudaGraphCreate(&graph, 0));
    ASK(cudaGraphGetNodes(graph, NULL, &n));
    SAY("nodes %zu", n);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, 0));
    ASK(cudaDeviceSynchronize());
    ASK(cudaGraphInstantiate(&exec, (cudaGraph_t)NULL, 0));
    ASK(cudaGraphLaunch((cudaGraphExec_t)NULL, 0));
    ASK(cudaGraphDestroy((cudaGraph_t)NULL));
    ASK(cudaGetLastError());
}

int main()
{
    CASE(refused);
    CASE(relaxed);
    CASE(status);
    CASE(captured_work_runs_at_launch);
    CASE(arguments_are_those_of_the_capture);
    CASE(forks_and_joins);
    CASE(empty_and_null);
    return 0;
}
