// SPDX-License-Identifier: MIT
// A copy of sizeof(pointer) bytes: the kernel reads element 2, which nobody wrote.
//
// run: a
// finding: unwritten @read@ @allocated@ @copy@
// expect: 400-byte
// first: thread (2,0,0)
// expect: 8 of 400 bytes
// expect: sizeof
// run: b
// expect: last 198
#include <stdio.h>
#include <stdlib.h>

__global__ void twice(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i]; // read
}

int main(int argc, char **argv)
{
    const int n = 100;
    bool whole = argc > 1 && argv[1][0] == 'b';
    float *h = (float *)malloc(n * sizeof(float)), *in, *out;
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&in, n * sizeof(float)); // allocated
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, h, whole ? n * sizeof(float) : sizeof(h), cudaMemcpyHostToDevice); // copy
    twice<<<1, 128>>>(out, in, n);
    cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (whole)
        printf("last %g\n", h[n - 1]);
    cudaFree(in);
    cudaFree(out);
    free(h);
    return 0;
}
