/* SPDX-License-Identifier: MIT */
/* Events: unrecorded, pending, without timing, and as the only order between two streams. */
#include "probe.h"

static void unrecorded()
{
    float ms = -1;
    cudaEvent_t a, b;
    ASK(cudaEventCreate(&a));
    ASK(cudaEventCreate(&b));
    ASK(cudaEventQuery(a));
    ASK(cudaEventSynchronize(a));
    ASK(cudaEventElapsedTime(&ms, a, b));
    ASK(cudaGetLastError());
    ASK(cudaStreamWaitEvent(0, a, 0));
    ASK(cudaEventRecord(a));
    ASK(cudaEventElapsedTime(&ms, a, b));
    ASK(cudaEventDestroy(a));
    ASK(cudaEventDestroy(b));
}

static void pending()
{
    float ms = -1;
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    probe_spin<<<1, 1>>>();
    cudaDeviceSynchronize();
    ASK(cudaEventRecord(a));
    probe_spin<<<1, 1>>>();
    ASK(cudaEventRecord(b));
    ASK(cudaEventElapsedTime(&ms, a, b));
    ASK(cudaEventQuery(b));
    ASK(cudaGetLastError());
    ASK(cudaEventSynchronize(b));
    ASK(cudaEventQuery(b));
    ASK(cudaEventElapsedTime(&ms, a, b));
    SAY("time passed: %d", ms > 0);
    ASK(cudaEventElapsedTime(&ms, b, a));
    SAY("backwards is negative: %d", ms < 0);
    ASK(cudaEventElapsedTime(&ms, a, a));
    SAY("to itself: %g", ms);
}

static void recorded_again()
{
    cudaEvent_t a;
    cudaEventCreate(&a);
    ASK(cudaEventRecord(a));
    ASK(cudaEventSynchronize(a));
    probe_spin<<<1, 1>>>();
    ASK(cudaEventRecord(a));
    ASK(cudaEventQuery(a));
    ASK(cudaDeviceSynchronize());
    ASK(cudaEventQuery(a));
}

static void without_timing()
{
    float ms = -1;
    cudaEvent_t a, c;
    cudaEventCreate(&a);
    ASK(cudaEventCreateWithFlags(&c, cudaEventDisableTiming));
    ASK(cudaEventRecord(a));
    ASK(cudaEventRecord(c));
    ASK(cudaEventSynchronize(c));
    ASK(cudaEventElapsedTime(&ms, a, c));
    ASK(cudaEventElapsedTime(&ms, c, c));
    ASK(cudaGetLastError());
}

static void flags()
{
    cudaEvent_t e;
    ASK(cudaEventCreateWithFlags(&e, cudaEventBlockingSync));
    ASK(cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming));
    ASK(cudaEventCreateWithFlags(&e, 99));
    ASK(cudaEventCreateWithFlags(&e, cudaEventInterprocess));
    ASK(cudaEventCreate((cudaEvent_t *)NULL));
    ASK(cudaGetLastError());
}

static void null_handles()
{
    float ms = -1;
    cudaEvent_t a;
    cudaEventCreate(&a);
    cudaEventRecord(a);
    ASK(cudaEventRecord((cudaEvent_t)0));
    ASK(cudaEventQuery((cudaEvent_t)0));
    ASK(cudaEventSynchronize((cudaEvent_t)0));
    ASK(cudaEventDestroy((cudaEvent_t)0));
    ASK(cudaEventElapsedTime(&ms, a, (cudaEvent_t)0));
    ASK(cudaEventElapsedTime(NULL, a, a));
    ASK(cudaGetLastError());
}

__global__ static void set(int *p, int value)
{
    *p = value;
}

__global__ static void twice(int *p)
{
    *p *= 2;
}

static void order_two_streams()
{
    int *d, back = 0;
    cudaStream_t first, second;
    cudaEvent_t ready;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    set<<<1, 1>>>(d, 0); // the first launch of a kernel loads it, which may wait for the device
    twice<<<1, 1>>>(d);
    probe_spin<<<1, 1>>>();
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    probe_spin<<<1, 1, 0, first>>>();
    set<<<1, 1, 0, first>>>(d, 21);
    ASK(cudaEventRecord(ready, first));
    ASK(cudaStreamWaitEvent(second, ready, 0));
    twice<<<1, 1, 0, second>>>(d);
    ASK(cudaStreamQuery(second));
    ASK(cudaStreamSynchronize(second));
    ASK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost));
    SAY("%d", back);
    ASK(cudaStreamQuery(first));
}

static void a_wait_means_the_record_before_it()
{
    cudaStream_t first, second;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    probe_spin<<<1, 1>>>();
    cudaDeviceSynchronize();
    ASK(cudaEventRecord(e, first));
    ASK(cudaStreamWaitEvent(second, e, 0));
    probe_spin<<<1, 1, 0, first>>>();
    ASK(cudaEventRecord(e, first)); // later than the wait: does not hold it up
    ASK(cudaStreamSynchronize(second));
    ASK(cudaEventQuery(e));
    ASK(cudaEventSynchronize(e));
}

static void destroyed_while_pending()
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    probe_spin<<<1, 1>>>();
    ASK(cudaEventRecord(e));
    ASK(cudaEventDestroy(e));
    ASK(cudaStreamQuery(0));
    ASK(cudaDeviceSynchronize());
}

int main()
{
    CASE(unrecorded);
    CASE(pending);
    CASE(recorded_again);
    CASE(without_timing);
    CASE(flags);
    CASE(null_handles);
    CASE(order_two_streams);
    CASE(a_wait_means_the_record_before_it);
    CASE(destroyed_while_pending);
    return 0;
}
