// SPDX-License-Identifier: MIT
// Launches inside macros: the line is that of the use, and the text is what was written.
// expect: at      launch_in_macro.cu:@LINE:checked@
// expect: refused: cudaErrorInvalidValue
// expect: line @LINE:checked@: (k<<<1, 2000>>>(d), cudaGetLastError()) gives cudaErrorInvalidValue
// expect: at      launch_in_macro.cu:@LINE:lines@
// expect: allowed are 1 to 65535
// expect: launched at launch_in_macro.cu:@LINE:template@
// expect: sync cudaErrorIllegalAddress
#include <stdio.h>

__global__ void k(int *p)
{
    *p = 1;
}

template <class T, int N> __global__ void kt(T **p)
{
    **p = N;
}

#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        cudaError_t e = (x);                                                                                 \
        if (e)                                                                                               \
            printf("line %d: %s gives %s\n", __LINE__, #x, cudaGetErrorName(e));                             \
    } while (0)
#define LAUNCH(K, g, b, ...) K<<<g, b>>>(__VA_ARGS__)
#define LAUNCH_LINES(K, g)                                                                                   \
    K<<<g,                                                                                                   \
        32>>>(                                                                                               \
        d)

int main()
{
    int *d, **p;
    cudaMalloc(&d, 4);
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    CHECK((k<<<1, 2000>>>(d), cudaGetLastError())); // checked
    LAUNCH_LINES(k, dim3(1, 70000)); // lines
    cudaGetLastError();
    LAUNCH((kt<int, 4>), 1, 2, p); // template
    printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
