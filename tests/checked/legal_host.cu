// SPDX-License-Identifier: MIT
// Ordinary C++ on the host beside kernels: containers, threads, exceptions, globals. No finding.
// expect: wrong 0
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int counter;
static std::vector<std::string> names = {"one", "two"};
static thread_local int per_thread;
static std::atomic<int> shared_count;
static std::mutex lock;

__global__ void square(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= p[i];
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

struct buffer {
    int *data = nullptr;
    size_t n;
    explicit buffer(const std::vector<int> &v) : n(v.size())
    {
        check(cudaMalloc(&data, n * sizeof(int)));
        check(cudaMemcpy(data, v.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    }
    ~buffer()
    {
        cudaFree(data);
    }
    buffer(const buffer &) = delete;
    std::vector<int> get() const
    {
        std::vector<int> v(n);
        check(cudaMemcpy(v.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
        return v;
    }
};

static int &once()
{
    static int value = std::stoi("41");
    return ++value;
}

static int work(int seed)
{
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), seed);
    buffer b(v);
    square<<<4, 32>>>(b.data, 100);
    v = b.get();
    per_thread += v[1];
    shared_count += 1;
    std::lock_guard<std::mutex> held(lock);
    counter += v[0] == seed * seed;
    return v[99] != (seed + 99) * (seed + 99);
}

template <class T>
struct pinned_allocator {
    using value_type = T;
    pinned_allocator() = default;
    template <class U>
    pinned_allocator(const pinned_allocator<U> &)
    {
    }
    T *allocate(size_t n)
    {
        void *p;
        check(cudaMallocHost(&p, n * sizeof(T)));
        return (T *)p;
    }
    void deallocate(T *p, size_t)
    {
        cudaFreeHost(p);
    }
    template <class U>
    bool operator==(const pinned_allocator<U> &) const
    {
        return true;
    }
    template <class U>
    bool operator!=(const pinned_allocator<U> &) const
    {
        return false;
    }
};

int main()
{
    int wrong = 0;
    std::vector<std::thread> threads;
    std::atomic<int> failed{0};
    for (int t = 0; t < 4; t++)
        threads.emplace_back([t, &failed] { failed += work(t); });
    for (auto &t : threads)
        t.join();
    wrong += failed + (counter != 4) + (shared_count != 4);

    try {
        buffer too_big(std::vector<int>(1));
        void *p;
        check(cudaMalloc(&p, (size_t)1 << 50));
        wrong++;
    } catch (const std::runtime_error &e) {
        wrong += std::string(e.what()).empty();
    }
    cudaGetLastError();

    std::vector<int, pinned_allocator<int>> pinned; // grows: copies of itself in pinned memory
    for (int i = 0; i < 1000; i++)
        pinned.push_back(1000 - i);
    std::sort(pinned.begin(), pinned.end());
    wrong += pinned[0] != 1 || pinned.back() != 1000;
    std::vector<int> plain(pinned.begin(), pinned.end());
    memset(pinned.data(), 0, pinned.size() * sizeof(int));
    memcpy(pinned.data(), plain.data(), pinned.size() * sizeof(int));
    wrong += std::accumulate(pinned.begin(), pinned.end(), 0) != 500500;

    int *managed;
    check(cudaMallocManaged(&managed, 100 * sizeof(int)));
    std::iota(managed, managed + 100, 0);
    square<<<1, 128>>>(managed, 100);
    check(cudaDeviceSynchronize());
    wrong += std::count_if(managed, managed + 100, [](int x) { return x > 9801; });
    wrong += *std::max_element(managed, managed + 100) != 9801;
    cudaFree(managed);

    std::map<std::string, std::function<int()>> table;
    for (const std::string &name : names)
        table[name] = [name] { return (int)name.size(); };
    std::ostringstream text;
    for (auto &[name, call] : table)
        text << name << call() << ' ';
    wrong += text.str() != "one3 two3 ";
    std::unique_ptr<int[]> owned(new int[10]());
    wrong += owned[9] != 0 || once() != 42 || once() != 43;
    printf("wrong %d\n", wrong);
    return 0;
}
