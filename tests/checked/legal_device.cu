// SPDX-License-Identifier: MIT
// What CUDA offers, used rightly: no finding.
// expect: wrong 0
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cg = cooperative_groups;

enum { N = 256 };

__global__ void scale(float *y, const float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 2 * __ldg(&x[i]);
}

__global__ void through_pointers(float *const *rows, int n)
{
    for (int r = 0; r < 4; r++)
        if ((int)threadIdx.x < n)
            rows[r][threadIdx.x] = r;
}

__global__ void from_texture(float *y, cudaTextureObject_t linear, cudaTextureObject_t image)
{
    int i = threadIdx.x;
    y[i] = tex1Dfetch<float>(linear, i) + tex2D<float>(image, i % 16 + 0.5f, i / 16 + 0.5f);
}

__global__ void to_surface(cudaSurfaceObject_t surface)
{
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    surf2Dwrite((float)threadIdx.x, surface, x * 4, y);
}

__constant__ float factors[4];
__device__ float accumulated[4];
__managed__ int counted;

__global__ void variables()
{
    accumulated[threadIdx.x] += factors[threadIdx.x];
    if (threadIdx.x == 0)
        counted++;
}

__global__ void grid_wide(int *p)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    p[i] = i;
    for (int round = 0; round < 3; round++) {
        grid.sync();
        int next = p[(i + 1) % n];
        grid.sync();
        p[i] = next;
    }
}

struct node {
    int value;
    node *next;
};

__global__ void sum_list(int *out, const node *head)
{
    *out = 0;
    for (; head; head = head->next)
        *out += head->value;
}

__global__ void queue(int *items, int *tail, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0)
        items[atomicAdd(tail, 1)] = i;
}

__global__ void reduce(float *out, const float *x, int n)
{
    __shared__ float sums[32];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[i];
    for (int half = 16; half; half /= 2)
        sum += __shfl_down_sync(~0u, sum, half);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int half = 16; half; half /= 2)
            sum += __shfl_down_sync(~0u, sum, half);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}

__global__ void between(float *first, float *end)
{
    for (float *p = first + threadIdx.x; p < end; p += blockDim.x)
        *p = 1;
}

__global__ void early(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = i;
}

static void CUDART_CB note(void *p)
{
    *(int *)p += 1;
}

