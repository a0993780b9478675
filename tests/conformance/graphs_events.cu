/* SPDX-License-Identifier: MIT */
/* An event that was recorded in a capture which has ended well; copies of all kinds while others capture. */
#include "capture.h"

static cudaStream_t s, t;
static cudaEvent_t event, second;
static cudaGraph_t graph;
static int *d;

static void prepare()
{
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaEventCreate(&second);
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    cudaDeviceSynchronize();
}

static void ended_well()
{
    float ms;
    prepare();
    ASK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, t));
    ASK(cudaStreamEndCapture(t, &graph));
    ASK(cudaEventQuery(event));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    ASK(cudaStreamWaitEvent(s, event, 0));
    ASK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamWaitEvent(t, event, 0)); // of the capture before
    ASK(cudaStreamEndCapture(t, &graph));
    ASK(cudaEventRecord(event, s));
    ASK(cudaEventSynchronize(event));
}

static void times()
{
    float ms;
    prepare();
    ASK(cudaEventRecord(second, s));
    ASK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    ASK(cudaEventRecord(event, t));
    ASK(cudaEventElapsedTime(&ms, second, event));
    ASK(cudaStreamEndCapture(t, &graph));
}

static void copies()
{
    const cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    static int back[64 << 10]; // more than what a pageable copy puts aside at once
    int *large;
    prepare();
    cudaMalloc(&large, sizeof back);
    INSIDE(cudaMemcpy(d, back, 4, cudaMemcpyHostToDevice));
    INSIDE(cudaMemcpy(d, d + 4, 4, cudaMemcpyDeviceToDevice));
    INSIDE(cudaMemcpy(large, back, sizeof back, cudaMemcpyHostToDevice));
    INSIDE(cudaMemcpy2D(d, 16, back, 16, 8, 2, cudaMemcpyHostToDevice));
    INSIDE(cudaMemset2D(d, 16, 0, 8, 2));
}

static void instantiated_with_params()
{
    for (unsigned flags : {2u, 6u, 10u}) {
        cudaGraphExec_t exec;
        cudaGraphInstantiateParams params = {};
        unsigned long long kept = 99;
        prepare();
        cudaGraphCreate(&graph, 0);
        params.flags = flags;
        params.uploadStream = t;
        SAY("flags %u", flags);
        if (ASK(cudaGraphInstantiateWithParams(&exec, graph, &params)))
            continue;
        ASK(cudaGraphExecGetFlags(exec, &kept));
        SAY("result %d, kept %llu", (int)params.result_out, kept);
    }
}

int main()
{
    CASE(ended_well);
    CASE(times);
    CASE(copies);
    CASE(instantiated_with_params);
    return 0;
}
