// SPDX-License-Identifier: MIT
// cudaMemset fills bytes: the values, a size in elements that leaves the rest unwritten, a size too large.
//
// run: a
// expect: float -5.96541e+29
// expect: note: cudaMemset was given -10000
// exit: any
// run: stream
// expect: note: cudaMemsetAsync was given 1.5
// exit: any
// run: b
// expect: int 16843009
// run: c
// finding: unwritten @read@ @allocated@
// first: 100
// expect: 400-byte
// first: thread (25,0,0)
// run: d
// expect: answer cudaErrorInvalidValue, then 16843009
// expect: 404
// expect: 400-byte
// exit: any
// run: e
// expect: int 0
#include <stdio.h>

template <class T>
__global__ void sum(T *out, const T *in)
{
    out[threadIdx.x] = in[threadIdx.x]; // read
}

template <class T>
static T first(const T *in)
{
    T *out, h[100];
    cudaMalloc(&out, sizeof h);
    sum<<<1, 100>>>(out, in);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost))
        return T();
    cudaFree(out);
    return h[0];
}

int main(int argc, char **argv)
{
    const int n = 100;
    int *p;
    cudaError_t error = cudaMalloc(&p, n * sizeof(int)); // allocated
    switch (argc > 1 ? argv[1][0] : 'e') {
    case 'a':
        cudaMemset(p, -10000.0f, n * sizeof(int));
        printf("float %g\n", first((float *)p));
        break;
    case 's':
        cudaMemsetAsync(p, 1.5, n * sizeof(int), 0);
        break;
    case 'b':
        cudaMemset(p, 1, n * sizeof(int));
        printf("int %d\n", first(p));
        break;
    case 'c':
        cudaMemset(p, 0, n);
        first(p);
        break;
    case 'd':
        cudaMemset(p, 1, n * sizeof(int));
        error = cudaMemset(p, 0, 404);
        printf("answer %s, then %d\n", cudaGetErrorName(error), first(p));
        break;
    case 'e':
        cudaMemset(p, 0, n * sizeof(int));
        printf("int %d\n", first(p));
    }
    cudaGetLastError();
    cudaFree(p);
    return 0;
}