int main()
{
    static float h[N];
    float *x, *y, *rows[4], **in_device, sum = 0;
    int wrong = 0, *ints, called = 0;
    for (int i = 0; i < N; i++)
        h[i] = i;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMalloc(&ints, sizeof h);
    cudaMalloc(&in_device, sizeof rows);

    cudaStream_t one, two; // copies and kernels in two streams, ordered by an event
    cudaEvent_t event;
    float *pinned;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&event);
    cudaMallocHost(&pinned, sizeof h);
    memcpy(pinned, h, sizeof h);
    cudaMemcpyAsync(x, pinned, sizeof h, cudaMemcpyHostToDevice, one);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    scale<<<3, 32, 0, two>>>(y, x, N);
    cudaMemcpyAsync(pinned, y, sizeof h, cudaMemcpyDeviceToHost, two);
    cudaLaunchHostFunc(two, note, &called);
    cudaStreamSynchronize(two);
    for (int i = 0; i < N; i++)
        wrong += pinned[i] != 2 * i;
    wrong += called != 1;

    float *pooled; // stream-ordered memory
    for (int round = 0; round < 3; round++) {
        cudaMallocAsync(&pooled, sizeof h, one);
        scale<<<1, 64, 0, one>>>(pooled, x, N);
        cudaMemcpyAsync(pinned, pooled, sizeof h, cudaMemcpyDeviceToHost, one);
        cudaFreeAsync(pooled, one);
        cudaStreamSynchronize(one);
        wrong += pinned[N - 1] != 2 * (N - 1);
    }

    for (int r = 0; r < 4; r++) // pointers in device memory, one block cut into rows
        rows[r] = x + r * 64;
    cudaMemcpy(in_device, rows, sizeof rows, cudaMemcpyHostToDevice);
    through_pointers<<<1, 64>>>(in_device, 64);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += h[i] != i / 64;

    cudaArray_t array; // textures and a surface
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore);
    cudaResourceDesc of_array = {}, of_memory = {};
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    of_memory.resType = cudaResourceTypeLinear;
    of_memory.res.linear.devPtr = x;
    of_memory.res.linear.desc = format;
    of_memory.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc how = {};
    cudaTextureObject_t linear, image;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &of_array);
    to_surface<<<1, 256>>>(surface);
    cudaCreateTextureObject(&linear, &of_memory, &how, NULL);
    cudaCreateTextureObject(&image, &of_array, &how, NULL);
    from_texture<<<1, 256>>>(y, linear, image);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += h[i] != i / 64 + i;
    cudaDestroyTextureObject(linear);
    cudaDestroyTextureObject(image);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);

    float values[4] = {1, 2, 3, 4}; // device variables
    cudaMemcpyToSymbol(factors, values, sizeof values);
    variables<<<1, 4>>>();
    variables<<<1, 4>>>();
    cudaMemcpyFromSymbol(values, accumulated, sizeof values);
    wrong += values[3] != 8 || counted != 2;
    void *address;
    cudaGetSymbolAddress(&address, accumulated);
    cudaMemset(address, 0, 4);
    early<<<1, 8>>>((float *)address, 4);
    cudaMemcpyFromSymbol(values, accumulated, sizeof values);
    wrong += values[3] != 3;

    void *arguments[] = {&ints};
    cudaLaunchCooperativeKernel(grid_wide, 4, 64, arguments);
    int first;
    cudaMemcpy(&first, ints, sizeof first, cudaMemcpyDeviceToHost);
    wrong += first != 3;

    node *head = NULL; // a list in managed memory, built by the host
    for (int i = 1; i <= 10; i++) {
        node *n;
        cudaMallocManaged(&n, sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    sum_list<<<1, 1>>>(ints, head);
    cudaMemcpy(&first, ints, sizeof first, cudaMemcpyDeviceToHost);
    wrong += first != 55;
    while (head) {
        node *next = head->next;
        cudaFree(head);
        head = next;
    }

    cudaMemset(ints, 0, 4); // a queue of which only the filled part is read
    queue<<<4, 64>>>(ints + 1, ints, 200);
    int items[68];
    cudaMemcpy(&first, ints, sizeof first, cudaMemcpyDeviceToHost);
    cudaMemcpy(items, ints, (first + 1) * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 1; i <= first; i++)
        sum += items[i];
    wrong += first != 67 || sum != 198 * 67 / 2;

    cudaMemset(y, 0, 4); // a reduction
    scale<<<1, 256>>>(x, x, N);
    reduce<<<1, 128>>>(y, x, N);
    cudaMemcpy(&sum, y, sizeof sum, cudaMemcpyDeviceToHost);
    wrong += sum != 2 * 64 * (1 + 2 + 3);

    char *pitched; // rows with a pitch, in and out
    size_t pitch;
    float square[8][8], back[8][8];
    for (int i = 0; i < 64; i++)
        square[i / 8][i % 8] = i;
    cudaMallocPitch(&pitched, &pitch, 32, 8);
    cudaMemcpy2D(pitched, pitch, square, 32, 32, 8, cudaMemcpyHostToDevice);
    cudaMemcpy2D(back, 32, pitched, pitch, 32, 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        wrong += back[i / 8][i % 8] != i;

    float *large; // a pointer past the end marks the end
    cudaMalloc(&large, 2 << 20);
    between<<<1, 256>>>(large, large + (2 << 18));
    cudaMemcpy(&sum, large + (2 << 18) - 1, sizeof sum, cudaMemcpyDeviceToHost);
    wrong += sum != 1;
    cudaFree(large);

    static float mine[64]; // the program's own memory, registered
    float *seen;
    cudaHostRegister(mine, sizeof mine, cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&seen, mine, 0);
    early<<<2, 64>>>(seen, 64);
    cudaDeviceSynchronize();
    wrong += mine[63] != 63;
    cudaHostUnregister(mine);

    printf("wrong %d\n", wrong);
    cudaFree(x);
    cudaFree(y);
    cudaFree(ints);
    cudaFree(in_device);
    cudaFree(pitched);
    cudaFreeHost(pinned);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return 0;
}
