// SPDX-License-Identifier: MIT
// Eight host threads use all of the runtime at once; run.py looks at it with ThreadSanitizer.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

enum { THREADS = 8, N = 1 << 10, ROUNDS = 12 };

static std::atomic<int> wrong;
static std::atomic<long> called;
static cudaStream_t shared_stream;
static cudaEvent_t handed[THREADS];
static int *shared_sum;
static int plain; // of no device

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what) && wrong++ < 9)                                                                          \
            printf("line %d: %s\n", __LINE__, #what);                                                        \
    } while (0)
#define OK(call)                                                                                             \
    do {                                                                                                     \
        cudaError_t e_ = call;                                                                               \
        if (e_ && wrong++ < 9)                                                                               \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(e_));                              \
    } while (0)

__global__ void add(int *p, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += value;
}

__global__ void turn(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = __shfl_xor_sync(~0u, s[31 - threadIdx.x], 31);
}

__global__ void count(int *sum)
{
    atomicAdd(sum, 1);
}

static void call(void *)
{
    called++;
}

static void own_memory(int me, int round)
{
    std::vector<int> host(N, me);
    int *d, *pinned, *pooled, *managed;
    size_t free, total;
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, round & 1 ? cudaStreamNonBlocking : cudaStreamDefault));
    OK(cudaMalloc(&d, N * sizeof(int)));
    OK(cudaMallocHost(&pinned, N * sizeof(int)));
    OK(cudaMallocManaged(&managed, N * sizeof(int)));
    OK(cudaMallocAsync(&pooled, N * sizeof(int), s));
    OK(cudaMemGetInfo(&free, &total));
    OK(cudaMemcpyAsync(pooled, host.data(), N * sizeof(int), cudaMemcpyHostToDevice, s));
    add<<<N / 128, 128, 0, s>>>(pooled, round, N);
    OK(cudaMemcpyAsync(pinned, pooled, N * sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(pooled, s));
    OK(cudaMemsetAsync(managed, 0, N * sizeof(int), s));
    add<<<N / 128, 128, 0, s>>>(managed, me, N);
    turn<<<1, 32, 0, s>>>(managed);
    OK(cudaLaunchHostFunc(s, call, nullptr));
    OK(cudaStreamSynchronize(s));
    CHECK(pinned[0] == me + round && pinned[N - 1] == me + round && managed[N - 1] == me);
    OK(cudaMemcpy(d, pinned, N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(host.data(), d, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(host[N / 2] == me + round);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, d));
    CHECK(a.type == cudaMemoryTypeDevice);
    OK(cudaFree(d));
    OK(cudaFree(managed));
    OK(cudaFreeHost(pinned));
    OK(cudaStreamDestroy(s));
}

// An event recorded here, waited for by the next thread's stream, and by the host.
static void shared_streams(int me)
{
    count<<<1, 4, 0, shared_stream>>>(shared_sum);
    OK(cudaEventRecord(handed[me], shared_stream));
    OK(cudaStreamWaitEvent(cudaStreamPerThread, handed[(me + 1) % THREADS], 0));
    count<<<1, 4, 0, cudaStreamPerThread>>>(shared_sum);
    cudaError_t e = cudaEventQuery(handed[(me + 2) % THREADS]);
    CHECK(e == cudaSuccess || e == cudaErrorNotReady);
    OK(cudaEventSynchronize(handed[me]));
    e = cudaStreamQuery(shared_stream);
    CHECK(e == cudaSuccess || e == cudaErrorNotReady);
    count<<<1, 4>>>(shared_sum);
    OK(cudaStreamSynchronize(0));
}

// What one thread did wrong is no other's error.
static void own_errors(int me)
{
    void *p;
    CHECK(cudaGetLastError() == cudaSuccess);
    if (me & 1) {
        CHECK(cudaMalloc(&p, (size_t)1 << 45) == cudaErrorMemoryAllocation);
        std::this_thread::yield();
        CHECK(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
        CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
        count<<<1, 2000>>>(nullptr);
        CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    } else {
        CHECK(cudaFree(&plain) == cudaErrorInvalidValue);
        CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    }
    CHECK(cudaGetLastError() == cudaSuccess);
}

// A host function that waits for what another thread does, which needs the runtime for it.
static void waiting_function()
{
    static std::mutex mutex;
    static std::condition_variable changed;
    static bool ready, done;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    std::thread other([] {
        std::unique_lock<std::mutex> lock(mutex);
        void *p;
        OK(cudaMalloc(&p, 100));
        OK(cudaMemset(p, 0, 100));
        ready = true;
        changed.notify_all();
        changed.wait(lock, [] { return done; });
        OK(cudaFree(p)); // not before: it waits for all that is queued
    });
    OK(cudaLaunchHostFunc(
        s,
        [](void *) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [] { return ready; });
            done = true;
            changed.notify_all();
            CHECK(cudaDeviceSynchronize() == cudaErrorNotPermitted);
            CHECK(cudaGetLastError() == cudaErrorNotPermitted);
        },
        nullptr));
    OK(cudaStreamSynchronize(s));
    other.join();
    OK(cudaStreamDestroy(s));
}

int main()
{
    int sum = 0;
    OK(cudaMalloc(&shared_sum, sizeof(int)));
    OK(cudaMemset(shared_sum, 0, sizeof(int)));
    OK(cudaStreamCreate(&shared_stream));
    for (cudaEvent_t &e : handed)
        OK(cudaEventCreate(&e));
    std::vector<std::thread> threads;
    for (int me = 0; me < THREADS; me++)
        threads.emplace_back([me] {
            for (int round = 0; round < ROUNDS; round++) {
                own_memory(me, round);
                shared_streams(me);
                own_errors(me);
            }
        });
    for (std::thread &t : threads)
        t.join();
    OK(cudaMemcpy(&sum, shared_sum, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(sum == THREADS * ROUNDS * 12);
    CHECK(called == THREADS * ROUNDS);
    waiting_function();
    // the host waits without a call: the device goes on by itself
    std::atomic<bool> told{false};
    OK(cudaLaunchHostFunc(shared_stream, [](void *p) { *(std::atomic<bool> *)p = true; }, &told));
    while (!told)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (cudaEvent_t e : handed)
        OK(cudaEventDestroy(e));
    OK(cudaStreamDestroy(shared_stream));
    OK(cudaFree(shared_sum));
    printf("%d wrong\n", (int)wrong);
    return wrong != 0;
}
