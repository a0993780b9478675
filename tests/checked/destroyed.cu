// SPDX-License-Identifier: MIT
/* Streams, events and textures that are destroyed while something needs them still, or does not. */
#include <cstdio>
#include <cstring>

enum { N = 64 };

static __global__ void fetch(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x); // fetched
}

static __global__ void put(float *p)
{
    p[threadIdx.x] = 1;
}

static cudaStream_t s, s2;
static float *in, *out;

static cudaTextureObject_t texture_of(float *p)
{
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = N * sizeof *p;
    cudaCreateTextureObject(&t, &r, &how, NULL);
    return t;
}

// run: texture
// finding: destroyed in use @destroy@ @fetches@
// run: texture wait
static void texture(bool wait)
{
    cudaTextureObject_t t = texture_of(in);
    fetch<<<1, N, 0, s>>>(t, out); // fetches
    if (wait)
        cudaStreamSynchronize(s);
    cudaDestroyTextureObject(t); // destroy
    cudaDeviceSynchronize();
}

/* What a texture reads is memory like any other. */
// run: texture-race
// finding: unordered work @fetched@ @reads@ @fill@
// run: texture-race event
static void texture_race(bool event)
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaTextureObject_t t = texture_of(in);
    cudaMemsetAsync(in, 0, N * sizeof *in, s2); // fill
    if (event) {
        cudaEventRecord(e, s2);
        cudaStreamWaitEvent(s, e, 0);
    }
    fetch<<<1, N, 0, s>>>(t, out); // reads
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaEventDestroy(e);
}

/* The work that is queued in a stream still runs; the handle is gone. */
// run: stream
// run: stream-used
// finding: stream @launch-in-none@
// exit: any
static void stream(bool use)
{
    cudaStream_t gone;
    cudaStreamCreate(&gone);
    put<<<1, N, 0, gone>>>(out);
    cudaStreamDestroy(gone);
    if (use)
        put<<<1, N, 0, gone>>>(out); // launch-in-none
    cudaGetLastError();
    cudaDeviceSynchronize();
}

// run: event
// run: event-used
// finding: event @wait-for-none@
// exit: any
static void event(bool use)
{
    cudaEvent_t gone;
    cudaEventCreate(&gone);
    put<<<1, N, 0, s>>>(out);
    cudaEventRecord(gone, s);
    cudaStreamWaitEvent(s2, gone, 0);
    cudaEventDestroy(gone); /* what waits for it waits still */
    put<<<1, N, 0, s2>>>(out);
    if (use)
        cudaStreamWaitEvent(s2, gone, 0); // wait-for-none
    cudaGetLastError();
    cudaDeviceSynchronize();
}

/* Nothing waits for it before the program ends; it is looked at all the same. */
// run: at-exit
// finding: unordered host access @reads-at-exit@ @launched-at-exit@
// finding: leak
// finding: leak
// finding: leak
static void at_exit()
{
    float *h;
    cudaMallocHost(&h, N * sizeof *h);
    memset(h, 0, N * sizeof *h);
    put<<<1, N, 0, s>>>(h); // launched-at-exit
    printf("%g\n", h[0]);   // reads-at-exit
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool more = argc > 2;
    cudaStreamCreate(&s);
    cudaStreamCreate(&s2);
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(in, 0, N * sizeof *in);
    cudaDeviceSynchronize();
    if (!strcmp(what, "texture"))
        texture(more);
    if (!strcmp(what, "texture-race"))
        texture_race(more);
    if (!strncmp(what, "stream", 6))
        stream(what[6]);
    if (!strncmp(what, "event", 5))
        event(what[5]);
    if (!strcmp(what, "at-exit")) {
        at_exit();
        return 0;
    }
    cudaFree(in);
    cudaFree(out);
    cudaStreamDestroy(s);
    cudaStreamDestroy(s2);
}
