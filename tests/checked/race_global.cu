// SPDX-License-Identifier: MIT
// Races in global memory inside one launch, between threads of a block and between blocks.
//
// run: increment
// finding: global memory race @plus@ @cells@
// run: between-blocks
// finding: global memory race @element@ @cells@
// run: same-value
// expect: first 7
// run: in-place
// finding: global memory race @in-place@ @cells@
// run: neighbour
// finding: global memory race @put@ @get@ @cells@
// run: neighbour-fresh
// finding: global memory race @put@ @get@ @fresh@
// run: neighbour-barrier
// expect: first 1
// run: last-block
// expect: first 2016
// run: last-block-each-fences
// expect: first 2016
// run: last-block-unfenced
// finding: global memory race @partial@ @summed@ @cells@
// run: double-add
// expect: first 64
// run: read-after-atomic
// finding: global memory race @bumped@ @read@ @cells@
// run: grid-sync
// expect: first 63
// run: no-grid-sync
// finding: global memory race @mine@ @theirs@ @cells@
// run: bytes
// expect: first 50462976
// run: read-only
// expect: first 128
// run: own
// expect: first 3
// run: ping-pong
// expect: first 6
// run: lock
// expect: first 64
// run: lock-unfenced
// finding: global memory race @guarded@ @cells@
// run: atomic-mixed
// finding: global memory race @plain-store@ @bumped-too@ @cells@
// run: device-variable
// finding: global memory race @variable@
// expect: hits
// run: managed
// finding: global memory race @plus@ @managed@
// run: pinned
// finding: global memory race @plus@ @pinned@
// run: overlap
// finding: global memory race @wide@ @narrow@ @cells@
// run: two-launches
// expect: first 2
// run: check-then-set
// finding: global memory race @lowest@ @lowest-read@ @cells@
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

__device__ int hits;
__device__ unsigned arrived;

__global__ void increment(int *p)
{
    *p = *p + 1; // plus
}

__global__ void element(int *p)
{
    if (threadIdx.x == 0)
        p[3] = blockIdx.x; // element
}

__global__ void same_value(int *p)
{
    p[0] = 7;
}

__global__ void smooth_in_place(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0)
        p[i] = p[i - 1] + 1; // in-place
}

template <bool barrier>
__global__ void exchange(int *p)
{
    p[threadIdx.x] = threadIdx.x; // put
    if (barrier)
        __syncthreads();
    int other = p[(threadIdx.x + 1) % blockDim.x]; // get
    __syncthreads();
    p[threadIdx.x] = other;
}

enum fencing { NONE, ONE, EACH };

template <fencing fence>
__global__ void last_block(int *p)
{
    __shared__ bool last;
    p[64 + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x; // partial
    if (fence == EACH)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fence == ONE)
            __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < (int)(gridDim.x * blockDim.x); i++)
            sum += ((volatile int *)p)[64 + i]; // summed
        p[0] = sum;
        arrived = 0;
    }
}

