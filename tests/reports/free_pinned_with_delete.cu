// SPDX-License-Identifier: MIT
// delete[] of pinned memory is caught and explained.
// expect: cudaFreeHost
// expect: free_pinned_with_delete.cu:@LINE:allocated@
// expect: free_pinned_with_delete.cu:@LINE:delete@
// expect-not: invalid pointer
// exit: any
#include <stdio.h>

int main()
{
    float *h;
    cudaMallocHost(&h, 400); // allocated
    delete[] h; // delete
    return 0;
}
