// SPDX-License-Identifier: MIT
// A misaligned vector is told as that, whatever numbers the other registers hold.
// expect: made a misaligned access
// expect: misaligned_beside_numbers.cu:@LINE:write@
// expect: sync cudaErrorMisalignedAddress
#include <stdio.h>

__global__ void put(float4 *p, unsigned long long number, unsigned long long *out)
{
    *p = make_float4(1, 2, 3, 4); // write
    *out = number;
}

int main()
{
    char *d;
    cudaMalloc(&d, 400);
    put<<<1, 1>>>((float4 *)(d + 4), 0x5555555555555555, (unsigned long long *)d);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
