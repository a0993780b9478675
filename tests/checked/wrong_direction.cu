// SPDX-License-Identifier: MIT
// The direction of a copy contradicts where the ends are: refused, and nothing is copied.
//
// run: a
// finding: direction @copy@ @allocated@
// expect: cudaMemcpyHostToDevice
// expect: cudaMemcpyDeviceToHost
// expect: answer cudaErrorInvalidValue, h[0] 7
// run: b
// finding: direction @copy@ @allocated@
// expect: pinned
// expect: answer cudaErrorInvalidValue, h[0] 7
// run: c
// expect: answer cudaErrorInvalidMemcpyDirection, h[0] 7
// exit: any
// run: d
// expect: answer cudaSuccess, h[0] 3
// run: e
// finding: direction @upload@ @allocated@
// expect: answer cudaErrorInvalidValue, h[0] 3
#include <stdio.h>

int main(int argc, char **argv)
{
    const int n = 64;
    char which = argc > 1 ? argv[1][0] : 0;
    float pageable[n], *h = pageable, *d;
    cudaMalloc(&d, sizeof pageable); // allocated
    if (which == 'b')
        cudaMallocHost(&h, sizeof pageable);
    for (int i = 0; i < n; i++)
        h[i] = 3;
    cudaError_t error = cudaMemcpy(d, h, sizeof pageable, cudaMemcpyDefault);
    for (int i = 0; i < n && which != 'e'; i++)
        h[i] = 7;
    if (which == 'a' || which == 'b')
        error = cudaMemcpy(h, d, sizeof pageable, cudaMemcpyHostToDevice); // copy
    else if (which == 'c')
        error = cudaMemcpy(h, d, sizeof pageable, (cudaMemcpyKind)7);
    else if (which == 'd')
        error = cudaMemcpy(h, d, sizeof pageable, cudaMemcpyDefault);
    else
        error = cudaMemcpy(d, h, sizeof pageable, cudaMemcpyDeviceToHost); // upload
    printf("answer %s, h[0] %g\n", cudaGetErrorName(error), h[0]);
    cudaGetLastError();
    cudaFree(d);
    if (which == 'b')
        cudaFreeHost(h);
    return 0;
}
