// SPDX-License-Identifier: MIT
// free() of pinned memory is caught and explained; on a GPU it corrupts the heap or ends the program.
// expect: cudaFreeHost
// expect: free_pinned_with_free.cu:@LINE:allocated@
// expect: free_pinned_with_free.cu:@LINE:free@
// expect-not: invalid pointer
// exit: any
#include <stdio.h>
#include <stdlib.h>

int main()
{
    float *h;
    cudaMallocHost(&h, 400); // allocated
    free(h); // free
    return 0;
}
