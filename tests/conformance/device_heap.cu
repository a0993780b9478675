/* SPDX-License-Identifier: MIT */
/* malloc and free in kernels: how large the device's heap is, what fits, what lasts. */
#include "heap.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

__global__ static void plain()
{
    noted[0] = 1;
}

/* As many blocks of this size as the heap holds, a list; how many that are. */
__global__ static void fill(size_t bytes)
{
    char *first = NULL;
    noted[0] = 0;
    for (char *p; noted[0] < 1000 && (p = (char *)malloc(bytes)); noted[0]++) {
        *(char **)p = first;
        first = p;
    }
    kept = first;
}

__global__ static void empty()
{
    for (char *p = kept, *next; p; p = next) {
        next = *(char **)p;
        free(p);
    }
}

static bool can_fill(size_t bytes, size_t at_least, size_t at_most)
{
    fill<<<1, 1>>>(bytes);
    learn();
    return told[0] >= at_least && told[0] <= at_most;
}

/* Not part of the answer: how many blocks of a size fit. */
static void count_blocks(size_t bytes)
{
    can_fill(bytes, 0, 0);
    fprintf(stderr, "%llu blocks of %zu bytes\n", told[0], bytes);
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
}

/* ---- the limit ---- */

static void limit_of_heap()
{
    static const size_t sizes[] = {16 * MIB, 1 * MIB, 8 * MIB + 1, 1000000, 100000, 1, 0, 9 * MIB};
    size_t limit = 0;
    ASK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    SAY("at first %zu", limit);
    for (size_t bytes : sizes) {
        cudaError_t e = cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes);
        cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
        SAY("set to %zu -> %s: %zu", bytes, cudaGetErrorName(e), limit);
    }
}

static void limit_after_a_kernel_without_heap()
{
    size_t limit = 0;
    plain<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB));
    ASK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    SAY("now %zu; malloc of 12 MiB works: %d", limit, can_allocate(12 * MIB));
}

static void limit_after_use()
{
    size_t limit = 0;
    LAUNCH("a kernel that allocates", allocate<<<1, 1>>>(64));
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB)); // the kernel may still run
    cudaGetLastError();
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 * MIB));
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 * MIB));
    cudaGetLastError();
    ASK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    SAY("now %zu; malloc of 12 MiB works: %d", limit, can_allocate(12 * MIB));
    release<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB));
}

static void limit_after_a_kernel_that_could_have()
{
    fill<<<1, 1>>>((size_t)1 << 40);
    ASK(learn());
    SAY("it got %llu blocks", told[0]);
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB));
}

static void limit_and_reset()
{
    size_t limit = 0;
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * MIB));
    SAY("malloc of 12 MiB works: %d", can_allocate(12 * MIB));
    ASK(cudaDeviceReset());
    ASK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    SAY("after a reset %zu", limit);
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 * MIB));
    SAY("malloc of 24 MiB works: %d", can_allocate(24 * MIB));
}

static void memory_of_the_heap()
{
    cudaFree(0);
    size_t before = probe_free_bytes();
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * MIB));
    SAY("limit set: %ld MiB less free", probe_taken_kib(before) / 1024);
    allocate<<<1, 1>>>(64);
    ASK(cudaDeviceSynchronize());
    long taken = probe_taken_kib(before) / 1024;
    SAY("used: at least 64 MiB less free: %d", taken >= 64);
    allocate<<<1, 1>>>(16 * MIB);
    ASK(cudaDeviceSynchronize());
    SAY("used more: %ld MiB less free", probe_taken_kib(before) / 1024 - taken);
}

static void a_heap_beyond_the_memory()
{
    size_t now = 0, total = 0;
    cudaMemGetInfo(&now, &total);
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, total + total / 2));
    cudaGetLastError();
    LAUNCH("a kernel that allocates", allocate<<<1, 1>>>(64));
    ASK(learn());
    SAY("it got memory: %llu", told[0]);
}

/* ---- malloc and free ---- */

__global__ static void odd_sizes(size_t nearly)
{
    unsigned wrong = 0;
    for (size_t bytes = 1; bytes < 3000; bytes += bytes < 64 ? 1 : 127) {
        void *p = seen(malloc(bytes));
        wrong += !p || (size_t)p % 16;
        free(p);
    }
    noted[0] = wrong;
    void *none = seen(malloc(0));
    noted[1] = none != NULL;
    free(none);
    free(NULL);
    noted[2] = seen(malloc((size_t)1 << 40)) != NULL;
    noted[3] = seen(malloc(nearly)) != NULL;
    delete (int *)NULL;
    delete[](int *) NULL;
}

static void sizes_and_alignment()
{
    odd_sizes<<<1, 1>>>((size_t)-16);
    ASK(learn());
    SAY("wrong sizes %llu; of 0 bytes: %llu; of 1 TiB: %llu; of -16 bytes: %llu", told[0], told[1], told[2],
        told[3]);
}

__global__ static void aligned()
{
    void *p = __nv_aligned_device_malloc(100, 4096), *q = __nv_aligned_device_malloc(1000, 256);
    noted[0] = p && (size_t)p % 4096 == 0;
    noted[1] = q && (size_t)q % 256 == 0;
    free(p);
    free(q);
}

static void alignment_asked_for()
{
    aligned<<<1, 1>>>();
    ASK(learn());
    SAY("at 4096: %llu; at 256: %llu", told[0], told[1]);
}

