// SPDX-License-Identifier: MIT
// A device assert prints CUDA's line for each thread, leaves a sticky error and does not end the program.
// expect: assert_in_kernel.cu:@LINE:assert@: void check(int): block: [1,0,0], thread: [28,0,0]
// expect: block: [1,0,0], thread: [28,0,0] Assertion `i < n` failed.
// expect: block: [1,0,0], thread: [29,0,0] Assertion `i < n` failed.
// expect: block: [1,0,0], thread: [30,0,0] Assertion `i < n` failed.
// expect: block: [1,0,0], thread: [31,0,0] Assertion `i < n` failed.
// expect-not: block: [0,0,0]
// expect-not: thread: [27,0,0]
// expect: answers cudaErrorAssert cudaErrorAssert cudaErrorAssert
#include <assert.h>
#include <stdio.h>

__global__ void check(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n); // assert
}

int main()
{
    void *p;
    check<<<2, 32>>>(60);
    cudaError_t a = cudaDeviceSynchronize(), b = cudaDeviceSynchronize(), c = cudaMalloc(&p, 4);
    printf("answers %s %s %s\n", cudaGetErrorName(a), cudaGetErrorName(b), cudaGetErrorName(c));
    return 0;
}
