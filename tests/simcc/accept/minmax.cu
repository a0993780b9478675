/* SPDX-License-Identifier: MIT */
/* min and max on both sides are CUDA's own: they need no std. */
#include <cstdio>

__host__ __device__ int differ()
{
    int a = -3, b = 4;
    long long far = 1ll << 40;
    return (max(a, b) != 4) + (min(a, b) != -3) + (min(1u, 2u) != 1u) + (max(1u, 2u) != 2u) +
           (max(1.5f, 2.5f) != 2.5f) + (min(1.5, 2.5) != 1.5) + (max(1.5f, 2.5) != 2.5) +
           (max(far, 1ll) != far) + (min(1ull, 2ull) != 1ull) + (max(-1, 2u) != ~0u) + (min(1l, 2l) != 1l);
}

__global__ void k(int *p)
{
    *p = differ();
}

int main()
{
    int *p, n;
    cudaMalloc(&p, sizeof *p);
    k<<<1, 1>>>(p);
    cudaMemcpy(&n, p, sizeof n, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("host %d, device %d\n", differ(), n);
    return differ() || n;
}
