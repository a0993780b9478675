/* SPDX-License-Identifier: MIT */
/* Cooperative groups: tiles of a warp and of several, partitions, reductions, scans, the grid. */
#include "probe.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

enum { THREADS = 1024 };

/* One line for what all threads of a block found: a hash, and the values of four threads. */
static void show(const char *what, void (*kernel)(unsigned long long *), unsigned threads)
{
    static unsigned long long back[THREADS];
    unsigned long long *d, hash = 0xcbf29ce484222325;
    cudaMalloc(&d, sizeof back);
    cudaMemset(d, 0, sizeof back);
    kernel<<<1, threads>>>(d);
    cudaError_t e = cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
    for (unsigned long long v : back)
        hash = (hash ^ v) * 0x100000001b3;
    SAY("%s -> %s %016llx: %llx %llx %llx %llx", what, cudaGetErrorName(e), hash, back[0], back[1],
        back[threads / 2], back[threads - 1]);
    cudaFree(d);
}

__device__ static unsigned long long bits(float v) { return __float_as_uint(v); }
__device__ static unsigned long long bits(double v) { return (unsigned long long)__double_as_longlong(v); }
template <class T> __device__ static unsigned long long bits(T v) { return (unsigned long long)v; }

/* Of the 8 bytes that a tile of several warps takes. */
struct point {
    float x, y;
};
__device__ static unsigned long long bits(point p) { return bits(p.x) ^ bits(p.y) << 8; }
struct add_points {
    __device__ point operator()(point a, point b) const { return {a.x + b.x, a.y * b.y}; }
};
/* Not commutative: tells in which order values are combined. */
struct chain {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a * 31 + b; }
};

/* All operators on a value of this thread, of each type that has them, folded into one number. */
template <class Group> __device__ static unsigned long long reductions(const Group &g)
{
    const unsigned x = mixed(threadIdx.x);
    const float f = (float)(int)x * 1e-3f;
    unsigned long long h = cg::reduce(g, (int)x, cg::plus<int>());
    h = h * 33 + bits(cg::reduce(g, x, cg::less<unsigned>()));
    h = h * 33 + bits(cg::reduce(g, (int)x, cg::greater<int>()));
    h = h * 33 + bits(cg::reduce(g, x | 5, cg::bit_and<unsigned>()));
    h = h * 33 + bits(cg::reduce(g, x & 0xff0, cg::bit_or<unsigned>()));
    h = h * 33 + bits(cg::reduce(g, x, cg::bit_xor<unsigned>()));
    h = h * 33 + bits(cg::reduce(g, (long long)x << 20, cg::plus<long long>()));
    h = h * 33 + bits(cg::reduce(g, f, cg::plus<float>()));
    h = h * 33 + bits(cg::reduce(g, f, cg::less<float>()));
    h = h * 33 + bits(cg::reduce(g, (double)f, cg::plus<double>()));
    h = h * 33 + bits(cg::reduce(g, point{f, 1 + f * 1e-9f}, add_points()));
    return h;
}

template <class Group> __device__ static unsigned long long scans(const Group &g)
{
    const unsigned x = mixed(threadIdx.x);
    const float f = (float)(int)x * 1e-3f;
    unsigned long long h = cg::inclusive_scan(g, (int)x);
    h = h * 33 + bits(cg::exclusive_scan(g, (int)x));
    h = h * 33 + bits(cg::inclusive_scan(g, f));
    h = h * 33 + bits(cg::exclusive_scan(g, f));
    h = h * 33 + bits(cg::inclusive_scan(g, x, cg::greater<unsigned>()));
    h = h * 33 + bits(cg::exclusive_scan(g, x, cg::bit_xor<unsigned>()));
    h = h * 33 + bits(cg::inclusive_scan(g, (double)f, cg::plus<double>()));
    return h;
}

template <class Group> __device__ static unsigned long long places(const Group &g)
{
    const unsigned long long part = g.meta_group_rank(), parts = g.meta_group_size();
    return g.thread_rank() | (unsigned long long)g.size() << 12 | part << 24 | parts << 36;
}

#define TILE_KERNELS(size)                                                                                   \
    __global__ static void places_##size(unsigned long long *out)                                            \
    {                                                                                                        \
        out[threadIdx.x] = places(cg::tiled_partition<size>(cg::this_thread_block()));                       \
    }                                                                                                        \
    __global__ static void reduce_##size(unsigned long long *out)                                            \
    {                                                                                                        \
        out[threadIdx.x] = reductions(cg::tiled_partition<size>(cg::this_thread_block()));                   \
    }                                                                                                        \
    __global__ static void scan_##size(unsigned long long *out)                                              \
    {                                                                                                        \
        out[threadIdx.x] = scans(cg::tiled_partition<size>(cg::this_thread_block()));                        \
    }                                                                                                        \
    __global__ static void chain_##size(unsigned long long *out)                                             \
    {                                                                                                        \
        auto g = cg::tiled_partition<size>(cg::this_thread_block());                                         \
        const unsigned x = mixed(threadIdx.x);                                                               \
        const unsigned long long all = cg::reduce(g, x, chain());                                            \
        out[threadIdx.x] = all | (unsigned long long)cg::inclusive_scan(g, x, chain()) << 32;                \
    }
