// SPDX-License-Identifier: MIT
// 64 KiB of static shared memory is refused when the program is built, as by ptxas.
//
// build: fail
// expect: @tile@
// expect: shared memory
__global__ void transpose(float *p)
{
    __shared__ float tile[128][128]; // tile
    tile[threadIdx.y][threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main()
{
    transpose<<<1, 1>>>(nullptr);
    return 0;
}
