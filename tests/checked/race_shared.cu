// SPDX-License-Identifier: MIT
// Races in shared memory: the two lines, in every order and seed. And what is no race.
//
// run: neighbour
// finding: shared memory race @written@ @next@
// expect: shared
// run: neighbour-fresh
// finding: shared memory race @written@ @next@
// run: left-neighbour-fresh
// finding: shared memory race @written@ @next@
// run: same-line
// finding: shared memory race @shift@
// run: no-second-barrier
// finding: shared memory race @refill@ @use@
// run: no-first-barrier
// finding: shared memory race @fill-reversed@ @read-reversed@
// run: old-warp-sum
// finding: shared memory race @fold@
// run: warp-sum
// expect: sum 496
// run: shuffle
// expect: sum 496
// run: tile
// expect: sum 496
// run: half-tile
// finding: shared memory race @half-write@ @half-read@
// run: histogram
// expect: sum 64
// run: plain-histogram
// finding: shared memory race @plus@
// run: read-after-atomic
// finding: shared memory race @counted@ @looked@
// run: read-after-barrier
// expect: sum 4096
// run: flag
// finding: shared memory race @flag-write@ @flag-read@
// run: same-value
// expect: sum 64
// run: bytes
// expect: sum 2016
// run: shorts
// expect: sum 2016
// run: reduction
// expect: sum 2016
// run: reduction-late-barrier
// finding: shared memory race @halves@
// run: one-thread
// finding: shared memory race @alone@ @others@
// run: wrong-mask
// finding: shared memory race @masked-write@ @masked-read@
// run: tree-in-warp
// finding: shared memory race @tail-fold@
// run: count
// expect: sum 64
// run: dynamic
// finding: shared memory race @dyn-write@ @dyn-read@
// run: between-blocks
// expect: sum 64
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

template <bool fresh, int STEP>
__global__ void neighbour(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    if (!fresh) {
        cell[t] = 0;
        __syncthreads();
    }
    cell[t] = t; // written
    out[t] = cell[(t + STEP) % 64]; // next
}

__global__ void shift(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = t;
    __syncthreads();
    cell[t] = cell[(t + 1) % 64]; // shift
    __syncthreads();
    out[t] = cell[t];
}

__global__ void refill(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x, sum = 0;
    for (int round = 0; round < 3; round++) {
        cell[t] = t + round; // refill
        __syncthreads();
        sum += cell[63 - t]; // use
    }
    out[t] = sum;
}

__global__ void reversed(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    cell[63 - t] = t; // fill-reversed
    int mine = cell[t]; // read-reversed
    __syncthreads();
    out[t] = mine;
}

template <bool synchronised>
__global__ void warp_sum(int *out)
{
    __shared__ volatile int cell[32];
    int t = threadIdx.x;
    cell[t] = t;
    if (synchronised)
        __syncwarp();
    else
        __syncthreads();
    for (int half = 16; half; half /= 2) {
        if (synchronised) {
            int other = t < half ? cell[t + half] : 0;
            __syncwarp();
            if (t < half)
                cell[t] = cell[t] + other;
            __syncwarp();
        } else if (t < half)
            cell[t] = cell[t] + cell[t + half]; // fold
    }
    if (t == 0)
        out[0] = cell[0];
    else
        out[t] = 0;
}

__global__ void shuffle_sum(int *out)
{
    int value = threadIdx.x;
    for (int half = 16; half; half /= 2)
        value += __shfl_down_sync(~0u, value, half);
    out[threadIdx.x] = threadIdx.x ? 0 : value;
}

template <int SIZE>
__global__ void tile_exchange(int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    cell[t] = 0;
    __syncthreads();
    cell[t] = t; // half-write
    tile.sync();
    out[t] = cell[t ^ 8]; // half-read
}

template <bool atomic>
__global__ void histogram(int *out)
{
    __shared__ int bins[4];
    if (threadIdx.x < 4)
        bins[threadIdx.x] = 0;
    __syncthreads();
    if (atomic)
        atomicAdd(&bins[threadIdx.x % 4], 1);
    else
        bins[threadIdx.x % 4]++; // plus
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < 4 ? bins[threadIdx.x] : 0;
}

template <bool barrier>
__global__ void total(int *out)
{
    __shared__ int hits;
    if (threadIdx.x == 0)
        hits = 0;
    __syncthreads();
    atomicAdd(&hits, 1); // counted
    if (barrier)
        __syncthreads();
    out[threadIdx.x] = hits; // looked
}

