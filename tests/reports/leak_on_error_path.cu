// SPDX-License-Identifier: MIT
// The early return forgets what the normal path frees.
// expect: 1200
// expect: leak_on_error_path.cu:@LINE:first@
// expect-not: leak_on_error_path.cu:@LINE:second@
// exit: any
#include <stdio.h>

static int work(size_t bytes)
{
    float *a, *b;
    if (cudaMalloc(&a, 1200)) // first
        return 1;
    if (cudaMalloc(&b, bytes))
        return 1;
    cudaFree(b);
    cudaFree(a);
    return 0;
}

int main()
{
    void *p;
    cudaMalloc(&p, 800); // second
    cudaFree(p);
    printf("work: %d\n", work((size_t)1 << 60));
    return 0;
}
