// SPDX-License-Identifier: MIT
// Static and dynamic shared memory together exceed 48 KiB, and what lifts the limit.
// expect: 51200
// expect: 49152
// expect: cudaFuncSetAttribute
// expect: launch_shared.cu:@LINE:both@
// expect: launch_shared.cu:@LINE:dynamic@
// expect: answers cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue cudaSuccess
#include <stdio.h>

__global__ void tiles(int *out)
{
    __shared__ int tile[1024];
    extern __shared__ int more[];
    tile[0] = more[0] = 1;
    if (out)
        *out = tile[0] + more[0];
}

int main()
{
    tiles<<<1, 1, 46 * 1024>>>(NULL); // both
    cudaError_t a = cudaGetLastError();
    tiles<<<1, 1, 65536>>>(NULL); // dynamic
    cudaError_t b = cudaGetLastError();
    cudaError_t c = cudaFuncSetAttribute(tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
    cudaGetLastError();
    cudaFuncSetAttribute(tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    tiles<<<1, 1, 65536>>>(NULL);
    cudaError_t d = cudaDeviceSynchronize();
    printf("answers %s %s %s %s\n", cudaGetErrorName(a), cudaGetErrorName(b), cudaGetErrorName(c),
           cudaGetErrorName(d));
    return 0;
}
