// SPDX-License-Identifier: MIT
// Each memory has its own free; the wrong one names the right one.
// expect: free_mismatched.cu:@LINE:pinned@
// expect: free_mismatched.cu:@LINE:device@
// expect: free_mismatched.cu:@LINE:one@
// expect: free_mismatched.cu:@LINE:two@
// expect: free_mismatched.cu:@LINE:three@
// expect: free_mismatched.cu:@LINE:four@
// expect: cudaFreeHost
// expect: answers 1 1 1 1
// expect: rights 0 0
#include <stdio.h>
#include <stdlib.h>

int main()
{
    float *h, *d, *m = (float *)malloc(400);
    int e[4];
    cudaMallocHost(&h, 400); // pinned
    cudaMalloc(&d, 400); // device
    e[0] = cudaFree(h); // one
    e[1] = cudaFreeHost(d); // two
    e[2] = cudaFreeHost(m); // three
    e[3] = cudaFree(m); // four
    printf("answers %d %d %d %d\n", e[0], e[1], e[2], e[3]);
    printf("rights %d %d\n", cudaFreeHost(h), cudaFree(d));
    free(m);
    return 0;
}
