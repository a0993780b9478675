// SPDX-License-Identifier: MIT
// Nobody asked whether the launch worked: said once, at exit.
// expect: launch_unchecked.cu:@LINE:launch@
// expect: 1500
// expect: never
// exit: any
#include <stdio.h>

__global__ void fill(int *p)
{
    p[threadIdx.x] = 1;
}

int main()
{
    int *d, h[4] = {0};
    cudaMalloc(&d, 6000);
    cudaMemset(d, 0, 6000);
    fill<<<1, 1500>>>(d); // launch
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(d);
    return 0;
}
