// SPDX-License-Identifier: MIT
// More blocks and operations than a page keeps; the peak and the leak among them must still be told.
__global__ void nothing()
{
}

int main()
{
    void *p, *big, *lost;
    for (int i = 0; i < 40000; i++) {
        if (i == 20000)
            cudaMalloc(&lost, 3000); // leak
        if (i == 30000) {
            cudaMalloc(&big, 64 << 20);
            cudaFree(big);
        }
        cudaMalloc(&p, 1000);
        nothing<<<1, 1>>>();
        cudaFree(p);
    }
    cudaDeviceSynchronize();
}