#define SHOW_TILE(size)                                                 \
    show("places in tiles of " #size, places_##size, THREADS);          \
    show("reduce in tiles of " #size, reduce_##size, THREADS);          \
    show("scan in tiles of " #size, scan_##size, THREADS);              \
    show("order in tiles of " #size, chain_##size, THREADS);

TILE_KERNELS(1)
TILE_KERNELS(4)
TILE_KERNELS(16)
TILE_KERNELS(32)
TILE_KERNELS(64)
TILE_KERNELS(128)
TILE_KERNELS(256)
TILE_KERNELS(512)

static void tiles()
{
    SHOW_TILE(1)
    SHOW_TILE(4)
    SHOW_TILE(16)
    SHOW_TILE(32)
}

template <unsigned Size> __device__ static unsigned long long wide_work(const cg::thread_block &block)
{
    __shared__ unsigned cell[THREADS];
    auto g = cg::tiled_partition<Size>(block);
    cell[threadIdx.x] = mixed(threadIdx.x);
    g.sync();
    const unsigned next = cell[threadIdx.x / Size * Size + (g.thread_rank() + 37) % Size];
    g.sync();
    cell[threadIdx.x] = next;
    g.sync();
    unsigned long long h = cell[threadIdx.x ^ 33] + g.shfl(next, 5) * 3ull;
    h = h * 33 + (g.any(next == mixed(3)) != 0) + 2 * (g.all(threadIdx.x < 1000) != 0);
    h = h * 33 + bits(g.shfl(point{(float)threadIdx.x, 2}, 40));
    auto warp = cg::tiled_partition<32>(g);
    h = h * 33 + warp.meta_group_rank() * 64 + warp.meta_group_size();
    return h * 33 + warp.shfl_down(next, 3);
}

__global__ static void wide_64(unsigned long long *out)
{
    out[threadIdx.x] = wide_work<64>(cg::this_thread_block());
}

__global__ static void wide_256(unsigned long long *out)
{
    __shared__ cg::block_tile_memory<1024> scratch;
    out[threadIdx.x] = wide_work<256>(cg::this_thread_block(scratch));
}

/* A tile of 128 goes its own way, and within it two of 64 theirs. */
__global__ static void wide_apart(unsigned long long *out)
{
    auto block = cg::this_thread_block();
    auto big = cg::tiled_partition<128>(block);
    auto half = cg::tiled_partition<64>(big);
    unsigned long long sum = half.meta_group_rank() + 100 * half.meta_group_size();
    sum += 10000 * big.meta_group_rank();
    for (unsigned i = 0; i <= big.meta_group_rank(); i++) {
        if (half.meta_group_rank() == 1)
            sum += half.shfl(threadIdx.x, i);
        sum += big.shfl(threadIdx.x, 100);
    }
    out[threadIdx.x] = sum;
}

static void wide_tiles()
{
    SHOW_TILE(64)
    SHOW_TILE(128)
    SHOW_TILE(256)
    SHOW_TILE(512)
    show("tiles of 64 with shared memory", wide_64, THREADS);
    show("tiles of 256 with memory of the block's", wide_256, THREADS);
    show("tiles that part", wide_apart, THREADS);
}

__global__ static void binary(unsigned long long *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto odd = cg::binary_partition(warp, threadIdx.x & 1);
    auto none = cg::binary_partition(warp, threadIdx.x < 4096);
    auto of_part = cg::binary_partition(odd, threadIdx.x % 3 == 0);
    unsigned long long h = places(odd) * 7 + places(none) * 5 + places(of_part);
    h = h * 33 + odd.shfl(threadIdx.x, 3) + of_part.shfl_up(threadIdx.x, 2) + odd.shfl_down(threadIdx.x, 1);
    h = h * 33 + odd.ballot(threadIdx.x % 5 == 0) + 3 * of_part.match_any(threadIdx.x / 8);
    h = h * 33 + (odd.any(threadIdx.x == 4) != 0) + 2 * (odd.all(threadIdx.x % 4 < 3) != 0);
    h = h * 33 + reductions(odd) + 3 * scans(of_part);
    out[threadIdx.x] = h * 33 + cg::inclusive_scan(of_part, mixed(threadIdx.x), chain());
}

__global__ static void labeled(unsigned long long *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    auto same = cg::labeled_partition(tile, mixed(threadIdx.x) % 5);
    auto again = cg::labeled_partition(same, threadIdx.x % 2 == 0);
    auto by_pointer = cg::labeled_partition(tile, out + threadIdx.x / 6);
    unsigned long long h = places(same) + 3 * places(again) + 5 * places(by_pointer);
    h = h * 33 + reductions(same) + 3 * scans(same);
    out[threadIdx.x] = h * 33 + cg::reduce(by_pointer, mixed(threadIdx.x), chain());
}

static void partitions()
{
    show("binary_partition", binary, 256);
    show("labeled_partition", labeled, 256);
}

__global__ static void dynamic(unsigned long long *out)
{
    cg::thread_group block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, 8);
    tile.sync();
    cg::thread_block_tile<16> any_parent = cg::tiled_partition<16>(cg::this_thread_block());
    auto self = cg::this_thread();
    const unsigned long long place = any_parent.meta_group_rank();
    const unsigned long long alone = self.size(), first = self.thread_rank();
    out[threadIdx.x] = tile.thread_rank() | tile.size() << 8 | place << 16 | alone << 32 | first << 40 |
                       block.thread_rank() << 48;
}

__global__ static void one(unsigned long long *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    auto wide = cg::tiled_partition<64>(cg::this_thread_block());
    __shared__ int calls;
    if (threadIdx.x == 0)
        calls = 0;
    __syncthreads();
    cg::invoke_one(tile, [&] { atomicAdd(&calls, 1); });
    cg::invoke_one(wide, [&](int n) { atomicAdd(&calls, n); }, 100);
    const unsigned long long told = cg::invoke_one_broadcast(tile, [] { return 7u; });
    const unsigned long long from = cg::invoke_one_broadcast(wide, [] { return threadIdx.x / 64; });
    __syncthreads();
    out[threadIdx.x] = calls | told << 16 | from << 32;
}

static void others()
{
    show("sizes known late", dynamic, 64);
    show("invoke_one", one, 256);
}

__global__ static void grid_members(unsigned long long *out)
{
    auto grid = cg::this_grid();
    if (grid.thread_rank() == 0) {
        out[0] = grid.is_valid();
        out[1] = grid.num_blocks();
        out[2] = grid.num_threads();
        out[3] = grid.dim_blocks().y * 100 + grid.dim_threads().x + grid.group_dim().x * 10000;
    }
    if (grid.thread_rank() == grid.size() - 1) {
        out[4] = grid.block_rank();
        out[5] = grid.block_index().x * 100 + grid.block_index().y;
        out[6] = grid.thread_index().x;
        out[7] = grid.thread_rank();
    }
}

static void grids()
{
    unsigned long long *d, back[8];
    ASK(cudaMalloc(&d, sizeof back));
    void *args[] = {&d};
    ASK(cudaLaunchCooperativeKernel((void *)grid_members, dim3(3, 2), dim3(32), args, 0, 0));
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (unsigned long long v : back)
        SAY("%llu", v);
    grid_members<<<dim3(3, 2), 32>>>(d);
    ASK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    SAY("without a cooperative launch: is_valid %llu", back[0]);
}

/* Every block reads what another wrote before the sync; arrays and pointers on the stack outlive it. */
__global__ static void ring(unsigned *cell, unsigned *bad, int rounds)
{
    __shared__ unsigned kept;
    auto grid = cg::this_grid();
    const unsigned rank = (unsigned)grid.thread_rank(), size = (unsigned)grid.size();
    unsigned history[4], *last = history;
    if (threadIdx.x == 0)
        kept = blockIdx.x;
    for (int r = 0; r < rounds; r++) {
        cell[rank] = rank * 7 + r;
        *last = rank + r;
        grid.sync();
        const unsigned other = (rank + 1500) % size;
        if (cell[other] != other * 7 + r || *last != rank + r || kept != blockIdx.x)
            atomicAdd(bad, 1);
        last = &history[(r + 1) % 4];
        if (r % 2) {
            grid.sync();
        } else {
            auto token = grid.barrier_arrive();
            grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
        }
    }
}

static void full_device()
{
    cudaDeviceProp device;
    ASK(cudaGetDeviceProperties(&device, 0));
    const int sizes[] = {1024, 128};
    for (int threads : sizes) {
        int each = 0, rounds = 2;
        ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, ring, threads, 0));
        const int blocks = each * device.multiProcessorCount;
        SAY("%d blocks of %d threads", blocks, threads);
        unsigned *cell, *bad, count = 0;
        ASK(cudaMalloc(&cell, sizeof *cell * blocks * threads));
        ASK(cudaMalloc(&bad, sizeof *bad));
        ASK(cudaMemset(bad, 0, sizeof *bad));
        void *args[] = {&cell, &bad, &rounds};
        ASK(cudaLaunchCooperativeKernel((void *)ring, blocks, threads, args, 0, 0));
        ASK(cudaMemcpy(&count, bad, sizeof count, cudaMemcpyDeviceToHost));
        SAY("%u threads saw something else", count);
        ASK(cudaLaunchCooperativeKernel((void *)ring, blocks + 1, threads, args, 0, 0));
        ASK(cudaGetLastError());
        ASK(cudaDeviceSynchronize());
        ASK(cudaFree(cell));
        ASK(cudaFree(bad));
    }
}

int main()
{
    CASE(tiles);
    CASE(wide_tiles);
    CASE(partitions);
    CASE(others);
    CASE(grids);
    CASE(full_device);
    return 0;
}
