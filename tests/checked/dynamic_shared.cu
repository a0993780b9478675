// SPDX-License-Identifier: MIT
// Dynamic shared memory: as many bytes as the launch says, one array under all its names, apart from
// static shared memory, each block its own. (That two names are one array is a warning of simcc's.)
//
// flags: -w
// run: inside 64
// expect: alias 1 apart 1, element 15
// run: last 64
// finding: out of bounds @use@
// expect: 64
// first: thread (0,0,0)
// run: first 0
// finding: out of bounds @use@
// expect: 0 bytes
// run: peek
// finding: out of bounds @peek@
// expect: a read of 4 bytes
// expect: 0 bytes
// run: inside 256
// expect: alias 1 apart 1, element 15
// run: last 256
// expect: alias 1 apart 1, element 16
// run: two
// expect: sums 496 2016
// run: before 64
// finding: out of bounds @use@
// run: isolated
// finding: unwritten @stale@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern __shared__ int global_name[];

__global__ void touch(int *out, int index)
{
    extern __shared__ float local_name[];
    __shared__ int fixed[16];
    int *p = (int *)local_name;
    fixed[threadIdx.x] = 100;
    __syncthreads();
    if (threadIdx.x == 0) {
        p[index] = index; // use
        out[0] = (void *)global_name == (void *)local_name;
        out[1] = (fixed + 16 <= p || p + 16 <= fixed) && fixed[3] == 100;
        out[2] = global_name[index];
    }
}

__global__ void sum(int *out)
{
    extern __shared__ int part[];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        *out = 0;
        for (int i = 0; i < (int)blockDim.x; i++)
            *out += part[i];
    }
}

__global__ void peek(int *out)
{
    extern __shared__ int part[];
    *out = part[0]; // peek
}

__global__ void handed_on(int *out)
{
    extern __shared__ int part[];
    if (blockIdx.x == 0)
        part[threadIdx.x] = 1;
    else
        out[threadIdx.x] = part[threadIdx.x]; // stale
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "two";
    int h[32], *d, bytes = argc > 2 ? atoi(argv[2]) : 0;
    cudaMalloc(&d, sizeof h);
    if (!strcmp(which, "two")) {
        sum<<<1, 32, 32 * sizeof(int)>>>(d);
        sum<<<1, 64, 64 * sizeof(int)>>>(d + 1);
        cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
        printf("sums %d %d\n", h[0], h[1]);
    } else if (!strcmp(which, "peek")) {
        peek<<<1, 1>>>(d);
        cudaDeviceSynchronize();
    } else if (!strcmp(which, "isolated")) {
        handed_on<<<2, 32, 32 * sizeof(int)>>>(d);
        cudaDeviceSynchronize();
    } else {
        int index = !strcmp(which, "last") ? 16 : !strcmp(which, "inside") ? 15 : -!strcmp(which, "before");
        touch<<<1, 16, bytes>>>(d, index);
        if (cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost) == cudaSuccess)
            printf("alias %d apart %d, element %d\n", h[0], h[1], h[2]);
    }
    cudaFree(d);
    return 0;
}
