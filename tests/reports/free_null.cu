// SPDX-License-Identifier: MIT
// Freeing NULL is no mistake, unregistering it is.
// expect: 0 0 0
// expect: unregister cudaErrorInvalidValue
// expect: free_null.cu:@LINE:unregister-line@
#include <stdio.h>

int main()
{
    printf("%d %d %d\n", cudaFree(NULL), cudaFreeHost(NULL), cudaFreeAsync(NULL, 0));
    cudaError_t error = cudaHostUnregister(NULL); // unregister-line
    printf("unregister %s\n", cudaGetErrorName(error));
    return 0;
}
