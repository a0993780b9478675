// SPDX-License-Identifier: MIT
// A variable may hide a function that is no kernel, and an empty asm is an order for the compiler only.
#include <cstdio>

void hidden(int *) {}
namespace n {
void one(int *) {}
} // namespace n

__global__ void one(int *p)
{
    asm volatile("" ::: "memory");
    asm("");
    p[0] += 1;
}

static void by_parameter(void (*hidden)(int *), int *d)
{
    hidden<<<1, 1>>>(d);
}

int main()
{
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    by_parameter(one, d);
    auto hidden = one;
    hidden<<<1, 1>>>(d);
    one<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h != 3;
}
