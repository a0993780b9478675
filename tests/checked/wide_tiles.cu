// SPDX-License-Identifier: MIT
// A tile of 64 threads has a barrier of its own, which does not speak for the tile beside it.
//
// run: inside
// expect: sum 32640
// run: across
// finding: shared memory race @write@ @read@
// run: grid
// expect: sum 8386560
// run: no-grid
// finding: global memory race @grid-write@ @grid-read@
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>
namespace cg = cooperative_groups;

__global__ void rotate(unsigned *out, unsigned by, bool across)
{
    __shared__ unsigned cell[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    const unsigned t = threadIdx.x, first = t / 64 * 64;
    unsigned value = t;
    for (int round = 0; round < 3; round++) {
        cell[t] = value; // write
        tile.sync();
        value = cell[across ? (t + by) % 256 : first + (t + by) % 64]; // read
        tile.sync();
    }
    out[t] = value;
}

__global__ void around(unsigned *out, unsigned *cell, bool sync)
{
    auto grid = cg::this_grid();
    const unsigned n = (unsigned)grid.size(), t = (unsigned)grid.thread_rank();
    cell[t] = t; // grid-write
    if (sync)
        grid.sync();
    out[t] = cell[(t + 700) % n]; // grid-read
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "inside";
    const bool whole = strstr(which, "grid");
    bool flag = !strcmp(which, "grid");
    const int n = whole ? 4096 : 256;
    unsigned *out, *cell, *h = new unsigned[n], sum = 0;
    cudaMalloc(&out, n * sizeof *out);
    cudaMalloc(&cell, n * sizeof *cell);
    cudaMemset(cell, 0, n * sizeof *cell);
    void *args[] = {&out, &cell, &flag};
    if (whole)
        cudaLaunchCooperativeKernel((void *)around, n / 32, 32, args, 0, 0);
    else
        rotate<<<1, n>>>(out, 5, !strcmp(which, "across"));
    cudaMemcpy(h, out, n * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum += h[i];
    printf("sum %u\n", sum);
    cudaFree(out);
    cudaFree(cell);
    delete[] h;
    return 0;
}
