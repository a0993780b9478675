// SPDX-License-Identifier: MIT
// Bounds of every kind of block: from a pool, with a pitch, cut from another block, by a symbol's address.
//
// run: pool 99
// run: pool 100
// finding: out of bounds @put@ @pool@
// run: pool -1
// finding: out of bounds @put@ @pool@
// run: second-in-pool 100
// finding: out of bounds @put@ @pool-second@
// run: pitch 0
// run: pitch 1024
// finding: out of bounds @put@ @pitch@
// run: symbol 15
// run: symbol 16
// finding: out of bounds @put@
// expect: table
// run: managed-variable 15
// run: managed-variable 16
// finding: out of bounds @put@
// expect: shared_table
// run: atomic 99
// run: atomic 100
// finding: out of bounds @add@ @plain@
// run: compare 100
// finding: out of bounds @compare@ @plain@
// run: double 50
// finding: out of bounds @double@ @plain@
// run: exchange 100
// finding: out of bounds @exchange@ @plain@
// run: past-by-page 3000000
// finding: out of bounds @put@ @plain@
// run: two-dimensional 10
// finding: out of bounds @cell@ @plain@
// run: two-dimensional 9
// run: readonly 100
// finding: out of bounds @cached@ @plain@
// run: half 199
// run: half 200
// finding: out of bounds @half@ @plain@
// run: third 33
// finding: out of bounds @third@ @plain@
// run: third 32
// run: subobject 99
// run: straddling-last 398
// finding: out of bounds @copied@ @plain@
// run: straddling-last 396
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ int table[16], table_after[16];
__managed__ int shared_table[16];

__global__ void put(int *p, long i)
{
    p[i] = 1; // put
}

__global__ void add(int *p, long i)
{
    atomicAdd(p + i, 1); // add
}

__global__ void compare(int *p, long i)
{
    atomicCAS(p + i, 0, 1); // compare
}

__global__ void add_double(double *p, long i)
{
    atomicAdd(p + i, 1.0); // double
}

__global__ void exchange(int *p, long i)
{
    atomicExch(p + i, 1); // exchange
}

__global__ void square(int *p, long row, long column)
{
    int(*rows)[10] = (int(*)[10])p;
    rows[row][column] = 1; // cell
}

__global__ void cached(int *p, long i)
{
    p[0] = __ldg(p + i); // cached
}

__global__ void halves(__half *p, long i)
{
    p[i] = __float2half(1.0f); // half
}

struct triple {
    float x, y, z;
};

__global__ void triples(triple *p, long i)
{
    p[i] = triple{1, 2, 3}; // third
}

__global__ void copy_bytes(char *p, long i)
{
    char bytes[4] = {1, 2, 3, 4};
    memcpy(p + i, bytes, 4); // copied
}

int main(int argc, char **argv)
{
    const char *which = argc > 2 ? argv[1] : "pool";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    long i = argc > 2 ? atol(argv[2]) : 0;
    int *plain, *first, *second, *rows;
    size_t pitch;
    void *of_symbol;
    cudaMalloc(&plain, 400); // plain
    cudaMallocAsync(&first, 400, 0); // pool
    cudaMallocAsync(&second, 400, 0); // pool-second
    cudaMallocPitch(&rows, &pitch, 400, 8); // pitch
    cudaGetSymbolAddress(&of_symbol, table);
    cudaMemset(plain, 0, 400);
    if (is("pool"))
        put<<<1, 1>>>(first, i);
    else if (is("second-in-pool"))
        put<<<1, 1>>>(second, i);
    else if (is("pitch"))
        put<<<1, 1>>>(rows, i);
    else if (is("symbol"))
        put<<<1, 1>>>((int *)of_symbol, i);
    else if (is("managed-variable"))
        put<<<1, 1>>>(shared_table, i);
    else if (is("atomic"))
        add<<<1, 1>>>(plain, i);
    else if (is("compare"))
        compare<<<1, 1>>>(plain, i);
    else if (is("double"))
        add_double<<<1, 1>>>((double *)plain, i);
    else if (is("exchange"))
        exchange<<<1, 1>>>(plain, i);
    else if (is("past-by-page"))
        put<<<1, 1>>>(plain, i);
    else if (is("two-dimensional"))
        square<<<1, 1>>>(plain, i, 9);
    else if (is("readonly"))
        cached<<<1, 1>>>(plain, i);
    else if (is("half"))
        halves<<<1, 1>>>((__half *)plain, i);
    else if (is("third"))
        triples<<<1, 1>>>((triple *)plain, i);
    else if (is("straddling-last"))
        copy_bytes<<<1, 1>>>((char *)plain, i);
    else
        put<<<1, 1>>>(plain + 20, i - 20);
    cudaDeviceSynchronize();
    cudaFree(plain);
    cudaFreeAsync(first, 0);
    cudaFreeAsync(second, 0);
    cudaFree(rows);
    return 0;
}
