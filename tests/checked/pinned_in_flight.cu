// SPDX-License-Identifier: MIT
/* A pinned buffer touched by the host, or freed, while a copy of it is queued; and how to do it right. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 256, BYTES = N * sizeof(float) };

static float *pinned()
{
    float *h;
    cudaMallocHost(&h, BYTES);
    for (int i = 0; i < N; i++)
        h[i] = 1;
    return h;
}

static void refill(cudaStream_t s, float *d1, float *d2, bool wait)
{
    float *h = pinned();
    cudaMemcpyAsync(d1, h, BYTES, cudaMemcpyHostToDevice, s); // first-copy
    if (wait)
        cudaStreamSynchronize(s);
    for (int i = 0; i < N; i++)
        h[i] = 2; // refill
    cudaMemcpyAsync(d2, h, BYTES, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    float got;
    cudaMemcpy(&got, d1, sizeof got, cudaMemcpyDeviceToHost);
    printf("d1 %g\n", got);
    cudaFreeHost(h);
}

static void by_event(cudaStream_t s, float *d1, float *d2)
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    float *h = pinned();
    cudaMemcpyAsync(d1, h, BYTES, cudaMemcpyHostToDevice, s);
    cudaEventRecord(e, s);
    cudaMemsetAsync(d2, 0, BYTES, s);
    cudaEventSynchronize(e);
    h[0] = 2;
    while (cudaStreamQuery(s) == cudaErrorNotReady)
        ;
    cudaEventDestroy(e);
    cudaFreeHost(h);
}

static void pageable(cudaStream_t s, float *d1, float *d2)
{
    float *h = (float *)malloc(BYTES), got[2];
    for (int i = 0; i < N; i++)
        h[i] = 1;
    cudaMemcpyAsync(d1, h, BYTES, cudaMemcpyHostToDevice, s);
    for (int i = 0; i < N; i++)
        h[i] = 2;
    cudaMemcpyAsync(d2, h, BYTES, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(&got[0], d1, sizeof *got, cudaMemcpyDeviceToHost);
    cudaMemcpy(&got[1], d2, sizeof *got, cudaMemcpyDeviceToHost);
    printf("d1 %g d2 %g\n", got[0], got[1]);
    free(h);
}

static void freed(cudaStream_t s, float *d1)
{
    float *h = pinned();
    cudaMemcpyAsync(d1, h, BYTES, cudaMemcpyHostToDevice, s); // copy-before-free
    cudaFreeHost(h);                                          // early-free
    cudaStreamSynchronize(s);
}

static void read_early(cudaStream_t s, float *d1, bool wait)
{
    float *h = pinned();
    cudaMemsetAsync(d1, 0, BYTES, s);
    cudaMemcpyAsync(h, d1, BYTES, cudaMemcpyDeviceToHost, s); // copy-back
    if (wait)
        cudaStreamSynchronize(s);
    printf("h %g\n", h[1]); // early-read
    cudaStreamSynchronize(s);
    cudaFreeHost(h);
}

/* A kernel writes pinned memory; nothing is known of that until it runs. */
static __global__ void fill(float *p)
{
    p[threadIdx.x] = 3; // store
}

static void mapped(cudaStream_t s, bool wait)
{
    float *h = pinned();
    fill<<<1, 32, 0, s>>>(h); // kernel
    if (wait)
        cudaStreamSynchronize(s);
    printf("h %g\n", h[1]); // mapped-read
    cudaStreamSynchronize(s);
    cudaFreeHost(h);
}

/* The same with memory of the program's own. */
static void registered(cudaStream_t s, float *d1, bool wait)
{
    static float h[N];
    cudaHostRegister(h, BYTES, 0);
    cudaMemcpyAsync(d1, h, BYTES, cudaMemcpyHostToDevice, s); // copy-of-registered
    if (wait)
        cudaStreamSynchronize(s);
    for (int i = 0; i < N; i++)
        h[i] = 2; // write-to-registered
    cudaStreamSynchronize(s);
    cudaHostUnregister(h);
}

__global__ void poll(volatile int *flag)
{
    for (int i = 0; i < 100 && !*flag; i++) // poll
        ;
}

/* The write before the launch is none of the mistakes. */
static void flag(float *d1)
{
    cudaStream_t s;
    int *h;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMallocHost(&h, sizeof *h);
    cudaMemset(d1, 0, BYTES);
    *h = 0;
    poll<<<1, 1, 0, s>>>(h);
    *h = 1; // late-flag
    cudaStreamSynchronize(s);
    cudaFreeHost(h);
    cudaStreamDestroy(s);
}

// run: flag
// finding: unordered host access @late-flag@ @poll@
// run: registered
// finding: unordered host access @write-to-registered@ @copy-of-registered@
// run: registered wait
// run: refill
// finding: unordered host access @refill@ @first-copy@
// expect: d1 2
// run: refill wait
// expect: d1 1
// run: event
// run: pageable
// expect: d1 1 d2 2
// run: freed
// finding: unordered free @early-free@ @copy-before-free@
// run: read
// finding: unordered host access @early-read@ @copy-back@
// run: read wait
// expect: h 0
// run: mapped
// finding: unordered host access @mapped-read@ @kernel@ @store@
// run: mapped wait
// expect: h 3
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool wait = argc > 2;
    cudaStream_t s;
    float *d1, *d2;
    cudaStreamCreate(&s);
    cudaMalloc(&d1, BYTES);
    cudaMalloc(&d2, BYTES);
    if (!strcmp(what, "refill"))
        refill(s, d1, d2, wait);
    if (!strcmp(what, "event"))
        by_event(s, d1, d2);
    if (!strcmp(what, "pageable"))
        pageable(s, d1, d2);
    if (!strcmp(what, "freed"))
        freed(s, d1);
    if (!strcmp(what, "read"))
        read_early(s, d1, wait);
    for (int i = 0; i < 2 && !strcmp(what, "flag"); i++)
        flag(d1);
    if (!strcmp(what, "registered"))
        registered(s, d1, wait);
    if (!strcmp(what, "mapped"))
        mapped(s, wait);
    cudaFree(d1);
    cudaFree(d2);
    cudaStreamDestroy(s);
}
