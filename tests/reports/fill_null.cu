// SPDX-License-Identifier: MIT
// A size that overflowed to 0 gives a null pointer; cudaMemset on it says so.
// expect: cudaMemset: the destination is not memory of the device
// expect: cudaMalloc of 0 bytes at fill_null.cu:@LINE:zero@
// expect-not: cudaMemcpyDeviceToDevice
#include <stdio.h>

int main()
{
    unsigned n = 1u << 30;
    int *d;
    cudaMalloc(&d, n * 4u); // zero
    printf("%s\n", cudaGetErrorName(cudaMemset(d, 0, 16)));
    return 0;
}
