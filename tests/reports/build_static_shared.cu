// SPDX-License-Identifier: MIT
// More than 48 KiB of static shared memory is refused at build time, as by ptxas.
// build: fail
// expect: build_static_shared.cu:@LINE:tile@
// expect: shared memory
__global__ void big(int *p)
{
    __shared__ int tile[16384]; // tile
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[blockDim.x - threadIdx.x];
}

int main()
{
    big<<<1, 1>>>(NULL);
    return 0;
}
