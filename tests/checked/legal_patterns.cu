// SPDX-License-Identifier: MIT
// Parallel patterns as textbooks write them, all right: no finding in any order.
//
// run: floyd
// expect: value 3
// run: sub-masks
// expect: value 15
// run: reuse
// expect: value 63
// run: aggregated
// expect: value 64
// run: bitonic
// expect: value 0
// run: blelloch
// expect: value 63
// run: life
// expect: value 3
// run: nbody
// expect: value 64
// run: convolution
// expect: value 3
// run: spmv
// expect: value 2
// run: flags
// expect: value 1
// run: device-heap
// expect: value 45
// run: wide-atomics
// expect: value 128
// run: warp-queue
// expect: value 64
// run: tickets
// expect: value 64
// run: scan-in-warps
// expect: value 63
// run: partial-warp
// expect: value 41
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

__global__ void floyd(int *d, int n, int k) // row and column k stay as they are
{
    int i = threadIdx.y, j = threadIdx.x, through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j])
        d[i * n + j] = through;
    else
        d[i * n + j] = d[i * n + j];
}

__global__ void sub_masks(int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    if (t < 16) {
        cell[t] = t;
        __syncwarp(0x0000ffffu);
        out[t] = cell[15 - t];
    } else {
        cell[t] = 2 * t;
        __syncwarp(0xffff0000u);
        out[t] = cell[47 - t];
    }
}

__global__ void reuse(int *out)
{
    extern __shared__ char raw[];
    double *wide = (double *)raw;
    int *ints = (int *)raw, t = threadIdx.x;
    wide[t] = t;
    __syncthreads();
    int other = (int)wide[63 - t];
    __syncthreads();
    ints[t] = other;
    __syncthreads();
    raw[128 + t] = 1;
    out[t] = t < 32 ? ints[t] : 0;
}

__global__ void aggregated(int *out)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0)
        first = atomicAdd(out, (int)active.size());
    active.shfl(first, 0);
}

__global__ void bitonic(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = (t * 37) % 64;
    for (int size = 2; size <= 64; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            __syncthreads();
            int other = t ^ step;
            if (other > t && (cell[t] > cell[other]) == !(t & size)) {
                int swap = cell[t];
                cell[t] = cell[other];
                cell[other] = swap;
            }
        }
    __syncthreads();
    out[t] = cell[t] - t;
}

__global__ void blelloch(int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x, offset = 1;
    cell[2 * t] = cell[2 * t + 1] = 1;
    for (int half = 32; half; half /= 2, offset *= 2) {
        __syncthreads();
        if (t < half)
            cell[offset * (2 * t + 2) - 1] += cell[offset * (2 * t + 1) - 1];
    }
    if (t == 0)
        cell[63] = 0;
    for (int half = 1; half < 64; half *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < half) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, left = cell[a];
            cell[a] = cell[b];
            cell[b] += left;
        }
    }
    __syncthreads();
    if (t == 0)
        out[0] = cell[63];
}

__global__ void life(char *to, const char *from, int n)
{
    int x = threadIdx.x, y = threadIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            alive += from[(y + dy + n) % n * n + (x + dx + n) % n];
    to[y * n + x] = alive == 3 || (alive == 4 && from[y * n + x]);
}

__global__ void sum_bytes(int *out, const char *p)
{
    atomicAdd(out, p[threadIdx.x]);
}

__global__ void nbody(int *out, const float4 *bodies, int n)
{
    extern __shared__ float4 tile[];
    int seen = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < (int)blockDim.x; j++)
            seen += tile[j].w > 0;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

__global__ void ones(float *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__constant__ float taps[3];

__global__ void convolution(int *out, const float *x, int n)
{
    __shared__ float tile[34];
    int i = blockIdx.x * 32 + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = i < n ? x[i] : 0;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0;
    if (threadIdx.x == 31)
        tile[33] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += taps[k] * tile[t - 1 + k];
    if (i < n)
        out[n - 1 - i] = (int)sum;
}

__global__ void spmv(int *y, const int *first, const int *column, const int *x, int rows)
{
    int row = threadIdx.x;
    if (row < rows) {
        int sum = 0;
        for (int k = first[row]; k < first[row + 1]; k++)
            sum += x[column[k]];
        y[row] = sum;
    }
}

__global__ void flags(int *out, const int *x)
{
    if (x[threadIdx.x] > 5)
        *out = 1; // every thread that writes writes the same
}

__global__ void device_heap(int *out)
{
    int *list = (int *)malloc(10 * sizeof(int)), sum = 0;
    for (int i = 0; i < 10; i++)
        list[i] = i;
    for (int i = 0; i < 10; i++)
        sum += list[i];
    free(list);
    out[threadIdx.x] = sum;
}

__global__ void wide_atomics(unsigned long long *p, int *out)
{
    atomicAdd(p, 1ull);
    atomicMax(p + 1, (unsigned long long)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = (int)(p[0] + p[1]) + 1;
}

__global__ void warp_queue(int *out)
{
    __shared__ int items[64], tail;
    if (threadIdx.x == 0)
        tail = 0;
    __syncthreads();
    unsigned votes = __ballot_sync(~0u, threadIdx.x % 2 == 0);
    int lane = threadIdx.x % 32, first = 0;
    if (lane == 0)
        first = atomicAdd(&tail, __popc(votes));
    first = __shfl_sync(~0u, first, 0);
    if (threadIdx.x % 2 == 0)
        items[first + __popc(votes & ((1u << lane) - 1))] = threadIdx.x;
    __syncthreads();
    if ((int)threadIdx.x < tail)
        atomicAdd(out, items[threadIdx.x] >= 0 ? 2 : 0);
}

__global__ void tickets(int *p)
{
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(&p[64], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        p[1 + ticket] = blockIdx.x; // each ticket is one block's
    if (threadIdx.x == 0)
        atomicAdd(&p[0], 8);
}

__global__ void scan_in_warps(int *out)
{
    __shared__ int sums[2];
    int value = 1, lane = threadIdx.x % 32;
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, value, step);
        if (lane >= step)
            value += other;
    }
    if (lane == 31)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32)
        value += sums[0];
    out[63 - threadIdx.x] = value - 1;
}

