// SPDX-License-Identifier: MIT
// Grids and blocks outside their limits: the report names the dimension and the limit.
// expect: launch_grid.cu:@LINE:y@
// expect: 65536
// expect: 65535
// expect: launch_grid.cu:@LINE:zero@
// expect: launch_grid.cu:@LINE:negative@
// expect: 4294967295
// expect: launch_grid.cu:@LINE:z@
// expect: 64
// expect: answers 0 1 1 1 1
#include <stdio.h>

__global__ void nothing(void) {}

static int answer()
{
    return cudaGetLastError() != cudaSuccess;
}

int main()
{
    int n = 20, minus = -1, e[5];
    nothing<<<dim3(1, 65535), 32>>>();
    e[0] = answer();
    nothing<<<dim3(1, 65536), 32>>>(); // y
    e[1] = answer();
    nothing<<<n / 32, 32>>>(); // zero
    e[2] = answer();
    nothing<<<minus, 32>>>(); // negative
    e[3] = answer();
    nothing<<<1, dim3(1, 1, 65)>>>(); // z
    e[4] = answer();
    printf("answers %d %d %d %d %d\n", e[0], e[1], e[2], e[3], e[4]);
    return cudaDeviceSynchronize() != cudaSuccess;
}