__global__ void flag(int *out)
{
    __shared__ bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    if (threadIdx.x == 33)
        found = true; // flag-write
    out[threadIdx.x] = found; // flag-read
}

__global__ void same_value(int *out)
{
    __shared__ int any;
    any = 0;
    __syncthreads();
    if (threadIdx.x % 3 == 0)
        any = 1;
    __syncthreads();
    out[threadIdx.x] = any;
}

template <class T>
__global__ void small(int *out)
{
    __shared__ T cell[64];
    cell[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cell[63 - threadIdx.x];
}

template <bool late>
__global__ void reduction(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = t;
    if (late)
        __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (!late)
            __syncthreads();
        if (t < half)
            cell[t] += cell[t + half]; // halves
        if (late && half == 32)
            __syncthreads();
    }
    out[t] = t ? 0 : cell[0];
}

__global__ void one_thread(int *out)
{
    __shared__ int total, cell[64];
    cell[threadIdx.x] = 1;
    total = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int x : cell)
            sum += x;
        total = sum; // alone
    }
    out[threadIdx.x] = total; // others
}

__global__ void wrong_mask(int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    cell[t] = t; // masked-write
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    out[t] = cell[31 - t]; // masked-read
}

__global__ void tree_in_warp(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = t;
    __syncthreads();
    if (t < 32)
        for (int half = 32; half; half /= 2)
            cell[t] += cell[t + half]; // tail-fold
    __syncthreads();
    out[t] = t ? 0 : cell[0];
}

__global__ void count(int *out)
{
    __shared__ int cell[64];
    cell[threadIdx.x] = 1;
    int ones = __syncthreads_count(threadIdx.x % 2);
    out[threadIdx.x] = ones == 32 ? cell[63 - threadIdx.x] : 0;
}

__global__ void dynamic(int *out)
{
    extern __shared__ int cell[];
    cell[threadIdx.x] = 0;
    __syncthreads();
    cell[threadIdx.x] = 1; // dyn-write
    out[threadIdx.x] = cell[threadIdx.x ^ 1]; // dyn-read
}

__global__ void per_block(int *out)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = blockIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = mine == (int)blockIdx.x;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "reduction";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int h[64] = {}, *d, sum = 0;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    if (is("neighbour"))
        neighbour<false, 1><<<1, 64>>>(d);
    else if (is("neighbour-fresh"))
        neighbour<true, 1><<<1, 64>>>(d);
    else if (is("left-neighbour-fresh"))
        neighbour<true, 63><<<1, 64>>>(d);
    else if (is("same-line"))
        shift<<<1, 64>>>(d);
    else if (is("no-second-barrier"))
        refill<<<1, 64>>>(d);
    else if (is("no-first-barrier"))
        reversed<<<1, 64>>>(d);
    else if (is("old-warp-sum"))
        warp_sum<false><<<1, 32>>>(d);
    else if (is("warp-sum"))
        warp_sum<true><<<1, 32>>>(d);
    else if (is("shuffle"))
        shuffle_sum<<<1, 32>>>(d);
    else if (is("tile"))
        tile_exchange<16><<<1, 32>>>(d);
    else if (is("half-tile"))
        tile_exchange<8><<<1, 32>>>(d);
    else if (is("histogram"))
        histogram<true><<<1, 64>>>(d);
    else if (is("plain-histogram"))
        histogram<false><<<1, 64>>>(d);
    else if (is("read-after-atomic"))
        total<false><<<1, 64>>>(d);
    else if (is("read-after-barrier"))
        total<true><<<1, 64>>>(d);
    else if (is("flag"))
        flag<<<1, 64>>>(d);
    else if (is("same-value"))
        same_value<<<1, 64>>>(d);
    else if (is("bytes"))
        small<char><<<1, 64>>>(d);
    else if (is("shorts"))
        small<short><<<1, 64>>>(d);
    else if (is("reduction"))
        reduction<false><<<1, 64>>>(d);
    else if (is("reduction-late-barrier"))
        reduction<true><<<1, 64>>>(d);
    else if (is("one-thread"))
        one_thread<<<1, 64>>>(d);
    else if (is("wrong-mask"))
        wrong_mask<<<1, 32>>>(d);
    else if (is("tree-in-warp"))
        tree_in_warp<<<1, 64>>>(d);
    else if (is("count"))
        count<<<1, 64>>>(d);
    else if (is("dynamic"))
        dynamic<<<1, 64, 256>>>(d);
    else
        per_block<<<4, 16>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h)
        sum += x;
    printf("sum %d\n", sum);
    cudaFree(d);
    return 0;
}