__global__ void partial_warp(int *out)
{
    __shared__ int cell[42];
    cell[threadIdx.x] = threadIdx.x;
    __syncwarp(__activemask());
    __syncthreads();
    out[threadIdx.x] = cell[41 - threadIdx.x];
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "floyd";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int h[64], *d, *e, value = 0;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    cudaMemset(d, 0, 1024);
    cudaMemset(e, 0, 1024);
    if (is("floyd")) {
        for (int i = 0; i < 64; i++)
            h[i] = i / 8 == i % 8 ? 0 : i / 8 + 1 == i % 8 ? 1 : 100;
        cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
        for (int k = 0; k < 8; k++)
            floyd<<<1, dim3(8, 8)>>>(d, 8, k);
        cudaMemcpy(d, d + 3, 4, cudaMemcpyDeviceToDevice);
    } else if (is("sub-masks"))
        sub_masks<<<1, 32>>>(d);
    else if (is("reuse"))
        reuse<<<1, 64, 512>>>(d);
    else if (is("aggregated"))
        aggregated<<<2, 32>>>(d);
    else if (is("bitonic"))
        bitonic<<<1, 64>>>(d);
    else if (is("blelloch"))
        blelloch<<<1, 32>>>(d);
    else if (is("life")) {
        char cells[64] = {};
        cells[27] = cells[28] = cells[29] = 1;
        cudaMemcpy(e, cells, 64, cudaMemcpyHostToDevice);
        char *from = (char *)e, *to = (char *)e + 64;
        for (int i = 0; i < 5; i++) {
            life<<<1, dim3(8, 8)>>>(to, from, 8);
            char *swap = from;
            from = to;
            to = swap;
        }
        sum_bytes<<<1, 64>>>(d, from);
    } else if (is("nbody")) {
        ones<<<4, 64>>>((float *)e);
        nbody<<<2, 32, 32 * sizeof(float4)>>>(d, (float4 *)e, 64);
    } else if (is("convolution")) {
        float ones_h[3] = {1, 1, 1};
        cudaMemcpyToSymbol(taps, ones_h, sizeof ones_h);
        ones<<<2, 32>>>((float *)e);
        convolution<<<2, 32>>>(d, (float *)e, 50);
        cudaMemcpy(d, d + 5, 4, cudaMemcpyDeviceToDevice);
    } else if (is("spmv")) {
        int first[] = {0, 2, 3, 3}, column[] = {0, 2, 1}, x[] = {1, 1, 1};
        cudaMemcpy(e, first, sizeof first, cudaMemcpyHostToDevice);
        cudaMemcpy(e + 8, column, sizeof column, cudaMemcpyHostToDevice);
        cudaMemcpy(e + 16, x, sizeof x, cudaMemcpyHostToDevice);
        spmv<<<1, 32>>>(d, e, e + 8, e + 16, 3);
    } else if (is("flags")) {
        for (int i = 0; i < 64; i++)
            h[i] = i;
        cudaMemcpy(e, h, sizeof h, cudaMemcpyHostToDevice);
        flags<<<1, 64>>>(d, e);
    } else if (is("device-heap"))
        device_heap<<<1, 32>>>(d);
    else if (is("wide-atomics"))
        wide_atomics<<<1, 64>>>((unsigned long long *)e, d);
    else if (is("warp-queue"))
        warp_queue<<<1, 64>>>(d);
    else if (is("tickets"))
        tickets<<<8, 32>>>(d);
    else if (is("scan-in-warps"))
        scan_in_warps<<<1, 64>>>(d);
    else
        partial_warp<<<1, 42>>>(d);
    cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost);
    printf("value %d\n", value);
    cudaFree(d);
    cudaFree(e);
    return 0;
}
