// SPDX-License-Identifier: MIT
// memcpy and memset inside kernels are checked as plain accesses are, by the line that calls them; so are
// the host's on pinned memory.
//
// run: memcpy-to
// finding: out of bounds @memcpy-to@ @target@
// run: memcpy-from
// finding: out of bounds @memcpy-from@ @source@
// run: memset
// finding: out of bounds @memset@ @target@
// run: unwritten
// finding: unwritten @used@ @target@
// run: host-memcpy
// finding: out of bounds @host-memcpy@ @pinned@
// run: right
// expect: h[0] 3
#include <stdio.h>
#include <string.h>

__global__ void copy_to(char *to, const char *from, int n)
{
    memcpy(to, from, n); // memcpy-to
}

__global__ void copy_from(char *to, const char *from, int n)
{
    memcpy(to, from, n); // memcpy-from
}

__global__ void clear(char *to, int n)
{
    memset(to, 3, n); // memset
}

__global__ void use(char *to, const char *from, int n)
{
    memcpy(to, from, n);
    to[0] = to[n]; // used
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    char *to, *from, *pinned, h[200] = {};
    cudaMalloc(&to, 100); // target
    cudaMalloc(&from, 90); // source
    cudaMallocHost(&pinned, 100); // pinned
    cudaMemset(from, 3, 90);
    if (is("memcpy-to"))
        copy_to<<<1, 1>>>(to + 20, from, 81);
    else if (is("memcpy-from"))
        copy_from<<<1, 1>>>(to, from, 91);
    else if (is("memset"))
        clear<<<1, 1>>>(to, 101);
    else if (is("unwritten"))
        use<<<1, 1>>>(to, from, 90);
    else if (is("host-memcpy"))
        memcpy(pinned, h, sizeof h - 99); // host-memcpy
    else {
        copy_to<<<1, 1>>>(to, from, 90);
        memcpy(pinned, h, 100);
        cudaMemcpy(pinned, to, 90, cudaMemcpyDeviceToHost);
        printf("h[0] %d\n", pinned[0]);
    }
    cudaDeviceSynchronize();
    cudaFree(to);
    cudaFree(from);
    cudaFreeHost(pinned);
    return 0;
}
