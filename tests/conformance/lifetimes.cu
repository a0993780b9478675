/* SPDX-License-Identifier: MIT */
/* Streams, pool memory and registered memory that go while something remembers them. All of it is right. */
#include "probe.h"

__global__ static void add(int *p, int value)
{
    p[threadIdx.x] += value;
}

__global__ static void turn(int *p)
{
    __shared__ int part[32];
    part[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = part[31 - threadIdx.x];
}

static int first_of(const int *p)
{
    int value = -1;
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

/* The graph's second launch comes after its first, whose stream is gone by then. */
static void graph_outlives_stream()
{
    cudaStream_t s, t;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *p;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMemset(p, 0, 32 * sizeof *p);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    add<<<1, 32, 0, s>>>(p, 1);
    cudaStreamEndCapture(s, &graph);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamDestroy(s));
    ASK(cudaGraphLaunch(exec, t)); /* nothing has waited */
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamDestroy(t));
    ASK(cudaDeviceSynchronize());
    ASK(cudaGraphLaunch(exec, 0));
    ASK(cudaDeviceSynchronize());
    SAY("%d launches", first_of(p));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(p);
}

/* The free is queued behind a kernel whose arguments the runtime cannot tell from numbers. */
static void freed_behind_a_launch()
{
    cudaStream_t s;
    int *p, *result, value = 5;
    cudaStreamCreate(&s);
    cudaMalloc(&result, 32 * sizeof *result);
    cudaMallocAsync(&p, 32 * sizeof *p, s);
    cudaMemsetAsync(p, 0, 32 * sizeof *p, s);
    void *arguments[] = {&p, &value};
    ASK(cudaLaunchKernel((void *)add, dim3(1), dim3(32), arguments, 0, s));
    cudaMemcpyAsync(result, p, 32 * sizeof *p, cudaMemcpyDeviceToDevice, s);
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    SAY("%d", first_of(result));
    cudaMallocAsync(&p, 32 * sizeof *p, s);
    cudaMemsetAsync(p, 0, 32 * sizeof *p, s);
    cudaStreamSynchronize(s);
    /* and nothing else before the free */
    ASK(cudaLaunchKernel((void *)add, dim3(1), dim3(32), arguments, 0, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    cudaFree(result);
    cudaStreamDestroy(s);
}

static void registered_again()
{
    static int here[2048], there[2048];
    int *p;
    for (int i = 0; i < 3; i++) {
        int *host = i == 1 ? there : here;
        ASK(cudaHostRegister(host, sizeof here, cudaHostRegisterMapped));
        ASK(cudaHostGetDevicePointer(&p, host, 0));
        add<<<1, 32>>>(p, 1 + i);
        ASK(cudaDeviceSynchronize());
        ASK(cudaHostUnregister(host));
    }
    SAY("%d and %d", here[0], there[31]);
}

/* Each block has its own shared memory, in whatever stream. */
static void shared_in_two_streams()
{
    cudaStream_t s[2];
    int *p[2], from[32];
    for (int i = 0; i < 32; i++)
        from[i] = i;
    for (int i = 0; i < 2; i++) {
        cudaStreamCreate(&s[i]);
        cudaMalloc(&p[i], sizeof from);
        cudaMemcpy(p[i], from, sizeof from, cudaMemcpyHostToDevice);
    }
    for (int i = 0; i < 2; i++)
        turn<<<1, 32, 0, s[i]>>>(p[i]);
    ASK(cudaDeviceSynchronize());
    SAY("%d and %d", first_of(p[0]), first_of(p[1]));
    for (int i = 0; i < 2; i++) {
        cudaFree(p[i]);
        cudaStreamDestroy(s[i]);
    }
}

int main()
{
    CASE(graph_outlives_stream);
    CASE(freed_behind_a_launch);
    CASE(registered_again);
    CASE(shared_in_two_streams);
    return 0;
}
