// SPDX-License-Identifier: MIT
// Enlarge an image twofold through a texture object: the hardware's bilinear filter and clamping.
#include <math.h>
#include <stdio.h>

const int W = 40, H = 24;

__global__ void enlarge_kernel(cudaTextureObject_t image, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(image, (x + 0.5f) / 2, (y + 0.5f) / 2);
}

static float at(const float *image, int x, int y)
{
    x = x < 0 ? 0 : x >= W ? W - 1 : x;
    y = y < 0 ? 0 : y >= H ? H - 1 : y;
    return image[y * W + x];
}

static float bilinear(const float *image, float x, float y)
{
    int i = (int)floorf(x - 0.5f), j = (int)floorf(y - 0.5f);
    float a = x - 0.5f - i, b = y - 0.5f - j;
    return (1 - b) * ((1 - a) * at(image, i, j) + a * at(image, i + 1, j)) +
           b * ((1 - a) * at(image, i, j + 1) + a * at(image, i + 1, j + 1));
}

int main()
{
    static float image[W * H], out[4 * W * H];
    for (int i = 0; i < W * H; i++)
        image[i] = (float)((i * 37) % 101);

    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, W, H);
    cudaMemcpy2DToArray(array, 0, 0, image, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    if (cudaCreateTextureObject(&texture, &resource, &how, NULL) != cudaSuccess)
        return 1;

    float *d_out;
    cudaMalloc(&d_out, sizeof out);
    dim3 block(16, 8), grid((2 * W + 15) / 16, (2 * H + 7) / 8);
    enlarge_kernel<<<grid, block>>>(texture, d_out, 2 * W, 2 * H);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);

    int wrong = cudaGetLastError() != cudaSuccess;
    for (int y = 0; y < 2 * H; y++)
        for (int x = 0; x < 2 * W; x++) // quarters are exact in the filter's 8 bits of fraction
            wrong += fabsf(out[y * 2 * W + x] - bilinear(image, (x + 0.5f) / 2, (y + 0.5f) / 2)) > 1e-3f;
    printf("texture_filter: %d wrong\n", wrong);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(d_out);
    return wrong != 0;
}
