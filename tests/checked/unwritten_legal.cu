// SPDX-License-Identifier: MIT
// What is copied without being written and never looked at, or written in other ways: no finding.
//
// run: all
// expect: sum 0
// run: small-padding
// expect: sum 0
// run: move
// expect: sum 0
// run: overwritten
// expect: equal 16
// run: fields
// clang: reads the other fields of the word first
// expect: fields 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char tag;
    double value; // after 7 bytes that nobody writes
    short small;
};
union either {
    int whole;
    char bytes[4];
};
struct flags {
    unsigned a : 3, b : 5, c : 24;
};

__global__ void make(padded *p)
{
    p[threadIdx.x].tag = 1;
    p[threadIdx.x].value = 2;
    p[threadIdx.x].small = 3;
}

__global__ void copy_structs(padded *to, const padded *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void sum_structs(double *out, const padded *p)
{
    out[threadIdx.x] = p[threadIdx.x].tag + p[threadIdx.x].value + p[threadIdx.x].small - 6;
}

__global__ void bytes_then_whole(int *out, either *p)
{
    for (int i = 0; i < 4; i++)
        p[threadIdx.x].bytes[i] = 0;
    out[threadIdx.x] = p[threadIdx.x].whole;
}

__global__ void bit_fields(int *out, flags *p)
{
    flags f = {1, 2, 3};
    p[threadIdx.x] = f;
    p[threadIdx.x].b = 3;
    out[threadIdx.x] = p[threadIdx.x].a + p[threadIdx.x].b + p[threadIdx.x].c - 7;
}

__global__ void fresh_fields(int *out, flags *p)
{
    p[threadIdx.x].a = 1; // reads the word that the fields share
    p[threadIdx.x].b = 3;
    p[threadIdx.x].c = threadIdx.x;
    out[threadIdx.x] = p[threadIdx.x].a + p[threadIdx.x].b + p[threadIdx.x].c - threadIdx.x + 3;
}

__global__ void local_array(int *out)
{
    int unused[8];
    for (int i = 0; i < 4; i++)
        unused[i] = i - 2;
    out[threadIdx.x] = unused[threadIdx.x % 4] + unused[3 - threadIdx.x % 4] + 1;
}

template <class T>
static double total(const T *device, int n)
{
    T *h = (T *)malloc(n * sizeof(T));
    double sum = 0;
    cudaMemcpy(h, device, n * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum += h[i] * h[i];
    free(h);
    return sum;
}

struct small {
    int key;
    char tag;
};

__global__ void make_small(small *p)
{
    p[threadIdx.x].key = threadIdx.x;
    p[threadIdx.x].tag = 1;
}

template <class T>
__global__ void move(T *to, const T *from)
{
    to[threadIdx.x] = from[31 - threadIdx.x];
}

__global__ void take_small(int *out, const small *p)
{
    small mine = p[threadIdx.x];
    out[threadIdx.x] = mine.key + threadIdx.x - 31 + mine.tag - 1;
}

static int small_padding()
{
    small *p, *q;
    int h[32], *out, sum = 0;
    cudaMalloc(&p, sizeof(small) * 32);
    cudaMalloc(&q, sizeof(small) * 32);
    cudaMalloc(&out, sizeof h);
    make_small<<<1, 32>>>(p);
    move<<<1, 32>>>(q, p);
    take_small<<<1, 32>>>(out, q);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h)
        sum += x * x;
    printf("sum %d\n", sum);
    cudaFree(p);
    cudaFree(q);
    cudaFree(out);
    return 0;
}

__global__ void move_block(int *out, const int *from)
{
    __shared__ int cells[64];
    if (threadIdx.x == 0) {
        memset(cells, 1, sizeof cells);
        memcpy(cells, from, sizeof cells / 2);
    }
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x] - (threadIdx.x < 32 ? 0 : 0x01010101);
}

static int moved()
{
    int *from, *out, h[64], sum = 0;
    cudaMalloc(&from, 128);
    cudaMalloc(&out, sizeof h);
    cudaMemset(from, 0, 128);
    move_block<<<1, 64>>>(out, from);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h)
        sum += x * x;
    printf("sum %d\n", sum);
    cudaFree(from);
    cudaFree(out);
    return 0;
}

