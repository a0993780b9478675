// SPDX-License-Identifier: MIT
// Matrix product through tiles in shared memory, for sizes that are no multiple of the tile.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int TILE = 16;

__global__ void matmul_kernel(const float *a, const float *b, float *c, int rows, int inner, int cols)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < inner; k += TILE) {
        int ka = k + threadIdx.x, kb = k + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < rows && ka < inner ? a[row * inner + ka] : 0;
        tile_b[threadIdx.y][threadIdx.x] = kb < inner && col < cols ? b[kb * cols + col] : 0;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE; j++)
            sum += tile_a[threadIdx.y][j] * tile_b[j][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}

static int wrong_for(int rows, int inner, int cols)
{
    std::vector<float> a(rows * inner), b(inner * cols), c(rows * cols);
    float *d_a, *d_b, *d_c;
    for (int i = 0; i < rows * inner; i++)
        a[i] = i % 7 - 3;
    for (int i = 0; i < inner * cols; i++)
        b[i] = i % 5 - 2;
    cudaMalloc(&d_a, a.size() * sizeof(float));
    cudaMalloc(&d_b, b.size() * sizeof(float));
    cudaMalloc(&d_c, c.size() * sizeof(float));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);

    dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, rows, inner, cols);

    int wrong = cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a[i * inner + k] * b[k * cols + j];
            wrong += c[i * cols + j] != sum; // small integers: exact in any order
        }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong;
}

int main()
{
    int wrong = wrong_for(1, 1, 1) + wrong_for(16, 16, 16) + wrong_for(33, 65, 17) + wrong_for(100, 64, 80);
    std::printf("matmul_tiled: %d wrong\n", wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
