// SPDX-License-Identifier: MIT
// Bounds of shared arrays: the neighbour array is not the same array.
//
// run: low -1
// finding: out of bounds @low@
// run: low 0
// run: low 15
// run: low 16
// finding: out of bounds @low@
// first: thread (0,0,0)
// run: high -1
// finding: out of bounds @high@
// run: high 15
// run: high 16
// finding: out of bounds @high@
// run: high 100000
// finding: out of bounds @high@
// run: dynamic 31
// run: dynamic 32
// finding: out of bounds @dynamic@
// expect: 128
// run: dynamic -1
// finding: out of bounds @dynamic@
// run: byte 2
// run: byte 3
// finding: out of bounds @byte@
// run: straddle 14
// run: straddle 15
// finding: out of bounds @straddle@
// run: called 17
// finding: out of bounds @called@
// run: member 9
// finding: out of bounds @member@
// run: read 16
// finding: out of bounds @read@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum which { LOW, HIGH, DYNAMIC, BYTE, STRADDLE, CALLED, MEMBER, READ };
struct cells {
    int count;
    int list[8];
};

__device__ void store(int *p, int i)
{
    p[i] = 5; // called
}

__global__ void touch(int *out, int which, int i)
{
    __shared__ int low[16];
    __shared__ __align__(8) int high[16];
    __shared__ char three[3];
    __shared__ cells cell;
    extern __shared__ int dynamic[];
    low[threadIdx.x] = high[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x)
        return;
    if (which == LOW)
        low[i] = 2; // low
    if (which == HIGH)
        high[i] = 2; // high
    if (which == DYNAMIC)
        dynamic[i] = 2; // dynamic
    if (which == BYTE)
        three[i] = 2; // byte
    if (which == STRADDLE)
        memcpy(&high[i], out + 4, 8); // straddle
    if (which == CALLED)
        store(low, i);
    if (which == MEMBER)
        cell.list[i] = 3; // member
    if (which == READ)
        out[1] = low[i]; // read
    out[0] = low[1] + high[1];
}

int main(int argc, char **argv)
{
    const char *names[] = {"low", "high", "dynamic", "byte", "straddle", "called", "member", "read"};
    int *d, which = 0;
    while (which < READ && argc > 2 && strcmp(argv[1], names[which]))
        which++;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    touch<<<1, 16, 128>>>(d, which, argc > 2 ? atoi(argv[2]) : 0);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
