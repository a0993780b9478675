/* SPDX-License-Identifier: MIT */
/* One kernel and one host program with the calls that small simulators lack: each does what it says. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct answers {
    int count, any, all, bits, first, ticks, heap;
    float total, lanes;
};

__global__ void all_of_it(answers *out)
{
    __shared__ float sum;
    __shared__ int ready;
    int t = threadIdx.x;
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    if (t == 0)
        sum = 0;
    block.sync();
    int count = __syncthreads_count(t % 3 == 0);
    int any = __syncthreads_or(t == 63), all = __syncthreads_and(t < 63);
    float lane = tile.thread_rank();
    for (int offset = 16; offset; offset /= 2)
        lane += tile.shfl_down(lane, offset);
    atomicAdd(&sum, 0.5f);
    long long start = clock64();
    int *mine = (int *)malloc(2 * sizeof(int));
    if (mine) {
        mine[1] = t;
        t = mine[1];
    }
    if (t == 0) {
        ready = mine != nullptr;
        __threadfence();
    }
    free(mine);
    __syncthreads();
    if (t == 0)
        *out = {count, any, all, __popc(0xf0f0u), __ffs(0x50), clock64() > start, ready, sum, lane};
}

int main()
{
    answers *a;
    int wrong = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) != cudaSuccess;
    wrong += cudaMallocManaged(&a, sizeof *a) != cudaSuccess;
    all_of_it<<<1, 64, 0, cudaStreamPerThread>>>(a);
    wrong += cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess;
    wrong += a->count != 22 || a->any == 0 || a->all != 0 || a->bits != 8 || a->first != 5;
    wrong += a->ticks != 1 || a->heap != 1 || a->total != 32 || a->lanes != 496;
    if (wrong)
        printf("%d: %d %d %d %d %d %d %d %g %g\n", wrong, a->count, a->any, a->all, a->bits, a->first,
               a->ticks, a->heap, a->total, a->lanes);
    cudaFree(a);
    return wrong;
}
