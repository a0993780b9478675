// SPDX-License-Identifier: MIT
// A device vector that grows in place: a large range of addresses is reserved once, and memory is mapped
// behind what is there. Nothing is copied, pointers stay valid.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <utility>
#include <vector>

#define CHECK(call) check((int)(call), #call, __LINE__)

static void check(int error, const char *call, int line)
{
    if (!error)
        return;
    fprintf(stderr, "line %d: %s: error %d\n", line, call, error);
    exit(1);
}

static size_t free_bytes()
{
    size_t left, all;
    CHECK(cudaMemGetInfo(&left, &all));
    return left;
}

class Vector
{
  public:
    Vector(int device, size_t most_bytes)
    {
        prop_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        prop_.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        access_ = {prop_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        CHECK(cuMemGetAllocationGranularity(&page_, &prop_, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
        reserved_ = (most_bytes + page_ - 1) / page_ * page_;
        CHECK(cuMemAddressReserve(&base_, reserved_, 0, 0, 0));
    }
    Vector(const Vector &) = delete;
    Vector &operator=(const Vector &) = delete;
    ~Vector()
    {
        shrink(0);
        CHECK(cuMemAddressFree(base_, reserved_));
    }

    /* False, and all is as it was, when the device has no more memory. */
    bool grow(size_t bytes)
    {
        if (bytes <= mapped_)
            return true;
        size_t more = (bytes - mapped_ + page_ - 1) / page_ * page_;
        CUmemGenericAllocationHandle handle;
        CUresult e =
            more > reserved_ - mapped_ ? CUDA_ERROR_OUT_OF_MEMORY : cuMemCreate(&handle, more, &prop_, 0);
        if (e == CUDA_ERROR_OUT_OF_MEMORY)
            return false;
        CHECK(e);
        CHECK(cuMemMap(base_ + mapped_, more, 0, handle, 0));
        CHECK(cuMemSetAccess(base_ + mapped_, more, &access_, 1));
        chunks_.push_back({handle, more});
        mapped_ += more;
        return true;
    }

    /* Whole chunks that nothing of the first `bytes` is in go back to the device. */
    void shrink(size_t bytes)
    {
        CHECK(cudaDeviceSynchronize());
        while (!chunks_.empty() && mapped_ - chunks_.back().second >= bytes) {
            mapped_ -= chunks_.back().second;
            CHECK(cuMemUnmap(base_ + mapped_, chunks_.back().second));
            CHECK(cuMemRelease(chunks_.back().first));
            chunks_.pop_back();
        }
    }

    int *data() const
    {
        return (int *)base_;
    }
    size_t bytes() const
    {
        return mapped_;
    }
    size_t chunks() const
    {
        return chunks_.size();
    }

  private:
    CUmemAllocationProp prop_ = {};
    CUmemAccessDesc access_ = {};
    CUdeviceptr base_ = 0;
    size_t page_ = 0, reserved_ = 0, mapped_ = 0;
    std::vector<std::pair<CUmemGenericAllocationHandle, size_t>> chunks_;
};

__global__ void extend(int *x, int from, int to)
{
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to)
        x[i] = x[i - from] + 1;
}

__global__ void count_wrong(const int *x, int n, int first, int *wrong)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int level = 0, j = i;
    for (int from = n / 2; from >= first; from /= 2)
        if (j >= from) {
            j -= from;
            level++;
        }
    if (x[i] != j + level)
        atomicAdd(wrong, 1);
}

__global__ void start(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

int main()
{
    int supported = 0, *wrong, found = -1;
    CUdevice device;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    if (!supported)
        return 77;
    CHECK(cudaMalloc(&wrong, sizeof *wrong));
    CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    const size_t before = free_bytes();
    const int first = 1 << 18, last = 1 << 22; // 1 MiB to 16 MiB
    {
        Vector v(device, (size_t)1 << 36);
        CHECK(!v.grow(first * sizeof(int)));
        const int *where = v.data();
        start<<<first / 256, 256>>>(v.data(), first);
        for (int n = first; n < last; n *= 2) {
            CHECK(!v.grow(2 * n * sizeof(int)));
            extend<<<n / 256, 256>>>(v.data(), n, 2 * n);
        }
        count_wrong<<<last / 256, 256>>>(v.data(), last, first, wrong);
        CHECK(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost));
        CHECK(v.data() != where);
        CHECK(before - free_bytes() != v.bytes());
        printf("%zu MiB in %zu chunks, %d wrong\n", v.bytes() >> 20, v.chunks(), found);

        void *other;
        CHECK(cudaMalloc(&other, free_bytes() / 2));
        printf("more than is left: %d\n", v.grow(v.bytes() + free_bytes() + 1));
        CHECK(cudaFree(other));
        v.shrink(first * sizeof(int));
        printf("shrunk to %zu MiB\n", v.bytes() >> 20);
    }
    CHECK(before != free_bytes());
    CHECK(cudaFree(wrong));
    return found;
}
