// SPDX-License-Identifier: MIT
// Memory of a pool that goes from stream to stream: what the pool orders itself, and what it does not.
//
// run: event
// expect: reused 1, read 7
// run: internal
// expect: reused 1, read 7
// run: ran
// expect: reused 1, read 7
// run: none
// expect: reused 0, read 7
// run: none-ran
// expect: reused 1, read 7
// run: none-synchronised
// expect: reused 1, read 7
// run: late
// finding: unordered work @later@ @writes@
// finding: unordered work @reads@ @later@
// finding: unordered free @free@
// run: stale
// finding: use after free @member@ @second@ @free@
// run: unwritten
// finding: unwritten @reads@
// run: destroyed
// expect: 7 in a pool that is gone
// run: destroyed-leak
// finding: leak @second@
#include <stdio.h>
#include <string.h>

__global__ void write(int *p, int value)
{
    p[threadIdx.x] = value; // writes
}

__global__ void write_later(int *p)
{
    p[threadIdx.x] = 3; // later
}

__global__ void read(const int *p, int *out)
{
    atomicMax(out, p[threadIdx.x]); // reads
}

static volatile int reached;

static void reach(void *)
{
    reached = 1;
}

struct view {
    int *data;
};

__global__ void write_view(view v)
{
    v.data[threadIdx.x] = 4; // member
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "event";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    const size_t bytes = 32 << 20;
    unsigned long long all = ~0ull;
    bool none = !strncmp(which, "none", 4);
    int internal = is("internal"), opportunistic = is("ran"), events = !internal && !opportunistic && !none;
    int *p, *q, *out, h = 0;
    cudaMemPoolProps props = {};
    cudaMemPool_t pool;
    cudaStream_t a, b;
    cudaEvent_t freed;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = internal ? bytes : 0; // it would rather grow
    cudaMemPoolCreate(&pool, &props);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &events);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&freed, cudaEventDisableTiming);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    cudaDeviceSynchronize();

    cudaMallocFromPoolAsync(&p, bytes, pool, a);
    write<<<1, 32, 0, a>>>(p, 5);
    cudaFreeAsync(p, a);
    cudaEventRecord(freed, a);
    if (is("ran") || is("none-ran")) {
        cudaLaunchHostFunc(a, reach, NULL);
        while (!reached)
            continue;
    } else if (is("none-synchronised"))
        cudaStreamSynchronize(a);
    else if (!is("internal"))
        cudaStreamWaitEvent(b, freed, 0);
    cudaMallocFromPoolAsync(&q, bytes, pool, b); // second
    if (!is("unwritten"))
        write<<<1, 32, 0, b>>>(q, 7);
    if (is("late"))
        write_later<<<1, 32, 0, a>>>(q); // nothing lets it wait for b
    if (is("destroyed") || is("destroyed-leak"))
        cudaMemPoolDestroy(pool);
    read<<<1, 32, 0, b>>>(q, out);
    if (!is("destroyed-leak"))
        cudaFreeAsync(q, b); // free
    if (is("stale"))
        write_view<<<1, 32, 0, b>>>(view{q});
    if (cudaDeviceSynchronize())
        return 1;
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    if (is("destroyed"))
        printf("%d in a pool that is gone\n", h);
    else
        printf("reused %d, read %d\n", p == q, h);
    cudaFree(out);
    cudaEventDestroy(freed);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    if (!is("destroyed") && !is("destroyed-leak"))
        cudaMemPoolDestroy(pool);
    return 0;
}
