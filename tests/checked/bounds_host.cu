// SPDX-License-Identifier: MIT
// Bounds of pinned and managed memory, which the host and kernels both reach.
//
// run: pinned-host 9
// run: pinned-host 10
// finding: out of bounds @host@ @pinned@
// expect: HOST
// expect: 40-byte
// run: pinned-host -1
// finding: out of bounds @host@ @pinned@
// run: pinned-kernel 9
// run: pinned-kernel 10
// finding: out of bounds @kernel@ @pinned@
// expect: 0 bytes past the end of the 40-byte
// run: managed-host 9
// run: managed-host 10
// finding: out of bounds @host@ @managed@
// run: managed-host -1
// finding: out of bounds @host@ @managed@
// run: managed-kernel 10
// finding: out of bounds @kernel@ @managed@
// run: managed-kernel 9
// run: registered-kernel 9
// run: registered-kernel 10
// finding: out of bounds @kernel@
// run: pinned-loop 10
// run: pinned-loop 11
// finding: out of bounds @loop@ @pinned@
// run: pinned-memset 40
// run: pinned-memset 41
// finding: out of bounds @memset@ @pinned@
// run: pinned-copied 40
// run: pinned-copied 44
// finding: out of bounds @memcpy@ @pinned@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void put(int *p, int i)
{
    p[i] = 1; // kernel
}

static void host_put(int *p, int i)
{
    p[i] = 1; // host
}

int main(int argc, char **argv)
{
    const char *which = argc > 2 ? argv[1] : "managed-host";
    int i = argc > 2 ? atoi(argv[2]) : 0, *pinned, *managed, heap[16] = {};
    cudaHostAlloc(&pinned, 40, cudaHostAllocMapped); // pinned
    cudaMallocManaged(&managed, 40); // managed
    cudaHostRegister(heap, 40, cudaHostRegisterMapped);
    if (!strcmp(which, "pinned-host"))
        host_put(pinned, i);
    else if (!strcmp(which, "managed-host"))
        host_put(managed, i);
    else if (!strcmp(which, "pinned-kernel"))
        put<<<1, 1>>>(pinned, i);
    else if (!strcmp(which, "managed-kernel"))
        put<<<1, 1>>>(managed, i);
    else if (!strcmp(which, "registered-kernel"))
        put<<<1, 1>>>(heap, i);
    else if (!strcmp(which, "pinned-loop"))
        for (int k = 0; k < i; k++)
            pinned[k] = k; // loop
    else if (!strcmp(which, "pinned-memset"))
        memset(pinned, 0, i); // memset
    else
        memcpy(pinned, heap, i); // memcpy
    cudaDeviceSynchronize();
    cudaHostUnregister(heap);
    cudaFreeHost(pinned);
    cudaFree(managed);
    return 0;
}
