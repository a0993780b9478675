// SPDX-License-Identifier: MIT
// Virtual memory: used after it is unmapped, outside what is mapped, without access; through two addresses.
//
// run: unmapped
// finding: argument @stale@ @map@ @unmap@
// run: unmapped-member
// finding: use after free @use-member@ @map@ @unmap@
// run: remapped
// expect: 32 again
// run: bounds
// finding: out of bounds @past@ @reserve@
// run: hole
// finding: out of bounds @use@ @reserve@
// run: access
// finding: no access @use@ @map@
// run: taken
// finding: no access @use@ @map@
// run: read-only
// finding: kernel fault @use@ @map@
// run: copy
// finding: range @copied@
// run: handle
// finding: leak @create@
// expect-not: @reserve@
// run: all
// finding: leak @create@
// finding: leak @reserve@
// run: pending
// finding: unordered free @early@ @launch@
// run: race
// finding: global memory race @both@
// run: streams
// finding: unordered work @other@ @one@
// run: ordered
// expect: 33 through both
// run: unwritten
// finding: unwritten @look@
// run: written
// expect: 32 through both
// run: neighbours
// expect: 64 written
// run: right
// expect: 32 through both
#include <cuda.h>
#include <stdio.h>
#include <string.h>

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value; // use
}

struct view {
    int *data;
};

__global__ void fill_view(view v)
{
    v.data[threadIdx.x] = 1; // use-member
}

__global__ void fill_past(int *p, int n)
{
    if (threadIdx.x == 0)
        p[n] = 1; // past
}

__global__ void add_one(int *p)
{
    *p += 1; // one
}

__global__ void add_other(int *p)
{
    *p += 1; // other
}

__global__ void both_names(int *p, int *q)
{
    (threadIdx.x ? p : q)[0] = threadIdx.x; // both
}

__global__ void look(const int *p, int *sum)
{
    atomicAdd(sum, p[threadIdx.x]); // look
}

static int get(const int *p)
{
    int v = 0;
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    const size_t page = 2 << 20;
    const int words = page / sizeof(int);
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle h, second;
    CUdeviceptr va;
    cudaFree(0);
    cuMemAddressReserve(&va, 8 * page, 0, 0, 0); // reserve
    cuMemCreate(&h, page, &prop, 0); // create
    cuMemMap(va, page, 0, h, 0); // map
    if (!is("access"))
        cuMemSetAccess(va, page, &access, 1);
    const CUdeviceptr alias = va + 4 * page;
    cuMemMap(alias, page, 0, h, 0);
    cuMemSetAccess(alias, page, &access, 1);
    int *p = (int *)va, *q = (int *)alias, *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);

    if (is("unmapped") || is("unmapped-member")) {
        fill<<<1, 32>>>(p, 1);
        cudaDeviceSynchronize();
        cuMemUnmap(va, page); // unmap
        if (is("unmapped"))
            fill<<<1, 32>>>(p, 2); // stale
        else
            fill_view<<<1, 32>>>(view{p});
    } else if (is("remapped")) {
        fill<<<1, 32>>>(p, 1);
        cudaDeviceSynchronize();
        cuMemUnmap(va, page);
        cuMemMap(va, page, 0, h, 0);
        cuMemSetAccess(va, page, &access, 1);
        look<<<1, 32>>>(p, sum);
        printf("%d again\n", get(sum));
    } else if (is("bounds")) {
        fill_past<<<1, 32>>>(p, words);
    } else if (is("hole")) {
        fill<<<1, 32>>>(p + 2 * words, 1);
    } else if (is("access")) {
        fill<<<1, 32>>>(p, 1);
    } else if (is("taken")) {
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        cuMemSetAccess(va, page, &access, 1);
        fill<<<1, 32>>>(p, 1);
    } else if (is("read-only")) {
        fill<<<1, 32>>>(p, 1);
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
        cuMemSetAccess(va, page, &access, 1);
        look<<<1, 32>>>(p, sum);
        printf("%d read\n", get(sum));
        fill<<<1, 32>>>(p, 2);
    } else if (is("copy")) {
        if (cudaMemset(p, 0, page + 1)) // copied
            cudaGetLastError();
    } else if (is("pending")) {
        cuMemUnmap(alias, page);
        fill<<<1, 32>>>(p, 1); // launch
        cuMemUnmap(va, page); // early
        cuMemMap(va, page, 0, h, 0);
    } else if (is("race")) {
        both_names<<<1, 2>>>(p, q);
    } else if (is("streams") || is("ordered")) {
        cudaStream_t one, other;
        cudaEvent_t done;
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaEventCreate(&done);
        fill<<<1, 32>>>(p, 31);
        cudaDeviceSynchronize();
        add_one<<<1, 1, 0, one>>>(p);
        cudaEventRecord(done, one);
        if (is("ordered"))
            cudaStreamWaitEvent(other, done, 0);
        add_other<<<1, 1, 0, other>>>(q);
        cudaDeviceSynchronize();
        printf("%d through both\n", get(p));
        cudaStreamDestroy(one);
        cudaStreamDestroy(other);
        cudaEventDestroy(done);
    } else if (is("unwritten")) {
        fill<<<1, 31>>>(p, 1);
        look<<<1, 32>>>(q, sum);
    } else if (is("neighbours")) {
        cuMemCreate(&second, page, &prop, 0);
        cuMemMap(va + page, page, 0, second, 0);
        cuMemSetAccess(va, 2 * page, &access, 1);
        cudaMemset(p + words - 32, 0, 64 * sizeof(int));
        fill<<<1, 64>>>(p + words - 32, 1);
        look<<<1, 64>>>(p + words - 32, sum);
        printf("%d written\n", get(sum));
        cuMemUnmap(va + page, page);
        cuMemRelease(second);
    } else {
        fill<<<1, 32>>>(p, 1);
        look<<<1, 32>>>(q, sum);
        printf("%d through both\n", get(sum));
    }
    if (cudaDeviceSynchronize())
        return 1;
    cudaFree(sum);
    if (is("all"))
        return 0;
    cuMemUnmap(va, page);
    cuMemUnmap(alias, page);
    cuMemAddressFree(va, 8 * page);
    if (!is("handle"))
        cuMemRelease(h);
    return 0;
}
