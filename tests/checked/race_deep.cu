// SPDX-License-Identifier: MIT
// Races and orders with more than two threads, several widths, or several steps between the two accesses.
//
// run: readers-then-writer
// finding: shared memory race @late-write@ @early-read@
// run: reader-of-another-warp
// finding: shared memory race @own-write@ @far-read@
// run: write-after-read
// finding: shared memory race @second-write@ @middle-read@
// run: bytes-then-word
// finding: shared memory race @byte-write@ @word-read@
// run: bytes-barrier-word
// run: word-then-bytes
// finding: shared memory race @word-write@ @byte-read@
// run: double-halves
// finding: shared memory race @double-write@ @half-read@
// run: exited
// exit: 0
// run: or-orders
// run: warp-by-warp
// run: only-half-meets
// finding: shared memory race @half-store@ @half-load@
// run: chain-of-masks
// run: broken-chain
// finding: shared memory race @chain-store@ @chain-load@
// run: atomic-then-plain
// finding: shared memory race @atomic-bump@ @plain-set@
// run: atomic-barrier-plain
// run: long-loop
// run: late-in-loop
// finding: shared memory race @loop-store@ @loop-load@
// run: far-apart-blocks
// finding: global memory race @block-store@ @block-load@ @cells@
// run: disjoint-blocks
// run: unchanged
// run: unchanged-at-the-end
// run: atomic-of-another-block
// finding: global memory race @bump@ @look@ @cells@
// run: two-values
// finding: shared memory race @value@
// run: initial-value
// finding: shared memory race @value@
// run: struct-members
// run: struct-and-member
// finding: shared memory race @whole@ @member@
// run: vector
// finding: global memory race @vector-store@ @element-load@ @cells@
// run: memcpy
// finding: shared memory race @copied@ @element@
// run: private-then-shared
// run: reset-by-one
// finding: shared memory race @reset@ @use-before@
// run: ping
// run: same-thread
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

__global__ void readers_then_writer(int *out)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = 5;
    __syncthreads();
    int seen = cell; // early-read
    if (threadIdx.x == 17)
        cell = 6; // late-write
    out[threadIdx.x] = seen;
}

__global__ void reader_of_another_warp(int *out)
{
    __shared__ int cell;
    cell = 5;
    __syncthreads();
    int t = threadIdx.x;
    if (t == 40)
        out[t] = cell; // far-read
    if (t == 1)
        out[t] = cell;
    __syncwarp();
    if (t == 0)
        cell = 6; // own-write
}

__global__ void write_after_read(int *out)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = 1;
    __syncthreads();
    if (threadIdx.x == 33)
        out[0] = cell; // middle-read
    if (threadIdx.x == 0)
        cell = 2; // second-write
}

template <bool barrier>
__global__ void bytes_then_word(int *out)
{
    __shared__ int cells[16];
    char *bytes = (char *)cells;
    bytes[threadIdx.x] = 0;
    __syncthreads();
    bytes[threadIdx.x] = threadIdx.x; // byte-write
    if (barrier)
        __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x % 16]; // word-read
}

__global__ void word_then_bytes(int *out)
{
    __shared__ int cells[16];
    if (threadIdx.x < 16)
        cells[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 16)
        cells[threadIdx.x] = 0x01010101; // word-write
    out[threadIdx.x] = ((char *)cells)[63 - threadIdx.x]; // byte-read
}