/* A copy of unwritten bytes that is gone: its place is filled with what new memory happens to hold. */
static int overwritten()
{
    unsigned *d, *pinned, same = 0xA5A5A5A5, again[8];
    memset(again, 0xA5, sizeof again);
    cudaMalloc(&d, sizeof again);
    cudaMallocHost(&pinned, 2 * sizeof again);
    cudaMemcpy(pinned, d, sizeof again, cudaMemcpyDeviceToHost);
    cudaMemcpy(pinned, again, sizeof again, cudaMemcpyHostToHost);
    cudaMemcpy(pinned + 8, d, sizeof again, cudaMemcpyDeviceToHost);
    cudaMemset(pinned + 8, 0xA5, sizeof again);
    cudaDeviceSynchronize();
    int equal = 0;
    for (int i = 0; i < 16; i++)
        equal += pinned[i] == same;
    printf("equal %d\n", equal);
    cudaFree(d);
    return cudaFreeHost(pinned);
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == 'o')
        return overwritten();
    if (argc > 1 && argv[1][0] == 'm')
        return moved();
    if (argc > 1 && argv[1][0] == 's')
        return small_padding();
    if (argc > 1 && argv[1][0] == 'f') {
        int *d, first;
        cudaMalloc(&d, 256);
        fresh_fields<<<1, 32>>>(d, (flags *)d + 32);
        cudaMemcpy(&first, d, sizeof first, cudaMemcpyDeviceToHost);
        printf("fields %d\n", first);
        return cudaFree(d);
    }
    padded *p, *q, *pinned, *h = (padded *)malloc(32 * sizeof(padded));
    double *out, sum = 0;
    int *ints, *more;
    cudaMalloc(&p, 32 * sizeof(padded));
    cudaMalloc(&q, 32 * sizeof(padded));
    cudaMallocHost(&pinned, 32 * sizeof(padded));
    cudaMalloc(&out, 32 * sizeof(double));
    cudaMalloc(&ints, 128);
    cudaMalloc(&more, 1024);

    make<<<1, 32>>>(p); // structures with padding go through every kind of copy
    copy_structs<<<1, 32>>>(q, p);
    cudaMemcpy(pinned, q, 32 * sizeof(padded), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        h[i] = pinned[i];
    cudaMemcpy(p, h, 32 * sizeof(padded), cudaMemcpyHostToDevice);
    sum_structs<<<1, 32>>>(out, p);
    sum += total(out, 32);

    bytes_then_whole<<<1, 32>>>(ints, (either *)more); // bytes make a word
    sum += total(ints, 32);
    bit_fields<<<1, 32>>>(ints, (flags *)more);
    sum += total(ints, 32);
    local_array<<<1, 32>>>(ints);
    sum += total(ints, 32);

    cudaMemset(more, 0, 1024); // fills of every kind
    sum += total(more, 256);
    cudaMemset2D(more, 64, 0, 32, 16);
    sum += total(more, 8);
    memset(h, 0, 32 * sizeof(padded));
    cudaMemcpy2D(more, 64, h, 32, 32, 16, cudaMemcpyHostToDevice);
    sum += total(more, 256);

    int *grown, *block; // a block copied into a larger one of which only the old part is read
    cudaMalloc(&grown, 4096);
    cudaMemcpy(grown, more, 1024, cudaMemcpyDeviceToDevice);
    sum += total(grown, 256);
    cudaMalloc(&block, 4096); // the whole copied back, a part read
    cudaMemcpy(block, grown, 4096, cudaMemcpyDeviceToDevice);
    int *whole = (int *)malloc(4096);
    cudaMemcpy(whole, block, 4096, cudaMemcpyDeviceToHost);
    sum += whole[0] + whole[255];

    printf("sum %g\n", sum);
    free(whole);
    free(h);
    cudaFree(p);
    cudaFree(q);
    cudaFreeHost(pinned);
    cudaFree(out);
    cudaFree(ints);
    cudaFree(more);
    cudaFree(grown);
    cudaFree(block);
    return 0;
}
