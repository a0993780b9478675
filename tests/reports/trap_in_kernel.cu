// SPDX-License-Identifier: MIT
// __trap() ends the kernel and the device for this program.
// expect: stop
// expect: block (2,0,0)
// expect: thread (1,0,0)
// expect: sync cudaErrorLaunchFailure
#include <stdio.h>

__global__ void stop()
{
    if (blockIdx.x == 2 && threadIdx.x == 1)
        __trap();
}

int main()
{
    stop<<<4, 4>>>();
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
