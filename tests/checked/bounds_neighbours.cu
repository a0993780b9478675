// SPDX-License-Identifier: MIT
// One element past the end, and one before the begin, of a block that fills its steps or pages and has
// neighbours of its size on both sides.
//
// run: device 256 65536
// finding: out of bounds @kernel@ @device@
// expect: 0 bytes past the end of the 262144-byte block
// run: device 256 -1
// finding: out of bounds @kernel@ @device@
// expect: 4 bytes before the 262144-byte block
// run: device 1024 262144
// finding: out of bounds @kernel@ @device@
// run: device 1024 -1
// finding: out of bounds @kernel@ @device@
// run: device 1536 393216
// finding: out of bounds @kernel@ @device@
// run: device 1536 -1
// finding: out of bounds @kernel@ @device@
// run: device 2048 524288
// finding: out of bounds @kernel@ @device@
// run: device 2048 -1
// finding: out of bounds @kernel@ @device@
// run: pinned 256 65536
// finding: out of bounds @kernel@ @pinned@
// run: pinned 1024 -1
// finding: out of bounds @kernel@ @pinned@
// run: pinned 2048 524288
// finding: out of bounds @kernel@ @pinned@
// run: host 256 65536
// finding: out of bounds @host@ @pinned@
// run: host 256 -1
// finding: out of bounds @host@ @pinned@
// run: host 1024 262144
// finding: out of bounds @host@ @pinned@
// run: host 1536 -1
// finding: out of bounds @host@ @pinned@
// run: host 2048 524288
// finding: out of bounds @host@ @pinned@
// run: managed 256 65536
// finding: out of bounds @kernel@ @managed@
// run: managed 2048 -1
// finding: out of bounds @kernel@ @managed@
// run: pool 256 65536
// finding: out of bounds @kernel@ @pool@
// run: pool 256 -1
// finding: out of bounds @kernel@ @pool@
// run: pool 1024 262144
// finding: out of bounds @kernel@ @pool@
// run: pool 2048 -1
// finding: out of bounds @kernel@ @pool@
// run: device 256 0
// run: device 1536 393215
// run: host 1024 0
// run: host 1024 262143
// run: managed 1024 262143
// run: pool 256 0
// run: pool 2048 524287
#include <stdlib.h>
#include <string.h>

__global__ void set(float *p, long at)
{
    p[at] = 1; // kernel
}

int main(int argc, char **argv)
{
    const char *kind = argc > 3 ? argv[1] : "device";
    size_t bytes = argc > 3 ? strtoul(argv[2], NULL, 10) << 10 : 1 << 18;
    long at = argc > 3 ? atol(argv[3]) : 0;
    float *block[3];
    for (float *&b : block)
        if (!strcmp(kind, "device"))
            cudaMalloc(&b, bytes); // device
        else if (!strcmp(kind, "managed"))
            cudaMallocManaged(&b, bytes); // managed
        else if (!strcmp(kind, "pool"))
            cudaMallocAsync(&b, bytes, 0); // pool
        else
            cudaMallocHost(&b, bytes); // pinned
    float *middle = block[1];
    if (!strcmp(kind, "host"))
        middle[at] = 1; // host
    else
        set<<<1, 1>>>(middle, at);
    cudaDeviceSynchronize();
    for (float *b : block)
        if (!strcmp(kind, "host") || !strcmp(kind, "pinned"))
            cudaFreeHost(b);
        else
            cudaFree(b);
    return 0;
}
