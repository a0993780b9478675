// SPDX-License-Identifier: MIT
/* Work in several streams on the same memory, with and without what orders it. */
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

static cudaStream_t s1, s2, apart;
static int *a, *b, *h;
static cudaEvent_t e;

// run: copy
// finding: unordered work @copy-reads@ @kernel@
static void copy(bool event)
{
    put<<<1, N, 0, s1>>>(a, 1); // kernel
    if (event) {
        cudaEventRecord(e, s1);
        cudaStreamWaitEvent(s2, e, 0);
    }
    cudaMemcpyAsync(h, a, BYTES, cudaMemcpyDeviceToHost, s2); // copy-reads
    cudaDeviceSynchronize();
}

// run: kernels
// finding: unordered work @load@ @store@ @first@ @second@
static void kernels(bool event)
{
    put<<<1, N, 0, s1>>>(a, 1); // first
    if (event) {
        cudaEventRecord(e, s1);
        cudaEventSynchronize(e); /* and so it has ended when it is waited for */
        cudaStreamWaitEvent(s2, e, 0);
    }
    get<<<1, N, 0, s2>>>(a, b); // second
    cudaDeviceSynchronize();
}

/* An event recorded before the work orders nothing. */
// run: early
// finding: unordered work @load@ @store@ @early@ @late@
static void early()
{
    cudaEventRecord(e, s1);
    put<<<1, N, 0, s1>>>(a, 1); // early
    cudaStreamWaitEvent(s2, e, 0);
    get<<<1, N, 0, s2>>>(a, b); // late
    cudaDeviceSynchronize();
}

/* The second use overwrites what the first may still read. */
// run: overwrite
// finding: unordered work @store@ @load@ @reader@ @writer@
static void overwrite()
{
    cudaMemset(a, 0, BYTES);
    cudaDeviceSynchronize();
    get<<<1, N, 0, s1>>>(a, b); // reader
    put<<<1, N, 0, s2>>>(a, 2); // writer
    cudaDeviceSynchronize();
}

/* Waiting for an event in the host orders only what is queued afterwards. */
// run: done
static void done()
{
    put<<<1, N, 0, s1>>>(a, 1);
    cudaEventRecord(e, s1);
    cudaStreamSynchronize(s1);
    cudaStreamWaitEvent(s2, e, 0); /* of an event that has happened */
    get<<<1, N, 0, s2>>>(a, b);
    cudaDeviceSynchronize();
}

// run: legacy
// finding: unordered work @load@ @store@ @in-default@ @in-apart@
// expect: cudaStreamNonBlocking
static void legacy()
{
    put<<<1, N>>>(a, 1);           // in-default
    get<<<1, N, 0, apart>>>(a, b); // in-apart
    cudaDeviceSynchronize();
}

// run: memset
// finding: unordered work @load@ @cleared@ @reads-cleared@
static void set()
{
    cudaMemset(a, 0, BYTES);       // cleared
    get<<<1, N, 0, apart>>>(a, b); // reads-cleared
    cudaDeviceSynchronize();
}

/* cudaMemcpy from pageable memory returns when the data is staged. */
// run: pageable
// finding: unordered work @load@ @staged@ @reads-staged@
// expect: pageable
static void pageable()
{
    int *p = (int *)calloc(1, BYTES);
    cudaMemcpy(a, p, BYTES, cudaMemcpyHostToDevice); // staged
    get<<<1, N, 0, apart>>>(a, b);                   // reads-staged
    cudaDeviceSynchronize();
    free(p);
}

// run: pinned
static void pinned()
{
    memset(h, 0, BYTES);
    cudaMemcpy(a, h, BYTES, cudaMemcpyHostToDevice);
    get<<<1, N, 0, apart>>>(a, b);
    cudaMemcpyAsync(h, b, BYTES, cudaMemcpyDeviceToHost, apart);
    cudaStreamSynchronize(apart);
    printf("%d\n", h[0]);
}

/* Blocking streams and the default stream wait for each other, both ways. */
// run: blocking
static void blocking()
{
    put<<<1, N>>>(a, 1);
    get<<<1, N, 0, s1>>>(a, b);
    put<<<1, N>>>(a, 2);
    get<<<1, N, 0, s2>>>(a, b);
    cudaMemcpy(h, b, BYTES, cudaMemcpyDeviceToHost);
    cudaStreamSynchronize(0);
    printf("%d\n", h[0]);
}

/* The default stream as a bridge between two others. */
// run: bridge
static void bridge()
{
    put<<<1, N, 0, s1>>>(a, 1);
    cudaMemsetAsync(b, 0, BYTES, 0);
    get<<<1, N, 0, s2>>>(a, b);
    cudaStreamSynchronize(s2);
    cudaStreamSynchronize(0);
}

