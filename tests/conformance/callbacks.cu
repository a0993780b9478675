/* SPDX-License-Identifier: MIT */
/* Host functions in a stream run in its order, after the work before them and before the work behind. */
#include "probe.h"

static int *pinned;
static char said[1000]; // by host functions, which may run while the main thread prints

__global__ static void set(int *p, int value)
{
    *p = value;
}

static void report(void *text)
{
    sprintf(said + strlen(said), "  %s: %d\n", (const char *)text, *pinned);
}

static void old_style(cudaStream_t, cudaError_t status, void *text)
{
    sprintf(said + strlen(said), "  %s: %d, %d\n", (const char *)text, (int)status, *pinned);
}

static void spoil(void *value)
{
    *pinned = *(int *)value;
}

static void after_kernels()
{
    cudaStream_t s;
    cudaMallocHost(&pinned, 4);
    cudaStreamCreate(&s);
    *pinned = 0;
    set<<<1, 1, 0, s>>>(pinned, 1);
    ASK(cudaLaunchHostFunc(s, report, (void *)"first"));
    set<<<1, 1, 0, s>>>(pinned, 2);
    ASK(cudaLaunchHostFunc(s, report, (void *)"second"));
    ASK(cudaStreamSynchronize(s));
    printf("%s", said);
}

static void after_a_copy()
{
    int *d;
    cudaStream_t s;
    cudaMallocHost(&pinned, 4);
    cudaMalloc(&d, 4);
    cudaStreamCreate(&s);
    *pinned = 0;
    set<<<1, 1, 0, s>>>(d, 42);
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, report, (void *)"copied");
    ASK(cudaDeviceSynchronize());
    printf("%s", said);
}

static void work_behind_waits_for_the_function()
{
    static int value = 9;
    int *d, back = 0;
    cudaStream_t s;
    cudaMallocHost(&pinned, 4);
    cudaMalloc(&d, 4);
    cudaStreamCreate(&s);
    *pinned = 1;
    cudaLaunchHostFunc(s, spoil, &value);
    cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s);
    ASK(cudaStreamSynchronize(s));
    ASK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    SAY("%d", back);
}

static void added_callback()
{
    cudaStream_t s;
    cudaMallocHost(&pinned, 4);
    cudaStreamCreate(&s);
    set<<<1, 1, 0, s>>>(pinned, 5);
    ASK(cudaStreamAddCallback(s, old_style, (void *)"callback", 0));
    ASK(cudaStreamSynchronize(s));
    printf("%s", said);
    ASK(cudaStreamAddCallback(s, old_style, (void *)"callback", 1));
    ASK(cudaStreamAddCallback(s, NULL, NULL, 0));
    ASK(cudaGetLastError());
}

static void in_the_null_stream()
{
    cudaMallocHost(&pinned, 4);
    set<<<1, 1>>>(pinned, 6);
    ASK(cudaLaunchHostFunc(0, report, (void *)"null stream"));
    ASK(cudaDeviceSynchronize());
    printf("%s", said);
    ASK(cudaLaunchHostFunc(0, NULL, NULL));
    ASK(cudaGetLastError());
}

static void many()
{
    static int values[100];
    cudaStream_t s;
    cudaMallocHost(&pinned, 4);
    cudaStreamCreate(&s);
    *pinned = -1;
    for (int i = 0; i < 100; i++) {
        values[i] = i;
        cudaLaunchHostFunc(s, spoil, &values[i]);
    }
    ASK(cudaStreamSynchronize(s));
    SAY("the last of 100: %d", *pinned);
}

int main()
{
    CASE(after_kernels);
    CASE(after_a_copy);
    CASE(work_behind_waits_for_the_function);
    CASE(added_callback);
    CASE(in_the_null_stream);
    CASE(many);
    return 0;
}
