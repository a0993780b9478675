// SPDX-License-Identifier: MIT
// More threads than a block can have; the opt-in to shared memory has nothing to do with it.
// expect: 1025
// expect: 1024
// expect: launch_threads.cu:@LINE:launch@
// expect: answer cudaErrorInvalidValue
#include <stdio.h>

__global__ void nothing(void) {}

int main()
{
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    nothing<<<1, 1025, 65536>>>(); // launch
    printf("answer %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
