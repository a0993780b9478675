// SPDX-License-Identifier: MIT
// What the checked build costs an access, with and without the memory profile, and what memory it takes.
// A line: name, best of some runs, unit. The kernels are those of the labs' solutions and others of their
// kinds; beside each stands how many accesses of memory a thread makes.
#include <algorithm>
#include <string.h>
#include <unistd.h>
#include <vector>
#include <sim/profile.h>
#include "bench.h"

enum { N = 1 << 18, RADIUS = 3, TAPS = 2 * RADIUS + 1, BLOCK = 256, GRID = N / BLOCK, SIDE = 512, TILE = 32 };

// What the labs give to their solutions.
__constant__ float c_weight[TAPS];
__host__ __device__ static inline int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}
#define LAB_PREDICT(name, number)
#include "../../solutions/02_copy.cu"         // reverse_kernel: 2
#include "../../solutions/03_memory_types.cu" // filter_...: 2 * TAPS + 1, filter_shared 2 more

__global__ void scale(const float *in, float *out) // 2 accesses
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
__global__ void transpose(const float *in, float *out) // 4
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * TILE + y) * SIDE + blockIdx.x * TILE + x];
    __syncthreads();
    out[(blockIdx.x * TILE + y) * SIDE + blockIdx.y * TILE + x] = tile[x][y];
}
__global__ void gather(const int *index, const float *in, float *out) // 3
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}
__global__ void count(const int *index, int *counts) // 2
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counts[index[i] % 64], 1);
}

static std::vector<double> plain, profiled;

template <class Launch> static void measure(const char *name, double accesses, Launch launch)
{
    auto work = [&] {
        launch();
        CHECK(cudaDeviceSynchronize());
    };
    plain.push_back(best(5, work) / accesses / N);
    sim_profile_start();
    profiled.push_back(best(5, work) / accesses / N);
    sim_profile_stop();
    printf("checked, %s\t%.1f\tns/access\n", name, plain.back());
    printf("checked and profiled, %s\t%.1f\tns/access\n", name, profiled.back());
}

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

// What the process holds of the machine's memory, in bytes.
static double resident()
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        exit(1);
    fclose(f);
    return (double)pages * sysconf(_SC_PAGESIZE);
}

int main(void)
{
    float *in, *out;
    int *index, *host = (int *)malloc(N * sizeof(int));
    unsigned random = 1;
    for (int i = 0; i < N; i++)
        host[i] = (int)((random = random * 1664525 + 1013904223) >> 8) % N;
    double before = resident();
    CHECK(cudaMalloc(&in, 4 * N * sizeof(float)));
    CHECK(cudaMalloc(&out, 4 * N * sizeof(float)));
    CHECK(cudaMalloc(&index, N * sizeof(int)));
    CHECK(cudaMemset(in, 0, 4 * N * sizeof(float)));
    CHECK(cudaMemset(out, 0, 4 * N * sizeof(float)));
    CHECK(cudaMemcpy(index, host, N * sizeof(int), cudaMemcpyHostToDevice));
    scale<<<4 * GRID, BLOCK>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    double used = 9.0 * N * sizeof(float);
    printf("checked, memory a byte of three arrays\t%.1f\tbytes\n", (resident() - before) / used);
    cudaTextureObject_t texture;
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = in;
    from.res.linear.desc = cudaCreateChannelDesc<float>();
    from.res.linear.sizeInBytes = N * sizeof(float);
    CHECK(cudaCreateTextureObject(&texture, &from, &how, NULL));
    CHECK(set_weights(std::vector<float>(TAPS, 1).data()));
    measure("scale", 2, [&] { scale<<<GRID, BLOCK>>>(in, out); });
    measure("reverse_kernel", 2, [&] { reverse_kernel<<<GRID, BLOCK>>>((double *)in, (double *)out, N); });
    measure("filter_global", 2 * TAPS + 1, [&] { filter_global<<<GRID, BLOCK>>>(in, in, out, N); });
    measure("filter_shared", 2 * TAPS + 3, [&] { filter_shared<<<GRID, BLOCK>>>(in, out, N); });
    measure("filter_texture", 2 * TAPS + 1, [&] { filter_texture<<<GRID, BLOCK>>>(texture, out, N); });
    dim3 grid(SIDE / TILE, SIDE / TILE), block(TILE, TILE);
    measure("transpose", 4, [&] { transpose<<<grid, block>>>(in, out); });
    measure("gather", 3, [&] { gather<<<GRID, BLOCK>>>(index, in, out); });
    measure("count", 2, [&] { count<<<GRID, BLOCK>>>(index, (int *)out); });
    printf("checked, median\t%.1f\tns/access\n", median(plain));
    printf("checked and profiled, median\t%.1f\tns/access\n", median(profiled));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(index));
    free(host);
    return 0;
}
