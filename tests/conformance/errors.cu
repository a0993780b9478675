/* SPDX-License-Identifier: MIT */
/* The last error: who sets it, who clears it, and why a good launch can seem to fail. */
#include "probe.h"
#include <pthread.h>

__device__ int ran;

__global__ static void mark(int value)
{
    ran = value;
}

static int value_of_ran()
{
    int back = -1;
    cudaMemcpyFromSymbol(&back, ran, sizeof back);
    return back;
}

static void rejected_launch()
{
    mark<<<1, 1500>>>(1);
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    SAY("the kernel ran: %d", value_of_ran());
}

static void stale_error_blamed_on_a_launch()
{
    void *p;
    cudaMalloc(&p, (size_t)1 << 60);
    LAUNCH("good launch after a failed cudaMalloc", mark<<<1, 1>>>(2));
    ASK(cudaGetLastError());
    SAY("the kernel ran: %d", value_of_ran() == 2);
}

static void peeking()
{
    mark<<<1, 1500>>>(1);
    ASK(cudaPeekAtLastError());
    ASK(cudaPeekAtLastError());
    mark<<<1, 1>>>(3);
    ASK(cudaPeekAtLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaPeekAtLastError());
}

static void success_does_not_clear()
{
    void *p;
    mark<<<0, 1>>>(1);
    ASK(cudaMalloc(&p, 16));
    ASK(cudaFree(p));
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void the_last_one_counts()
{
    void *p;
    mark<<<0, 1>>>(1);
    cudaMalloc(&p, (size_t)1 << 60);
    ASK(cudaGetLastError());
    cudaMalloc(&p, (size_t)1 << 60);
    mark<<<0, 1>>>(1);
    ASK(cudaGetLastError());
    cudaMalloc(&p, (size_t)1 << 60);
    cudaSetDevice(-1);
    ASK(cudaGetLastError());
}

static void who_sets_it()
{
    int value;
    cudaEvent_t event;
    cudaDeviceProp properties;
    ASK(cudaSetDevice(-1));
    ASK(cudaGetLastError());
    ASK(cudaGetDeviceProperties(&properties, -1));
    ASK(cudaGetLastError());
    ASK(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    ASK(cudaGetLastError());
    ASK(cudaEventCreateWithFlags(&event, 99));
    ASK(cudaGetLastError());
    ASK(cudaStreamDestroy(0));
    ASK(cudaGetLastError());
    ASK(cudaMemcpy(NULL, &value, 4, cudaMemcpyHostToDevice));
    ASK(cudaGetLastError());
    ASK(cudaMemcpy(NULL, &value, 4, (cudaMemcpyKind)9));
    ASK(cudaGetLastError());
}

static void not_ready_is_no_error()
{
    ASK(cudaFree(0));
    probe_spin<<<1, 1>>>();
    ASK(cudaStreamQuery(0));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamQuery(0));
}

static void *other_thread(void *)
{
    SAY("in another thread: %s", cudaGetErrorName(cudaPeekAtLastError()));
    mark<<<1, 1500>>>(1);
    SAY("after its own bad launch: %s", cudaGetErrorName(cudaPeekAtLastError()));
    return NULL;
}

static void one_for_each_thread()
{
    void *p;
    pthread_t thread;
    cudaMalloc(&p, (size_t)1 << 60);
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void names()
{
    const int codes[] = {0,   1,   2,   3,   9,   11,  12,  13,  16,  17,  21,  35,  46,  98,
                         100, 101, 400, 401, 500, 600, 700, 701, 702, 704, 709, 710, 712, 713,
                         716, 717, 718, 719, 720, 801, 900, 901, 906, 999, 10000, -1};
    for (int code : codes)
        SAY("%d %s: %s", code, cudaGetErrorName((cudaError_t)code), cudaGetErrorString((cudaError_t)code));
}

int main()
{
    CASE(rejected_launch);
    CASE(stale_error_blamed_on_a_launch);
    CASE(peeking);
    CASE(success_does_not_clear);
    CASE(the_last_one_counts);
    CASE(who_sets_it);
    CASE(not_ready_is_no_error);
    CASE(one_for_each_thread);
    CASE(names);
    return 0;
}