__global__ void double_halves(int *out)
{
    __shared__ double cells[32];
    if (threadIdx.x < 32)
        cells[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        cells[threadIdx.x] = 1.5 + threadIdx.x; // double-write
    out[threadIdx.x] = ((int *)cells)[63 - threadIdx.x]; // half-read
}

__global__ void exited(int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = t;
    if (t >= 32)
        return;
    __syncthreads();
    out[t] = cells[t + 32];
}

__global__ void or_orders(int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = t;
    bool any = __syncthreads_or(t == 5);
    out[t] = cells[63 - t] + any;
    bool all = __syncthreads_and(t < 64);
    cells[t] = all;
}

__global__ void warp_by_warp(int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x, base = t & ~31;
    for (int round = 0; round < 4; round++) {
        cells[t] = t + round;
        __syncwarp();
        out[t] = cells[base + (t + 1) % 32];
        __syncwarp();
    }
}

__global__ void only_half_meets(int *out)
{
    __shared__ int cells[32];
    int t = threadIdx.x;
    cells[t] = 0;
    __syncwarp();
    cells[t] = t; // half-store
    if (t < 16)
        __syncwarp(0x0000ffffu);
    out[t] = cells[t ^ 31]; // half-load
}

template <bool whole>
__global__ void chain(int *out)
{
    __shared__ int cells[32];
    int t = threadIdx.x;
    cells[t] = 0;
    __syncwarp();
    if (t == 0)
        cells[0] = 7; // chain-store
    if (t < 2) // 0 meets 1, 1 meets 2, so 2 knows of 0
        __syncwarp(3);
    if (whole && (t == 1 || t == 2))
        __syncwarp(6);
    if (t == 2)
        out[t] = cells[0]; // chain-load
}

template <bool barrier>
__global__ void atomic_then_plain(int *out)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = 0;
    __syncthreads();
    atomicAdd(&cell, 1); // atomic-bump
    if (barrier)
        __syncthreads();
    if (threadIdx.x == 40)
        cell = 0; // plain-set
    __syncthreads();
    out[threadIdx.x] = cell;
}

template <bool last>
__global__ void loops(int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x, sum = 0;
    cells[t] = 1;
    __syncthreads();
    for (int i = 0; i < 50; i++) {
        sum += cells[(t + i) % 64]; // loop-load
        if (!last || i != 48)
            __syncthreads();
        cells[t] = i; // loop-store
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void far_apart(int *p)
{
    if (blockIdx.x == 3 && threadIdx.x == 0)
        p[100] = 1; // block-store
    if (blockIdx.x == 1 && threadIdx.x == 31)
        p[0] = p[100]; // block-load
}

__global__ void disjoint(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((char *)p)[i] = i;
    ((short *)(p + 64))[i] = i;
    p[128 + i] = i;
}

__global__ void unchanged(int *out)
{
    __shared__ int cell;
    cell = 3;
    __syncthreads();
    if (threadIdx.x % 2)
        cell = 3; // nothing changes, whoever looks
    out[threadIdx.x] = cell;
}

__global__ void unchanged_at_the_end(int *)
{
    extern __shared__ int flag[];
    flag[0] = 1;
    __syncthreads();
    if (threadIdx.x % 2)
        flag[0] = 1; // the last that the block does
}

/* The same thread number in both blocks. */
__global__ void atomic_of_another_block(int *p)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        p[1] = p[0]; // look
    if (threadIdx.x == 0 && blockIdx.x == 1)
        atomicAdd(&p[0], 1); // bump
}

__global__ void two_values(int *out, int initial)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = initial;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        cell = 1 + threadIdx.x / 32; // value
    __syncthreads();
    out[threadIdx.x] = cell;
}

struct record {
    int a, b, c, d, e;
};

__global__ void members(int *out)
{
    __shared__ record r;
    switch (threadIdx.x) {
    case 0: r.a = 1; break;
    case 1: r.b = 2; break;
    case 32: r.c = 3; break;
    case 33: r.d = 4; break;
    case 34: r.e = 5; break;
    }
    __syncthreads();
    record mine = r;
    out[threadIdx.x] = mine.a + mine.e;
}

__global__ void whole_and_member(int *out, record given)
{
    __shared__ record r;
    if (threadIdx.x == 0)
        r = given;
    __syncthreads();
    given.c++;
    if (threadIdx.x == 1)
        r = given; // whole
    if (threadIdx.x == 33)
        out[0] = r.c; // member
}

__global__ void vectors(int *p)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *(int4 *)(p + 4) = make_int4(1, 2, 3, 4); // vector-store
    if (blockIdx.x == 1 && threadIdx.x == 0)
        p[20] = p[6]; // element-load
}

__global__ void block_move(int *out, const int *from)
{
    __shared__ int cells[64];
    cells[threadIdx.x] = -1;
    __syncthreads();
    if (threadIdx.x == 0)
        memcpy(cells, from, sizeof cells); // copied
    out[threadIdx.x] = cells[threadIdx.x]; // element
}

