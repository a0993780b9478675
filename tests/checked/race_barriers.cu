// SPDX-License-Identifier: MIT
// What orders the threads of a block and what does not: cooperative groups, warp operations, atomics.
//
// run: block-sync
// expect: sum 2016
// run: coalesced
// run: ballot
// expect: sum 32
// run: vote-orders-nothing
// finding: shared memory race @voted-write@ @voted-read@
// run: warp-then-block
// expect: sum 64
// run: other-warp
// finding: shared memory race @warp-write@ @warp-read@
// run: atomic-publishes-nothing
// orders: one
// finding: global memory race @data@ @taken@
// run: atomic-with-fence
// first: sum 42
// run: pipelined
// expect: sum 8448
// run: pipelined-one-buffer
// finding: shared memory race @store@ @load@
// run: transpose
// expect: sum 32640
// run: scan
// expect: sum 64
// run: scan-one-barrier
// finding: shared memory race @scan-write@ @scan-read@
// run: partial-block
// expect: sum 48
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

__global__ void block_sync(int *out)
{
    __shared__ int cell[64];
    cg::thread_block block = cg::this_thread_block();
    cell[block.thread_rank()] = block.thread_rank();
    block.sync();
    out[threadIdx.x] = cell[63 - threadIdx.x];
}

__global__ void coalesced(int *out)
{
    int total = 0;
    if (threadIdx.x % 2 == 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        if (group.thread_rank() == 0)
            total = atomicAdd(&out[0], group.size() > 0 ? 1 : 0) >= 0;
        total = group.shfl(total, 0);
    }
    if (threadIdx.x == 0)
        out[1] = total;
}

__global__ void ballot(int *out)
{
    unsigned votes = __ballot_sync(~0u, threadIdx.x % 2);
    if (threadIdx.x == 0)
        out[0] = 2 * __popc(votes);
}

__global__ void voted(int *out)
{
    __shared__ int cell[64];
    cell[threadIdx.x] = 0;
    __syncthreads();
    cell[threadIdx.x] = threadIdx.x; // voted-write
    __any_sync(~0u, threadIdx.x == 3);
    out[threadIdx.x] = cell[threadIdx.x ^ 1]; // voted-read
}

__global__ void warp_then_block(int *out)
{
    __shared__ int sums[2];
    int value = 1;
    for (int half = 16; half; half /= 2)
        value += __shfl_xor_sync(~0u, value, half);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    out[threadIdx.x] = threadIdx.x ? 0 : sums[0] + sums[1];
}

__global__ void other_warp(int *out)
{
    __shared__ int cell[64];
    cell[threadIdx.x] = 0;
    __syncthreads();
    cell[threadIdx.x] = threadIdx.x; // warp-write
    __syncwarp();
    out[threadIdx.x] = cell[threadIdx.x ^ 32]; // warp-read
}

template <bool fence>
__global__ void publish(int *p)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        p[8] = 42; // data
        if (fence)
            __threadfence();
        atomicExch(&p[4], 1);
    }
    if (threadIdx.x == 0 && blockIdx.x == 1 && atomicAdd(&p[4], 0) == 1) {
        if (fence)
            __threadfence();
        p[0] = p[8]; // taken
    }
}

template <int BUFFERS>
__global__ void pipelined(int *out)
{
    __shared__ int cell[BUFFERS][64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        cell[i % BUFFERS][t] = t + i; // store
        __syncthreads();
        sum += cell[i % BUFFERS][63 - t]; // load
    }
    out[t] = sum;
}

__global__ void transpose(int *out)
{
    __shared__ int tile[16][17];
    tile[threadIdx.y][threadIdx.x] = 16 * threadIdx.y + threadIdx.x;
    __syncthreads();
    out[16 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

template <bool two_barriers>
__global__ void scan(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = 1;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int other = t >= step ? cell[t - step] : 0; // scan-read
        if (two_barriers)
            __syncthreads();
        cell[t] += other; // scan-write
        __syncthreads();
    }
    out[t] = t == 63 ? cell[63] : 0;
}

__global__ void partial_block(int *out)
{
    __shared__ int cell[48];
    cell[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = cell[47 - threadIdx.x];
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "block-sync";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    static int h[256];
    int *d, sum = 0;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    if (is("block-sync"))
        block_sync<<<1, 64>>>(d);
    else if (is("coalesced"))
        coalesced<<<1, 32>>>(d);
    else if (is("ballot"))
        ballot<<<1, 32>>>(d);
    else if (is("vote-orders-nothing"))
        voted<<<1, 64>>>(d);
    else if (is("warp-then-block"))
        warp_then_block<<<1, 64>>>(d);
    else if (is("other-warp"))
        other_warp<<<1, 64>>>(d);
    else if (is("atomic-publishes-nothing"))
        publish<false><<<2, 32>>>(d);
    else if (is("atomic-with-fence"))
        publish<true><<<2, 32>>>(d);
    else if (is("pipelined"))
        pipelined<2><<<1, 64>>>(d);
    else if (is("pipelined-one-buffer"))
        pipelined<1><<<1, 64>>>(d);
    else if (is("transpose"))
        transpose<<<1, dim3(16, 16)>>>(d);
    else if (is("scan"))
        scan<true><<<1, 64>>>(d);
    else if (is("scan-one-barrier"))
        scan<false><<<1, 64>>>(d);
    else
        partial_block<<<1, 48>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (is("atomic-with-fence"))
        h[4] = h[8] = 0;
    for (int x : h)
        sum += x;
    printf("sum %d\n", sum);
    cudaFree(d);
    return 0;
}
