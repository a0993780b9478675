// SPDX-License-Identifier: MIT
// Kernels in an object that was built without --check: what they write is not seen, but it is no longer what
// fresh memory holds; what they leave out still is.
//
// unchecked: -DUNCHECKED
// run: all
// expect: sum 2016
// run: some
// finding: unwritten @read@ @block@
// first: thread (40,0,0)
// run: bytes
// expect: sum 2016
// run: copied
// expect: sum 2016
// run: some-copied
// finding: unwritten @read@ @second@
// run: downloaded
// expect: sum 2016
// run: some-downloaded
// finding: result not written @host@ @block@
// run: tile
// expect: sum 2016
// run: some-of-tile
// finding: unwritten @tile@
// run: huge
// finding: unwritten @read@ @huge@
#include <stdio.h>
#include <string.h>

enum { N = 64, BYTES = N * sizeof(int) };
__global__ void fill(int *p, int n);
__global__ void fill_bytes(int *p);
__device__ void fill_tile(int *tile, int n);

#ifdef UNCHECKED
__global__ void fill(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[threadIdx.x] = threadIdx.x;
}

__global__ void fill_bytes(int *p)
{
    char *c = (char *)(p + threadIdx.x);
    for (size_t i = 0; i < sizeof *p; i++)
        c[i] = i ? 0 : threadIdx.x;
}

__device__ void fill_tile(int *tile, int n)
{
    if ((int)threadIdx.x < n)
        tile[threadIdx.x] = threadIdx.x;
}
#else
__global__ void copy(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x]; // read
}

__global__ void turn(int *out, int n)
{
    __shared__ int tile[N];
    fill_tile(tile, n);
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x]; // tile
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
    const char *which = argc > 1 ? argv[1] : "all";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    const int n = strncmp(which, "some", 4) ? N : 40;
    int *block, *second, *out, *huge, h[N];
    cudaMalloc(&block, BYTES); // block
    cudaMalloc(&second, BYTES); // second
    cudaMalloc(&out, BYTES);
    cudaMalloc(&huge, 160 << 20); // huge
    if (is("bytes"))
        fill_bytes<<<1, N>>>(block);
    else
        fill<<<1, N>>>(block, n);
    if (is("tile") || is("some-of-tile")) {
        turn<<<1, N>>>(out, n);
    } else if (is("copied") || is("some-copied")) {
        cudaMemcpy(second, block, BYTES, cudaMemcpyDeviceToDevice);
        copy<<<1, N>>>(out, second);
    } else if (is("huge")) {
        copy<<<1, N>>>(out, huge + (80 << 18));
    } else if (!is("downloaded") && !is("some-downloaded")) {
        copy<<<1, N>>>(out, block);
    }
    cudaMemcpy(h, strstr(which, "downloaded") ? block : out, BYTES, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum(h));
    cudaFree(block);
    cudaFree(second);
    cudaFree(out);
    cudaFree(huge);
    return 0;
}
#endif
