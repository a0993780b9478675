// SPDX-License-Identifier: MIT
// More than 48 KiB of shared memory: refused with the sum and the way out, or allowed after the opt-in.
//
// run: a
// expect: @launch@
// exit: any
// expect: 51200
// expect: 49152
// expect: cudaFuncSetAttribute
// expect: attribute cudaSuccess, launch cudaErrorInvalidValue
// run: b
// expect: @launch@
// exit: any
// expect: 65536
// expect: 49152
// expect: cudaFuncSetAttribute
// run: c
// expect: attribute cudaSuccess, launch cudaSuccess
// run: d
// expect: attribute cudaErrorInvalidValue, launch cudaSuccess
// exit: any
// run: f
// expect: @launch@
// exit: any
// expect: 1025
// expect-not: cudaFuncSetAttribute
// run: g
// expect: attribute cudaSuccess, launch cudaSuccess
#include <stdio.h>

__global__ void with_static(int *out)
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[1024];
    dynamic[threadIdx.x] = fixed[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[threadIdx.x ^ 1] + fixed[threadIdx.x ^ 1];
}

__global__ void only_dynamic(int *out, int last)
{
    extern __shared__ int dynamic[];
    if (threadIdx.x == 0)
        dynamic[last] = 5;
    __syncthreads();
    out[threadIdx.x] = dynamic[last];
}

int main(int argc, char **argv)
{
    char which = argc > 1 ? argv[1][0] : 0;
    int *d;
    cudaError_t attribute = cudaSuccess;
    cudaMalloc(&d, 4096);
    if (which == 'c' || which == 'd' || which == 'f')
        attribute = cudaFuncSetAttribute(only_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         which == 'd' ? 232449 : 65536);
    cudaGetLastError();
    bool both = which == 'a' || which == 'g';
    size_t bytes = which == 'a' ? 46 << 10 : which == 'g' ? 44 << 10 : which == 'd' ? 1 << 10 : 64 << 10;
    void *entry = both ? (void *)with_static : (void *)only_dynamic;
    int last = (int)(bytes / sizeof(int)) - 1;
    void *arguments[] = {&d, &last};
    cudaError_t launch = cudaLaunchKernel(entry, 1, which == 'f' ? 1025 : 256, arguments, bytes, 0); // launch
    printf("attribute %s, launch %s\n", cudaGetErrorName(attribute), cudaGetErrorName(launch));
    cudaGetLastError();
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
