// SPDX-License-Identifier: MIT
// Reads of memory that nobody wrote, known to the byte, through copies of every kind.
//
// run: fresh
// finding: unwritten @read@ @source@
// expect: 256-byte
// run: async
// finding: unwritten @read@ @pooled@
// run: partial-kernel
// finding: unwritten @read@ @source@
// first: thread (32,0,0)
// run: partial-fill
// finding: unwritten @read@ @source@
// first: thread (25,0,0)
// run: device-copy
// finding: unwritten @read@ @pooled@
// first: thread (10,0,0)
// run: pinned-copy
// finding: unwritten @read@ @pooled@
// first: thread (10,0,0)
// run: pageable-copy
// finding: unwritten @read@ @pooled@
// first: thread (10,0,0)
// run: downloaded
// finding: result not written @host@ @source@
// run: downloaded-pinned
// finding: result not written @host@ @source@
// run: pinned
// finding: unwritten @host-pinned@ @pinned@
// run: pinned-kernel
// finding: unwritten @read@ @pinned@
// run: pitched
// finding: unwritten @pitched@ @pitched-block@
// run: one-byte
// finding: unwritten @read@ @source@
// first: thread (5,0,0)
// run: increment
// finding: unwritten @increment@ @source@
// run: atomic
// finding: unwritten @atomic@ @source@
// run: compare
// finding: unwritten @compared@ @source@
// run: struct-copy
// finding: unwritten @member@ @pooled@
// run: freed-and-new
// finding: unwritten @read@ @second-block@
// run: printf
// finding: unwritten @printed@ @source@
// run: device-variable
// run: managed
// run: right
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, BYTES = N * sizeof(int) };
struct item {
    int key, value;
};
__device__ int zeroed[N];

__global__ void copy(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x] + 1; // read
}

__global__ void fill(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[threadIdx.x] = threadIdx.x;
}

__global__ void fill_byte(char *p)
{
    if (threadIdx.x != 21)
        p[threadIdx.x] = 1;
}

__global__ void increment(int *p)
{
    p[threadIdx.x]++; // increment
}

__global__ void add(int *p)
{
    atomicAdd(p, 1); // atomic
}

__global__ void compare(int *out, const int *in)
{
    if (in[threadIdx.x] > 5) // compared
        out[threadIdx.x] = 1;
    else
        out[threadIdx.x] = 2;
}

__global__ void keys(item *p)
{
    p[threadIdx.x].key = threadIdx.x;
}

__global__ void pass_on(int *out, item *to, const item *from)
{
    to[threadIdx.x] = from[threadIdx.x];
    out[threadIdx.x] = to[threadIdx.x].value; // member
}

__global__ void print(const int *p)
{
    printf("%d\n", p[threadIdx.x]); // printed
}

__global__ void rows(int *out, const char *p, size_t pitch)
{
    out[threadIdx.x] = ((const int *)(p + threadIdx.x / 8 * pitch))[threadIdx.x % 8]; // pitched
}

__global__ void variable(int *out)
{
    out[threadIdx.x] = zeroed[threadIdx.x];
}

static int sum(const int *p)
{
    int total = 0;
    for (int i = 0; i < N; i++)
        total += p[i]; // host
    return total;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *in, *out, *pooled, *pinned, *managed, *heap = (int *)malloc(BYTES);
    char *rows_block;
    size_t pitch;
    cudaMalloc(&in, BYTES); // source
    cudaMalloc(&out, BYTES);
    cudaMallocAsync(&pooled, BYTES, 0); // pooled
    cudaMallocHost(&pinned, BYTES); // pinned
    cudaMallocManaged(&managed, BYTES);
    cudaMallocPitch(&rows_block, &pitch, 32, 8); // pitched-block
    for (int i = 0; i < N; i++)
        heap[i] = i;
    if (is("fresh"))
        copy<<<1, N>>>(out, in);
    else if (is("async"))
        copy<<<1, N>>>(out, pooled);
    else if (is("partial-kernel")) {
        fill<<<1, N>>>(in, 32);
        copy<<<1, N>>>(out, in);
    } else if (is("partial-fill")) {
        cudaMemset(in, 0, 103);
        copy<<<1, N>>>(out, in);
    } else if (is("device-copy")) {
        fill<<<1, N>>>(in, 10);
        cudaMemcpy(pooled, in, BYTES, cudaMemcpyDeviceToDevice);
        copy<<<1, N>>>(out, pooled);
    } else if (is("pinned-copy")) {
        fill<<<1, N>>>(in, 10);
        cudaMemcpy(pinned, in, BYTES, cudaMemcpyDeviceToHost);
        cudaMemcpy(pooled, pinned, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N>>>(out, pooled);
    } else if (is("pageable-copy")) {
        fill<<<1, N>>>(in, 10);
        cudaMemcpy(heap, in, BYTES, cudaMemcpyDeviceToHost);
        cudaMemcpy(pooled, heap, BYTES, cudaMemcpyHostToDevice);
        copy<<<1, N>>>(out, pooled);
    } else if (is("downloaded")) {
        fill<<<1, N>>>(in, N - 1);
        cudaMemcpy(heap, in, BYTES, cudaMemcpyDeviceToHost);
        printf("%d\n", sum(heap));
    } else if (is("downloaded-pinned")) {
        fill<<<1, N>>>(in, N - 1);
        cudaMemcpyAsync(pinned, in, BYTES, cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize();
        printf("%d\n", sum(pinned));
    } else if (is("pinned"))
        printf("%d\n", pinned[3]); // host-pinned
    else if (is("pinned-kernel"))
        copy<<<1, N>>>(out, pinned);
    else if (is("pitched")) {
        cudaMemcpy2D(rows_block, pitch, heap, 32, 28, 8, cudaMemcpyHostToDevice);
        rows<<<1, N>>>(out, rows_block, pitch);
    } else if (is("one-byte")) {
        fill_byte<<<1, BYTES>>>((char *)in);
        copy<<<1, N>>>(out, in);
    } else if (is("increment"))
        increment<<<1, N>>>(in);
    else if (is("atomic"))
        add<<<1, N>>>(in);
    else if (is("compare"))
        compare<<<1, N>>>(out, in);
    else if (is("struct-copy")) {
        keys<<<1, N / 2>>>((item *)in);
        pass_on<<<1, N / 2>>>(out, (item *)pooled, (item *)in);
    } else if (is("freed-and-new")) {
        int *first, *second;
        cudaMalloc(&first, 1 << 20);
        fill<<<1, N>>>(first, N);
        cudaFree(first);
        cudaMalloc(&second, 1 << 20); // second-block
        copy<<<1, N>>>(out, second);
        cudaDeviceSynchronize();
        cudaFree(second);
    } else if (is("printf"))
        print<<<1, 1>>>(in);
    else if (is("device-variable"))
        variable<<<1, N>>>(out);
    else if (is("managed"))
        copy<<<1, N>>>(out, managed);
    else {
        fill<<<1, N>>>(in, N);
        copy<<<1, N>>>(out, in);
        cudaMemcpy(pinned, out, BYTES, cudaMemcpyDeviceToHost);
        cudaMemcpy2D(rows_block, pitch, pinned, 32, 32, 8, cudaMemcpyHostToDevice);
        rows<<<1, N>>>(out, rows_block, pitch);
        cudaMemcpy(heap, out, BYTES, cudaMemcpyDeviceToHost);
        printf("%d\n", sum(heap));
    }
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFreeAsync(pooled, 0);
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFree(rows_block);
    free(heap);
    return 0;
}
