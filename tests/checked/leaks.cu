// SPDX-License-Identifier: MIT
// Memory that is never freed, and memory that is freed too often.
//
// run: a
// finding: leak @looped@
// expect: 100 x cudaMalloc
// expect: 409600
// run: b
// finding: argument @launch@ @one@ @free@
// finding: double free @free@
// expect: freed
// run: c
// finding: leak @path@
// expect: 1200
// expect-not: @other@
// run: d
// expect: done
#include <stdio.h>

__global__ void add(int *p)
{
    p[threadIdx.x] += 1;
}

static int work(bool fail)
{
    void *p, *q;
    cudaMalloc(&p, 1200); // path
    if (fail)
        return 1;
    cudaMalloc(&q, 800); // other
    cudaFree(q);
    cudaFree(p);
    return 0;
}

int main(int argc, char **argv)
{
    char which = argc > 1 ? argv[1][0] : 'd';
    if (which == 'a')
        for (int i = 0; i < 100; i++) {
            void *p;
            cudaMalloc(&p, 4096); // looped
        }
    if (which == 'b') {
        int *p;
        cudaMalloc(&p, 128); // one
        cudaMemset(p, 0, 128);
        for (int i = 0; i < 3; i++) {
            add<<<1, 32>>>(p); // launch
            cudaFree(p); // free
        }
    }
    work(which == 'c');
    printf("done\n");
    return 0;
}
