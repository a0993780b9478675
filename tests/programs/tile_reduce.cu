// SPDX-License-Identifier: MIT
// Cooperative groups: reduce by tiles of 8 and of 32 threads, then across the block.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <typename Group> __device__ int group_sum(Group group, int value)
{
    for (int offset = group.size() / 2; offset > 0; offset /= 2)
        value += group.shfl_down(value, offset);
    return value; // complete in rank 0
}

__global__ void tiles_kernel(const int *in, int *by_eight, int *by_warp, int *by_block)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(block);
    __shared__ int total;
    int i = blockIdx.x * blockDim.x + block.thread_rank();

    int sum = group_sum(eight, in[i]);
    if (eight.thread_rank() == 0)
        by_eight[i / 8] = sum;
    sum = group_sum(warp, in[i]);
    if (warp.thread_rank() == 0)
        by_warp[i / 32] = sum;

    if (block.thread_rank() == 0)
        total = 0;
    block.sync();
    if (warp.thread_rank() == 0)
        atomicAdd(&total, sum);
    cg::sync(block);
    if (block.thread_rank() == 0)
        by_block[blockIdx.x] = total + (warp.any(in[i] < 0) ? 1000000 : 0);
}

static int wrong_sums(const int *in, const int *d_sums, int count, int each)
{
    int back[512];
    int wrong = cudaMemcpy(back, d_sums, count * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int g = 0; g < count; g++) {
        int sum = 0;
        for (int i = 0; i < each; i++)
            sum += in[g * each + i];
        wrong += back[g] != sum;
    }
    return wrong;
}

int main()
{
    const int threads = 256, blocks = 5, n = threads * blocks;
    int in[n], *d_in, *d_eight, *d_warp, *d_block;
    for (int i = 0; i < n; i++)
        in[i] = i * i % 1009;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_eight, n / 8 * sizeof(int));
    cudaMalloc(&d_warp, n / 32 * sizeof(int));
    cudaMalloc(&d_block, blocks * sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);

    tiles_kernel<<<blocks, threads>>>(d_in, d_eight, d_warp, d_block);
    int wrong = wrong_sums(in, d_eight, n / 8, 8) + wrong_sums(in, d_warp, n / 32, 32) +
                wrong_sums(in, d_block, blocks, threads);
    std::printf("tile_reduce: %d wrong\n", wrong);
    for (int *p : {d_in, d_eight, d_warp, d_block})
        cudaFree(p);
    return wrong != 0;
}