// run: per-thread
static void per_thread()
{
    put<<<1, N, 0, cudaStreamPerThread>>>(a, 1);
    get<<<1, N, 0, cudaStreamPerThread>>>(a, b);
    cudaMemcpyAsync(h, b, BYTES, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
    printf("%d\n", h[0]);
}

// run: per-thread-trap
// finding: unordered work @load@ @store@ @of-thread@ @of-other@
static void per_thread_trap()
{
    put<<<1, N, 0, cudaStreamPerThread>>>(a, 1); // of-thread
    get<<<1, N, 0, s1>>>(a, b);                  // of-other
    cudaDeviceSynchronize();
}

/* Two buffers, two streams, events both ways; many rounds, so that what is known grows old. */
// run: pipeline
static void pipeline()
{
    int *d[2], *host[2];
    cudaEvent_t filled[2], used[2];
    cudaMemset(b, 0, BYTES);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) {
        cudaMalloc(&d[i], BYTES);
        cudaMallocHost(&host[i], BYTES);
        cudaEventCreateWithFlags(&filled[i], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&used[i], cudaEventDisableTiming);
    }
    for (int round = 0; round < 2000; round++) {
        int i = round % 2;
        cudaEventSynchronize(filled[i]); /* the host's buffer is free again */
        for (int k = 0; k < N; k++)
            host[i][k] = round;
        cudaStreamWaitEvent(s1, used[i], 0);
        cudaMemcpyAsync(d[i], host[i], BYTES, cudaMemcpyHostToDevice, s1);
        cudaEventRecord(filled[i], s1);
        cudaStreamWaitEvent(s2, filled[i], 0);
        get<<<1, N, 0, s2>>>(d[i], b);
        cudaEventRecord(used[i], s2);
    }
    cudaMemcpyAsync(h, b, BYTES, cudaMemcpyDeviceToHost, s2);
    cudaStreamSynchronize(s2);
    printf("%d\n", h[0]);
    for (int i = 0; i < 2; i++) {
        cudaFree(d[i]);
        cudaFreeHost(host[i]);
        cudaEventDestroy(filled[i]);
        cudaEventDestroy(used[i]);
    }
}

/* The same without the event that says "used". */
// run: pipeline-unordered
// finding: unordered work @refilled@ @load@ @uses@
static void pipeline_unordered()
{
    cudaMemset(a, 0, BYTES);
    cudaMemset(b, 0, BYTES);
    memset(h, 0, BYTES);
    cudaDeviceSynchronize();
    for (int round = 0; round < 3; round++) {
        cudaMemcpyAsync(a, h, BYTES, cudaMemcpyHostToDevice, s1); // refilled
        cudaEventRecord(e, s1);
        cudaStreamWaitEvent(s2, e, 0);
        get<<<1, N, 0, s2>>>(a, b); // uses
    }
    cudaDeviceSynchronize();
}

/* A host function belongs to its stream, and what it tells the host is known. */
static void sum(void *)
{
    int total = 0;
    for (int i = 0; i < N; i++)
        total += h[i]; // sums
    h[0] = total; // callback
}

// run: callback
static void callback()
{
    cudaMemset(a, 1, BYTES);
    cudaMemcpyAsync(h, a, BYTES, cudaMemcpyDeviceToHost, s1);
    cudaLaunchHostFunc(s1, sum, NULL);
    cudaMemcpyAsync(a, h, BYTES, cudaMemcpyHostToDevice, s1);
    cudaStreamSynchronize(s1);
    printf("%d\n", h[0]);
}

// run: callback-elsewhere
// finding: unordered work @sums@ @callback-copy@ @function@
// finding: unordered work @callback@ @callback-copy@ @function@
static void callback_elsewhere()
{
    cudaMemset(a, 1, BYTES);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(h, a, BYTES, cudaMemcpyDeviceToHost, s1); // callback-copy
    cudaLaunchHostFunc(s2, sum, NULL);                        // function
    cudaDeviceSynchronize();
}

/* Streams made and destroyed with work in them; events that outlive their stream. */
// run: many
static void many()
{
    for (int i = 0; i < 300; i++) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        put<<<1, N, 0, s>>>(a, i);
        cudaEventRecord(e, s);
        cudaStreamDestroy(s);
        cudaStreamWaitEvent(s1, e, 0);
        get<<<1, N, 0, s1>>>(a, b);
        cudaEventRecord(e, s1);
        cudaEventSynchronize(e);
    }
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool event = argc > 2;
    cudaStreamCreate(&s1);
    cudaStreamCreate(&s2);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMallocHost(&h, BYTES);
    if (!strcmp(what, "copy"))
        copy(event);
    if (!strcmp(what, "kernels"))
        kernels(event);
    static const struct {
        const char *name;
        void (*run)();
    } runs[] = {{"early", early},
                {"overwrite", overwrite},
                {"done", done},
                {"legacy", legacy},
                {"memset", set},
                {"pageable", pageable},
                {"pinned", pinned},
                {"blocking", blocking},
                {"bridge", bridge},
                {"per-thread", per_thread},
                {"per-thread-trap", per_thread_trap},
                {"pipeline", pipeline},
                {"pipeline-unordered", pipeline_unordered},
                {"callback", callback},
                {"callback-elsewhere", callback_elsewhere},
                {"many", many}};
    for (auto &r : runs)
        if (!strcmp(what, r.name))
            r.run();
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(h);
    cudaEventDestroy(e);
    cudaStreamDestroy(s1);
    cudaStreamDestroy(s2);
    cudaStreamDestroy(apart);
}

// run: copy event
// run: kernels event
