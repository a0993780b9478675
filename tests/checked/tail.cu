// SPDX-License-Identifier: MIT
// A grid that is too small by one block: the host reads elements that the kernel never wrote.
//
// run: floor 1000
// finding: result not written @host@ @y@
// expect: 768
// expect: 999
// expect: 232
// expect: block - 1) / block
// run: bytes 1000
// expect: sum 1000
// run: ceil 1000
// expect: sum 1000
// run: floor 1024
// expect: sum 1024
// run: ceil 1
// expect: sum 1
// run: ceil 255
// expect: sum 255
// run: ceil 256
// expect: sum 256
// run: ceil 257
// expect: sum 257
// run: floor 257
// finding: result not written @host@ @y@
// expect: 256
// run: ceil 10007
// expect: sum 10007
// run: floor 10007
// finding: result not written @host@ @y@
// expect: 9984
// expect: 23
// run: pinned 1000
// finding: result not written @host@ @y@
// expect: 232
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void ones(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[1] : "ceil";
    int n = argc > 2 ? atoi(argv[2]) : 1000, grid = n / 256;
    size_t bytes = n * sizeof(float);
    if (!strcmp(how, "bytes"))
        grid = (bytes + 255) / 256;
    else if (!strcmp(how, "ceil"))
        grid = (n + 255) / 256;
    float *h = (float *)malloc(bytes), *pinned, *y, sum = 0;
    cudaMallocHost(&pinned, bytes);
    cudaMalloc(&y, bytes); // y
    ones<<<grid, 256>>>(y, n);
    float *to = !strcmp(how, "pinned") ? pinned : h;
    cudaMemcpy(to, y, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum += to[i]; // host
    printf("sum %g\n", sum);
    cudaFree(y);
    cudaFreeHost(pinned);
    free(h);
    return 0;
}
