// SPDX-License-Identifier: MIT
// Grids and blocks outside their limits: the dimension and the limit are named. A huge x is legal.
//
// run: a
// expect: grid.y
// expect: 65535
// expect: answers cudaErrorInvalidValue
// exit: any
// run: b
// expect: answers cudaSuccess
// run: c
// expect: grid.x
// expect: division
// expect: answers cudaErrorInvalidValue
// exit: any
// run: d
// expect: 4294967295
// expect: negative
// expect: answers cudaErrorInvalidValue
// exit: any
// run: e
// expect: block.z
// expect: 64
// expect: answers cudaErrorInvalidValue
// exit: any
// run: f
// expect: answers cudaSuccess
// run: g
// orders: one
// env: SIM_ORDER=reverse
// finding: trap @trap@
// expect: block 2147483646
#include <stdio.h>

__global__ void nothing()
{
}

/* The largest grid, whose last block comes first. */
__global__ void say_and_end()
{
    printf("block %u\n", blockIdx.x);
    __trap(); // trap
}

int main(int argc, char **argv)
{
    int n = -1;
    switch (argc > 1 ? argv[1][0] : 'b') {
    case 'a': nothing<<<dim3(1, 65536), 32>>>(); break;
    case 'b': nothing<<<dim3(1, 65535), 32>>>(); break;
    case 'c': nothing<<<20 / 32, 32>>>(); break;
    case 'd': nothing<<<n, 32>>>(); break;
    case 'e': nothing<<<1, dim3(1, 1, 65)>>>(); break;
    case 'f': nothing<<<dim3(1 << 20), 1>>>(); break;
    case 'g': say_and_end<<<dim3(2147483647), 1>>>(); break;
    }
    printf("answers %s\n", cudaGetErrorName(cudaGetLastError()));
    return cudaDeviceSynchronize();
}
