// SPDX-License-Identifier: MIT
/* Frees that nothing orders after the work on the block, and those that are right. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 64, BYTES = N * sizeof(int) };

static __global__ void put(int *p)
{
    p[threadIdx.x] = (int)threadIdx.x; // store
}

static __global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

static cudaStream_t s1, s2;
static cudaEvent_t e;

// run: other-stream
// finding: unordered free @free-in-s2@ @kernel-in-s1@
// run: other-stream event
static void other_stream(bool event)
{
    int *p;
    cudaMallocAsync(&p, BYTES, s1);
    put<<<1, N, 0, s1>>>(p); // kernel-in-s1
    if (event) {
        cudaEventRecord(e, s1);
        cudaStreamWaitEvent(s2, e, 0);
    }
    cudaFreeAsync(p, s2); // free-in-s2
    cudaDeviceSynchronize();
}

/* The wait orders only what comes after it. */
// run: late-event
// finding: unordered free @too-early@ @used-until@
static void late_event()
{
    int *p;
    cudaMallocAsync(&p, BYTES, s1);
    put<<<1, N, 0, s1>>>(p); // used-until
    cudaEventRecord(e, s1);
    cudaFreeAsync(p, s2); // too-early
    cudaStreamWaitEvent(s2, e, 0);
    cudaDeviceSynchronize();
}

// run: pool-block
// finding: unordered free @plain-free@ @kernel-on-pool@
// run: pool-block wait
static void pool_block(bool wait)
{
    int *p;
    cudaMallocAsync(&p, BYTES, s1);
    put<<<1, N, 0, s1>>>(p); // kernel-on-pool
    if (wait)
        cudaStreamSynchronize(s1);
    cudaFree(p); // plain-free
}

/* Right today, and told once. */
// run: plain
// exit: 0
// expect: note: cudaFree while a kernel may be using the block
// expect: at      @frees-plain@
// expect-not: [sim] and
// expect: sum 2016
// run: plain wait
// expect: sum 2016
static void plain(bool wait)
{
    int *result, *p, h[N], sum = 0;
    cudaMalloc(&result, BYTES);
    for (int i = 0; i < 2; i++) {
        cudaMalloc(&p, BYTES);
        put<<<1, N>>>(p);
        copy<<<1, N>>>(result, p);
        if (wait)
            cudaDeviceSynchronize();
        cudaFree(p); // frees-plain
    }
    cudaMemcpy(h, result, BYTES, cudaMemcpyDeviceToHost);
    for (int value : h)
        sum += value;
    printf("sum %d\n", sum);
    cudaFree(result);
}

/* cudaMalloc's block, freed in another stream's order. */
// run: plain-async
// finding: unordered free @async-of-plain@ @uses-plain@
// run: plain-async event
static void plain_async(bool event)
{
    int *p;
    cudaMalloc(&p, BYTES);
    put<<<1, N, 0, s1>>>(p); // uses-plain
    if (event) {
        cudaEventRecord(e, s1);
        cudaStreamWaitEvent(s2, e, 0);
    }
    cudaFreeAsync(p, s2); // async-of-plain
    cudaDeviceSynchronize();
}

/* A copy out of the block. */
// run: copied
// finding: unordered free @free-of-source@ @copy-out@
static void copied()
{
    int *p, *h;
    cudaMallocHost(&h, BYTES);
    cudaMallocAsync(&p, BYTES, s1);
    put<<<1, N, 0, s1>>>(p);
    cudaMemcpyAsync(h, p, BYTES, cudaMemcpyDeviceToHost, s1); // copy-out
    cudaFreeAsync(p, s2);                                     // free-of-source
    cudaDeviceSynchronize();
    cudaFreeHost(h);
}

/* Blocks that go round: freed in one stream, given out in another by the pool, which orders that itself. */
// run: reuse
static void reuse()
{
    for (int i = 0; i < 200; i++) {
        cudaStream_t s = i % 2 ? s1 : s2;
        int *p, *q;
        cudaMallocAsync(&p, BYTES, s);
        put<<<1, N, 0, s>>>(p);
        cudaFreeAsync(p, s);
        cudaMallocAsync(&q, BYTES, s);
        put<<<1, N, 0, s>>>(q);
        cudaFreeAsync(q, s);
    }
    cudaDeviceSynchronize();
}

/* Made in one stream, used in another. */
// run: made-elsewhere
// finding: unordered work @store@ @use-elsewhere@ @make@
// run: made-elsewhere event
static void made_elsewhere(bool event)
{
    int *p;
    cudaMallocAsync(&p, BYTES, s1); // make
    if (event) {
        cudaEventRecord(e, s1);
        cudaStreamWaitEvent(s2, e, 0);
    }
    put<<<1, N, 0, s2>>>(p); // use-elsewhere
    cudaFreeAsync(p, s2);
    cudaDeviceSynchronize();
}

/* Used after the free was queued, though in another stream. */
// run: after-free
// finding: argument @use-after@ @freed-before@
// exit: any
static void after_free()
{
    int *p;
    cudaMallocAsync(&p, BYTES, s1);
    cudaFreeAsync(p, s1);    // freed-before
    put<<<1, N, 0, s2>>>(p); // use-after
    cudaDeviceSynchronize();
}

/* Host memory that was registered. */
// run: registered
// finding: unordered free @unregister@ @copies-registered@
// run: registered wait
static void registered(bool wait)
{
    int *p, *h = (int *)aligned_alloc(4096, 4096);
    memset(h, 0, 4096);
    cudaMalloc(&p, BYTES);
    cudaHostRegister(h, 4096, 0);
    cudaMemcpyAsync(p, h, BYTES, cudaMemcpyHostToDevice, s1); // copies-registered
    if (wait)
        cudaStreamSynchronize(s1);
    cudaHostUnregister(h); // unregister
    cudaStreamSynchronize(s1);
    cudaFree(p);
    free(h);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool more = argc > 2;
    cudaStreamCreate(&s1);
    cudaStreamCreate(&s2);
    cudaEventCreate(&e);
    if (!strcmp(what, "other-stream"))
        other_stream(more);
    if (!strcmp(what, "late-event"))
        late_event();
    if (!strcmp(what, "pool-block"))
        pool_block(more);
    if (!strcmp(what, "plain"))
        plain(more);
    if (!strcmp(what, "plain-async"))
        plain_async(more);
    if (!strcmp(what, "copied"))
        copied();
    if (!strcmp(what, "reuse"))
        reuse();
    if (!strcmp(what, "made-elsewhere"))
        made_elsewhere(more);
    if (!strcmp(what, "after-free"))
        after_free();
    if (!strcmp(what, "registered"))
        registered(more);
    cudaEventDestroy(e);
    cudaStreamDestroy(s1);
    cudaStreamDestroy(s2);
}
