// SPDX-License-Identifier: MIT
// The host array is handed to a kernel instead of its copy on the device.
// expect: host
// expect: scale
// expect: kernel_host_pointer.cu:@LINE:launch@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>
#include <stdlib.h>

__global__ void scale(float *p, float by)
{
    p[threadIdx.x] *= by;
}

int main()
{
    float *h = (float *)malloc(400), *d;
    cudaMalloc(&d, 400);
    scale<<<1, 100>>>(h, 2.0f); // launch
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    free(h);
    return 0;
}
