// SPDX-License-Identifier: MIT
// Transpose through a padded tile: reads and writes of global memory both go along rows.
#include <cstdio>
#include <vector>

template <typename T, int TILE, int ROWS>
__global__ void transpose_kernel(T *out, const T *in, int width, int height)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <typename T> static int wrong_for(int width, int height)
{
    const int TILE = 32, ROWS = 8;
    std::vector<T> in(width * height), out(width * height);
    T *d_in, *d_out;
    for (int i = 0; i < width * height; i++)
        in[i] = (T)i;
    cudaMalloc(&d_in, in.size() * sizeof(T));
    cudaMalloc(&d_out, in.size() * sizeof(T));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);

    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose_kernel<T, TILE, ROWS><<<grid, dim3(TILE, ROWS)>>>(d_out, d_in, width, height);

    int wrong = cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            wrong += out[x * height + y] != in[y * width + x];
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong;
}

int main()
{
    int wrong = wrong_for<float>(1, 1) + wrong_for<float>(100, 37) + wrong_for<double>(64, 96) +
                wrong_for<short>(33, 31);
    std::printf("transpose: %d wrong\n", wrong);
    return wrong != 0;
}
