// SPDX-License-Identifier: MIT
// An address that no memory can have, which the processor does not tell.
// expect: KERNEL put
// expect: kernel_no_address.cu:@LINE:write@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__global__ void put(float4 *p, long long i)
{
    p[i] = make_float4(1, 2, 3, 4); // write
}

int main()
{
    float4 *d;
    cudaMalloc(&d, 400);
    put<<<1, 1>>>(d, 1LL << 58);
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