__global__ void private_first(int *out)
{
    __shared__ int cells[64];
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[(i + threadIdx.x) % 4] = i;
    int *p = &mine[threadIdx.x % 4];
    *p += 1;
    cells[threadIdx.x] = *p;
    __syncthreads();
    out[threadIdx.x] = cells[63 - threadIdx.x];
}

__global__ void reset_by_one(int *out)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 1;
    __syncthreads();
    out[threadIdx.x] = total; // use-before
    if (threadIdx.x == 0)
        total = 0; // reset
    __syncthreads();
    atomicAdd(&total, 1);
}

__global__ void ping(int *p, int from, int to)
{
    p[to + threadIdx.x] = p[from + 63 - threadIdx.x] + 1;
}

__global__ void same_thread(int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = 0;
    for (int i = 0; i < 5; i++)
        cells[t] += i;
    atomicAdd(&cells[t], 1);
    cells[t]--;
    out[t] = cells[t];
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "same-thread";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *d;
    cudaMalloc(&d, 1024); // cells
    cudaMemset(d, 0, 1024);
    if (is("readers-then-writer"))
        readers_then_writer<<<1, 64>>>(d);
    else if (is("reader-of-another-warp"))
        reader_of_another_warp<<<1, 64>>>(d);
    else if (is("write-after-read"))
        write_after_read<<<1, 64>>>(d);
    else if (is("bytes-then-word"))
        bytes_then_word<false><<<1, 64>>>(d);
    else if (is("bytes-barrier-word"))
        bytes_then_word<true><<<1, 64>>>(d);
    else if (is("word-then-bytes"))
        word_then_bytes<<<1, 64>>>(d);
    else if (is("double-halves"))
        double_halves<<<1, 64>>>(d);
    else if (is("exited"))
        exited<<<1, 64>>>(d);
    else if (is("or-orders"))
        or_orders<<<1, 64>>>(d);
    else if (is("warp-by-warp"))
        warp_by_warp<<<1, 64>>>(d);
    else if (is("only-half-meets"))
        only_half_meets<<<1, 32>>>(d);
    else if (is("chain-of-masks"))
        chain<true><<<1, 32>>>(d);
    else if (is("broken-chain"))
        chain<false><<<1, 32>>>(d);
    else if (is("atomic-then-plain"))
        atomic_then_plain<false><<<1, 64>>>(d);
    else if (is("atomic-barrier-plain"))
        atomic_then_plain<true><<<1, 64>>>(d);
    else if (is("long-loop"))
        loops<false><<<1, 64>>>(d);
    else if (is("late-in-loop"))
        loops<true><<<1, 64>>>(d);
    else if (is("far-apart-blocks"))
        far_apart<<<4, 32>>>(d);
    else if (is("disjoint-blocks"))
        disjoint<<<4, 32>>>(d);
    else if (is("unchanged"))
        unchanged<<<1, 64>>>(d);
    else if (is("unchanged-at-the-end"))
        unchanged_at_the_end<<<2, 64, sizeof(int)>>>(d);
    else if (is("atomic-of-another-block"))
        atomic_of_another_block<<<2, 32>>>(d);
    else if (is("two-values"))
        two_values<<<1, 64>>>(d, 0);
    else if (is("initial-value"))
        two_values<<<1, 64>>>(d, 2);
    else if (is("struct-members"))
        members<<<1, 64>>>(d);
    else if (is("struct-and-member"))
        whole_and_member<<<1, 64>>>(d, record{1, 2, 3, 4, 5});
    else if (is("vector"))
        vectors<<<2, 32>>>(d);
    else if (is("memcpy"))
        block_move<<<1, 64>>>(d + 64, d);
    else if (is("private-then-shared"))
        private_first<<<1, 64>>>(d);
    else if (is("reset-by-one"))
        reset_by_one<<<1, 64>>>(d);
    else if (is("ping"))
        for (int i = 0; i < 4; i++)
            ping<<<1, 64>>>(d, i % 2 * 64, 64 - i % 2 * 64);
    else
        same_thread<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
