// SPDX-License-Identifier: MIT
// Wrong frees: each is refused, named, and releases nothing. NULL is no mistake.
//
// run: twice
// finding: double free @again@ @device@
// expect: @first-free@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// run: interior
// finding: interior free @inside@ @device@
// expect: 400-byte
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// run: cudaFree-pinned
// finding: wrong free @unpinned@ @pinned@
// expect: cudaFreeHost
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// run: cudaFreeHost-malloc
// finding: foreign free @hosted@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// run: cudaFreeHost-device
// finding: wrong free @undeviced@ @device@
// expect: cudaFree
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// run: free-pinned
// finding: wrong free @freed@ @pinned@
// expect: cudaFreeHost
// expect-not: invalid pointer
// run: delete-pinned
// finding: wrong free @deleted@ @pinned@
// expect: cudaFreeHost
// expect-not: invalid pointer
// run: null
// expect: answer cudaSuccess, rest cudaSuccess
// run: unregister
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: 0
// run: right
// expect: answer cudaSuccess, rest cudaSuccess
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void set(int *p)
{
    p[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *d, *pinned, *host = (int *)malloc(400);
    cudaError_t answer = cudaSuccess, rest = cudaSuccess;
    cudaMalloc(&d, 400); // device
    cudaMallocHost(&pinned, 400); // pinned
    if (is("twice")) {
        rest = cudaFree(d); // first-free
        answer = cudaFree(d); // again
        d = NULL;
    } else if (is("interior"))
        answer = cudaFree(d + 1); // inside
    else if (is("cudaFree-pinned"))
        answer = cudaFree(pinned); // unpinned
    else if (is("cudaFreeHost-malloc"))
        answer = cudaFreeHost(host); // hosted
    else if (is("cudaFreeHost-device"))
        answer = cudaFreeHost(d); // undeviced
    else if (is("free-pinned"))
        free(pinned); // freed
    else if (is("delete-pinned"))
        delete[] pinned; // deleted
    else if (is("null"))
        answer = cudaFree(NULL) == cudaSuccess ? cudaFreeHost(NULL) : cudaErrorUnknown;
    else if (is("unregister"))
        answer = cudaHostUnregister(NULL);
    cudaGetLastError();
    pinned[99] = 1;
    if (d)
        set<<<1, 100>>>(d);
    rest = rest ? rest : cudaDeviceSynchronize();
    rest = rest ? rest : cudaFree(d);
    rest = rest ? rest : cudaFreeHost(pinned);
    free(host);
    printf("answer %s, rest %s\n", cudaGetErrorName(answer), cudaGetErrorName(rest));
    return 0;
}
