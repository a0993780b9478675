// SPDX-License-Identifier: MIT
// Memory used after its free: by a kernel through a structure, by the host, from a pool, twice.
//
// run: structure
// finding: use after free @member@ @allocated@ @free@
// run: pinned
// finding: use after free @host@ @pinned@ @free-host@
// expect: HOST
// run: pinned-read
// finding: use after free @host-read@ @pinned@ @free-host@
// run: pinned-kernel
// finding: use after free @member@ @pinned@ @free-host@
// run: managed
// finding: use after free @managed-host@ @managed@ @free-managed@
// run: pool
// finding: use after free @member@ @pooled@ @free-pooled@
// run: pool-second
// finding: use after free @member@ @second@ @free-second@
// run: reused
// finding: use after free @member@ @allocated@ @free@
// run: small
// finding: use after free @member@ @small@ @free-small@
// run: right
// expect: last 5
#include <stdio.h>
#include <string.h>

struct view {
    int *data;
    int n;
};

__global__ void fill(view v)
{
    v.data[threadIdx.x] = v.n; // member
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *d, *pinned, *managed, *pooled, *second, *small, *other = NULL, h[32] = {};
    cudaMalloc(&d, 1 << 21); // allocated
    cudaMalloc(&small, 128); // small
    cudaMallocHost(&pinned, 128); // pinned
    cudaMallocManaged(&managed, 128); // managed
    cudaMallocAsync(&pooled, 128, 0); // pooled
    cudaMallocAsync(&second, 1 << 20, 0); // second
    cudaDeviceSynchronize();
    fill<<<1, 32>>>(view{d, 5});
    fill<<<1, 32>>>(view{pooled, 5});
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    cudaFree(d); // free
    cudaFree(small); // free-small
    cudaFreeHost(pinned); // free-host
    cudaFree(managed); // free-managed
    cudaFreeAsync(second, 0); // free-second
    cudaFreeAsync(pooled, 0); // free-pooled
    cudaStreamSynchronize(0);
    if (is("structure"))
        fill<<<1, 32>>>(view{d, 5});
    else if (is("pinned"))
        pinned[3] = 1; // host
    else if (is("pinned-read"))
        printf("%d\n", pinned[3]); // host-read
    else if (is("pinned-kernel"))
        fill<<<1, 32>>>(view{pinned, 5});
    else if (is("managed"))
        managed[3] = 1; // managed-host
    else if (is("pool"))
        fill<<<1, 32>>>(view{pooled, 5});
    else if (is("pool-second"))
        fill<<<1, 32>>>(view{second, 5});
    else if (is("small"))
        fill<<<1, 32>>>(view{small, 5});
    else if (is("reused")) {
        cudaMalloc(&other, 1 << 21);
        fill<<<1, 32>>>(view{d, 5});
    } else
        printf("last %d\n", h[31]);
    cudaDeviceSynchronize();
    cudaFree(other);
    return 0;
}
