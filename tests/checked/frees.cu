// SPDX-License-Identifier: MIT
// Wrong frees: each is refused, named, and releases nothing. NULL is no mistake.
//
// run: twice
// expect: @device@
// expect: @first-free@
// expect: @again@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
// run: interior
// expect: @inside@
// expect: @device@
// expect: 400-byte
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
// run: cudaFree-pinned
// expect: cudaFreeHost
// expect: @pinned@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
// run: cudaFreeHost-malloc
// expect: @hosted@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
// run: cudaFreeHost-device
// expect: cudaFree
// expect: @device@
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
// run: free-pinned
// expect: cudaFreeHost
// expect: @pinned@
// expect: @freed@
// expect-not: invalid pointer
// exit: any
// run: delete-pinned
// expect: cudaFreeHost
// expect: @pinned@
// expect: @deleted@
// expect-not: invalid pointer
// exit: any
// run: null
// expect: answer cudaSuccess, rest cudaSuccess
// run: unregister
// expect: answer cudaErrorInvalidValue, rest cudaSuccess
// exit: any
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
        answer = cudaFree(pinned);
    else if (is("cudaFreeHost-malloc"))
        answer = cudaFreeHost(host); // hosted
    else if (is("cudaFreeHost-device"))
        answer = cudaFreeHost(d);
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
