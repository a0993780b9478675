// SPDX-License-Identifier: MIT
// Errors of launches: read once, read too late, never read; peeking does not clear.
//
// run: a
// expect: 1500
// expect: ran 0, sync cudaSuccess, then cudaErrorInvalidValue, then cudaSuccess
// exit: any
// run: b
// expect: @failed@
// expect: cudaMalloc
// expect: not     from the launch at @launch@, which was queued
// expect: ran 1, answer cudaErrorMemoryAllocation
// exit: any
// run: c
// finding: unread @launch@
// expect: 1500
// expect: never
// run: d
// expect: peek cudaErrorInvalidValue cudaErrorInvalidValue, get cudaErrorInvalidValue, get cudaSuccess
// exit: any
// run: e
// expect: ran 1, answer cudaSuccess
#include <stdio.h>

__global__ void count(int *n)
{
    atomicAdd(n, 1);
}

int main(int argc, char **argv)
{
    char which = argc > 1 ? argv[1][0] : 0;
    int ran, *d;
    void *p = NULL;
    cudaMalloc(&d, sizeof(int));
    cudaMemset(d, 0, sizeof(int));
    if (which == 'b')
        cudaMalloc(&p, (size_t)1 << 60); // failed
    count<<<1, which == 'b' || which == 'e' ? 1 : 1500>>>(d); // launch
    if (which == 'a') {
        cudaError_t sync = cudaDeviceSynchronize(), first = cudaGetLastError(), second = cudaGetLastError();
        cudaMemcpy(&ran, d, sizeof ran, cudaMemcpyDeviceToHost);
        printf("ran %d, sync %s, then %s, then %s\n", ran, cudaGetErrorName(sync), cudaGetErrorName(first),
               cudaGetErrorName(second));
    } else if (which == 'd') {
        cudaError_t a = cudaPeekAtLastError(), b = cudaPeekAtLastError(), c = cudaGetLastError();
        printf("peek %s %s, get %s, get %s\n", cudaGetErrorName(a), cudaGetErrorName(b), cudaGetErrorName(c),
               cudaGetErrorName(cudaGetLastError()));
    } else if (which != 'c') {
        cudaError_t error = cudaGetLastError();
        cudaMemcpy(&ran, d, sizeof ran, cudaMemcpyDeviceToHost);
        printf("ran %d, answer %s\n", ran, cudaGetErrorName(error));
    }
    cudaFree(d);
    return 0;
}
