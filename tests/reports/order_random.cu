// SPDX-License-Identifier: MIT
// In random order every block runs once, and all of them are in the grid.
// env: SIM_ORDER=random
// expect: wrong 0
// expect-not: [sim]
#include <stdio.h>

__global__ void count(int *seen)
{
    bool inside = blockIdx.x < gridDim.x && blockIdx.y < gridDim.y && blockIdx.z < gridDim.z;
    atomicAdd(&seen[inside ? blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z) : 99], 1);
}

int main()
{
    int h[100], *d, wrong = 0;
    cudaMalloc(&d, sizeof h);
    for (unsigned x = 1; x < 12; x++)
        for (unsigned y = 1; y < 4; y++) {
            cudaMemset(d, 0, sizeof h);
            count<<<dim3(x, y, 2), 1>>>(d);
            cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
            for (unsigned i = 0; i < 100; i++)
                wrong += h[i] != (i < x * y * 2);
        }
    printf("wrong %d\n", wrong);
    cudaFree(d);
    return 0;
}