__device__ double add_double(double *address, double value)
{
    unsigned long long *word = (unsigned long long *)address, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sum_double(double *sum)
{
    add_double(sum, 1.0);
}

__global__ void to_int(int *p, const double *sum)
{
    *p = (int)*sum;
}

__global__ void read_after_atomic(int *p)
{
    atomicAdd(&p[0], 1); // bumped
    p[1 + blockIdx.x * blockDim.x + threadIdx.x] = p[0]; // read
}

template <bool sync>
__global__ void mirror(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    p[i] = i; // mine
    if (sync)
        cg::this_grid().sync();
    p[n + i] = p[n - 1 - i]; // theirs
}

__global__ void bytes(char *p)
{
    p[threadIdx.x] = threadIdx.x;
}

__global__ void read_only(int *p)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += p[i] + p[63 - i];
    p[64 + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void first_of(int *p, int i)
{
    p[0] = p[i];
}

__global__ void own(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = 1;
    p[i] += 1;
    __syncthreads();
    p[i]++;
}

__global__ void step(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[(i + 1) % n] + 1;
}

template <bool fence>
__global__ void locked(int *p)
{
    bool done = false;
    while (!done)
        if (atomicCAS(&p[1], 0, 1) == 0) {
            if (fence)
                __threadfence();
            p[0] = p[0] + 1; // guarded
            if (fence)
                __threadfence();
            atomicExch(&p[1], 0);
            done = true;
        }
}

__global__ void mixed(int *p)
{
    if (threadIdx.x == 5)
        p[0] = 0; // plain-store
    atomicAdd(&p[0], 1); // bumped-too
}

__global__ void bump_variable()
{
    hits = hits + 1; // variable
}

__global__ void overlap(char *p)
{
    if (threadIdx.x == 0)
        *(int *)p = 5; // wide
    if (threadIdx.x == 40)
        p[2] = 1; // narrow
}

__global__ void lowest(int *p)
{
    int mine = 100 - threadIdx.x;
    if (mine > p[0]) // lowest-read
        p[0] = mine; // lowest
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "own";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *d, *managed, *pinned, first = 0, n = 64;
    double *sum;
    cudaMalloc(&d, 1024); // cells
    cudaMallocManaged(&managed, 64); // managed
    cudaMallocHost(&pinned, 64); // pinned
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(d, 0, 1024);
    cudaMemset(sum, 0, sizeof(double));
    pinned[0] = managed[0] = 0;
    void *arguments[] = {&d};
    if (is("increment"))
        increment<<<1, 64>>>(d);
    else if (is("between-blocks"))
        element<<<4, 32>>>(d);
    else if (is("same-value"))
        same_value<<<4, 32>>>(d);
    else if (is("in-place"))
        smooth_in_place<<<2, 32>>>(d);
    else if (is("neighbour"))
        exchange<false><<<1, 64>>>(d);
    else if (is("neighbour-fresh")) {
        int *fresh;
        cudaMalloc(&fresh, 256); // fresh
        exchange<false><<<1, 64>>>(fresh);
        cudaFree(fresh);
    } else if (is("neighbour-barrier"))
        exchange<true><<<1, 64>>>(d);
    else if (is("last-block"))
        last_block<ONE><<<4, 16>>>(d);
    else if (is("last-block-each-fences"))
        last_block<EACH><<<4, 16>>>(d);
    else if (is("last-block-unfenced"))
        last_block<NONE><<<4, 16>>>(d);
    else if (is("double-add")) {
        sum_double<<<2, 32>>>(sum);
        to_int<<<1, 1>>>(d, sum);
    } else if (is("read-after-atomic"))
        read_after_atomic<<<2, 32>>>(d);
    else if (is("grid-sync")) {
        cudaLaunchCooperativeKernel(mirror<true>, 4, 16, arguments);
        first_of<<<1, 1>>>(d, 64);
    } else if (is("no-grid-sync"))
        mirror<false><<<4, 16>>>(d);
    else if (is("bytes"))
        bytes<<<1, 64>>>((char *)d);
    else if (is("read-only")) {
        cudaMemset(d, 0, 1024);
        step<<<1, 64>>>(d, d + 64, 64);
        read_only<<<2, 32>>>(d);
        first_of<<<1, 1>>>(d, 64);
    } else if (is("own"))
        own<<<2, 32>>>(d);
    else if (is("ping-pong"))
        for (int i = 0; i < 6; i++)
            step<<<2, 32>>>(i % 2 ? d : d + 64, i % 2 ? d + 64 : d, n);
    else if (is("lock"))
        locked<true><<<64, 1>>>(d);
    else if (is("lock-unfenced"))
        locked<false><<<64, 1>>>(d);
    else if (is("atomic-mixed"))
        mixed<<<1, 64>>>(d);
    else if (is("device-variable"))
        bump_variable<<<1, 64>>>();
    else if (is("managed"))
        increment<<<1, 64>>>(managed);
    else if (is("pinned"))
        increment<<<1, 64>>>(pinned);
    else if (is("overlap"))
        overlap<<<1, 64>>>((char *)d);
    else if (is("two-launches")) {
        increment<<<1, 1>>>(d);
        increment<<<1, 1>>>(d);
    } else if (is("check-then-set"))
        lowest<<<1, 64>>>(d);
    cudaMemcpy(&first, d, sizeof first, cudaMemcpyDeviceToHost);
    printf("first %d\n", first);
    cudaFree(d);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaFree(sum);
    return 0;
}