static void how_much_fits()
{
    for (size_t bytes = 16 * KIB; bytes <= 4 * MIB; bytes *= 4)
        count_blocks(bytes);
    SAY("8 MiB: %d", can_allocate(8 * MIB));
    SAY("8 MiB - 64 KiB: %d", can_allocate(8 * MIB - 64 * KIB));
    SAY("7 MiB: %d", can_allocate(7 * MIB));
    SAY("4 MiB: %d", can_allocate(4 * MIB));
    SAY("12 MiB: %d", can_allocate(12 * MIB));
    SAY("blocks of 64 KiB: 64 to 128: %d", can_fill(64 * KIB, 64, 128));
    ASK(cudaDeviceSynchronize());
}

static void full_and_empty()
{
    bool full = can_fill(64 * KIB, 64, 128);
    unsigned long long first = told[0];
    empty<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    fill<<<1, 1>>>(64 * KIB);
    ASK(learn());
    SAY("blocks of 64 KiB: 64 to 128: %d; as many again: %d", full, told[0] == first);
    empty<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    SAY("4 MiB in one: %d", can_allocate(4 * MIB));
    fill<<<1, 1>>>(16 * KIB);
    empty<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
    SAY("4 MiB in one after small ones: %d", can_allocate(4 * MIB));
    ASK(cudaDeviceReset());
    can_fill(64 * KIB, 0, 0);
    SAY("as many after a reset, with the others lost: %d", told[0] == first);
}

__global__ static void everyone(int *wrong)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc((1 + i % 16) * sizeof *p);
    if (!p) {
        atomicAdd(&wrong[0], 1);
        return;
    }
    for (unsigned k = 0; k <= i % 16; k++)
        p[k] = mixed(i + k);
    __syncthreads();
    for (unsigned k = 0; k <= i % 16; k++)
        atomicAdd(&wrong[1], p[k] != mixed(i + k));
    free(p);
}

static void all_threads_at_once()
{
    int *wrong = NULL;
    ASK(cudaMallocManaged(&wrong, 2 * sizeof *wrong));
    wrong[0] = wrong[1] = 0;
    for (int i = 0; i < 4; i++)
        everyone<<<64, 128>>>(wrong);
    ASK(cudaDeviceSynchronize());
    SAY("without memory %d, overwritten %d", wrong[0], wrong[1]);
}

/* ---- from kernel to kernel ---- */

struct Node {
    Node *next;
    int value;
};

__global__ static void build(Node **list, int count)
{
    for (int i = 0; i < count; i++) {
        Node *n = (Node *)malloc(sizeof *n);
        n->value = i * i;
        n->next = *list;
        *list = n;
    }
}

__global__ static void sum(const Node *first, int *out)
{
    int s = 0;
    for (const Node *n = first; n; n = n->next)
        s += n->value;
    *out = s;
}

__global__ static void tear_down(Node *first)
{
    for (Node *n = first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
}

static void it_lasts()
{
    Node **list, *first = NULL;
    int *out, result = 0;
    ASK(cudaMalloc(&list, sizeof *list));
    ASK(cudaMalloc(&out, sizeof *out));
    ASK(cudaMemset(list, 0, sizeof *list));
    build<<<1, 1>>>(list, 100);
    ASK(cudaMemcpy(&first, list, sizeof first, cudaMemcpyDeviceToHost));
    sum<<<1, 1>>>(first, out);
    ASK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    SAY("sum %d", result);
    tear_down<<<1, 1>>>(first);
    ASK(cudaDeviceSynchronize());
}

__global__ static void give_each(float **rows)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = (float *)malloc(16 * sizeof **rows);
    for (int k = 0; k < 16; k++)
        rows[i][k] = (float)(i + k);
}

__global__ static void take_others(float **rows, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = gridDim.x * blockDim.x - 1 - i;
    out[i] = 0;
    for (int k = 0; k < 16; k++)
        out[i] += rows[other][k];
    const float4 v = ((const float4 *)rows[other])[3];
    out[i] += v.x + v.y + v.z + v.w;
    free(rows[other]);
}

static void freed_by_another_thread()
{
    float **rows, *out, back[256], total = 0;
    cudaMalloc(&rows, 256 * sizeof *rows);
    cudaMalloc(&out, sizeof back);
    give_each<<<4, 64>>>(rows);
    take_others<<<8, 32>>>(rows, out);
    ASK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (float f : back)
        total += f;
    SAY("sum %.0f", total);
}

__global__ static void shared_by_the_block(int *out)
{
    __shared__ int *data;
    if (threadIdx.x == 0) {
        data = (int *)malloc(blockDim.x * sizeof *data);
        memset(data, 0, blockDim.x * sizeof *data);
    }
    __syncthreads();
    atomicAdd(&data[(threadIdx.x * 7) % blockDim.x], (int)threadIdx.x);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        free(data);
}

static void one_block_for_a_block()
{
    int *out, back[256];
    unsigned hash = 0;
    cudaMalloc(&out, sizeof back);
    shared_by_the_block<<<4, 64>>>(out);
    ASK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int v : back)
        hash = mixed(hash + (unsigned)v);
    SAY("hash %08x", hash);
}

int main()
{
    CASE(limit_of_heap);
    CASE(limit_after_a_kernel_without_heap);
    CASE(limit_after_use);
    CASE(limit_after_a_kernel_that_could_have);
    CASE(limit_and_reset);
    CASE(memory_of_the_heap);
    CASE(a_heap_beyond_the_memory);
    CASE(sizes_and_alignment);
    CASE(alignment_asked_for);
    CASE(how_much_fits);
    CASE(full_and_empty);
    CASE(all_threads_at_once);
    CASE(it_lasts);
    CASE(freed_by_another_thread);
    CASE(one_block_for_a_block);
    return 0;
}
