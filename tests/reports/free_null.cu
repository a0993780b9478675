// SPDX-License-Identifier: MIT
// Freeing NULL is no mistake, unregistering it is.
// expect: 0 0 0
// expect: unregister cudaErrorInvalidValue
#include <stdio.h>

int main()
{
    printf("%d %d %d\n", cudaFree(NULL), cudaFreeHost(NULL), cudaFreeAsync(NULL, 0));
    cudaError_t error = cudaHostUnregister(NULL);
    printf("unregister %s\n", cudaGetErrorName(error));
    return 0;
}
