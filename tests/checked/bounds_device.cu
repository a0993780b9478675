// SPDX-License-Identifier: MIT
// Bounds to the byte for every size of access, past the end, across it and before the start of a block
// whose size is no multiple of anything.
//
// run: 1 1003 1002
// run: 1 1003 1003
// finding: out of bounds @one@ @allocated@
// expect: 1003-byte
// run: 1 1003 -1
// finding: out of bounds @one@ @allocated@
// expect: before
// run: 2 1003 1000
// run: 2 1003 1002
// finding: out of bounds @two@ @allocated@
// expect: 1002
// run: 4 1003 996
// run: 4 1003 1000
// finding: out of bounds @four@ @allocated@
// expect: 1000
// run: 4 1003 1004
// finding: out of bounds @four@ @allocated@
// run: 4 1003 -4
// finding: out of bounds @four@ @allocated@
// run: 8 1003 992
// run: 8 1003 1000
// finding: out of bounds @eight@ @allocated@
// run: 8 1003 -8
// finding: out of bounds @eight@ @allocated@
// run: 16 1003 976
// run: 16 1003 992
// finding: out of bounds @sixteen@ @allocated@
// run: 16 1003 1008
// finding: out of bounds @sixteen@ @allocated@
// run: 40 1003 960
// run: 40 1003 968
// finding: out of bounds @structure@ @allocated@
// run: 4 1 0
// finding: out of bounds @four@ @allocated@
// expect: 1-byte
// run: 1 1 0
// run: 4 5000000 4999996
// run: 4 5000000 5000000
// finding: out of bounds @four@ @allocated@
// run: 1 512 512
// finding: out of bounds @one@ @allocated@
// run: 1 256 256
// finding: out of bounds @one@ @allocated@
// run: 1 2097152 2097152
// finding: out of bounds @one@ @allocated@
#include <stdio.h>
#include <stdlib.h>

struct big {
    double values[5];
};

__global__ void write1(char *p, long at) { *(p + at) = 1; } // one
__global__ void write2(char *p, long at) { *(short *)(p + at) = 1; } // two
__global__ void write4(char *p, long at) { *(float *)(p + at) = 1; } // four
__global__ void write8(char *p, long at) { *(double *)(p + at) = 1; } // eight
__global__ void write16(char *p, long at) { *(int4 *)(p + at) = make_int4(1, 2, 3, 4); } // sixteen
__global__ void write40(char *p, long at, big b) { *(big *)(p + at) = b; } // structure

int main(int argc, char **argv)
{
    int size = argc > 3 ? atoi(argv[1]) : 1;
    long bytes = argc > 3 ? atol(argv[2]) : 1003, at = argc > 3 ? atol(argv[3]) : 0;
    char *before, *p, *after;
    cudaMalloc(&before, 512);
    cudaMalloc(&p, bytes); // allocated
    cudaMalloc(&after, 512);
    switch (size) {
    case 1: write1<<<1, 1>>>(p, at); break;
    case 2: write2<<<1, 1>>>(p, at); break;
    case 4: write4<<<1, 1>>>(p, at); break;
    case 8: write8<<<1, 1>>>(p, at); break;
    case 16: write16<<<1, 1>>>(p, at); break;
    case 40: write40<<<1, 1>>>(p, at, big{}); break;
    }
    cudaDeviceSynchronize();
    cudaFree(before);
    cudaFree(p);
    cudaFree(after);
    return 0;
}
