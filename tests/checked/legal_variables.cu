// SPDX-License-Identifier: MIT
// Variables of every kind and scope that kernels may name, and what lies in registers and local memory.
// expect: wrong 0
#include <new>
#include <stdio.h>

namespace physics {
struct body {
    float mass, position[3];
};
__constant__ body sun = {10, {1, 2, 3}};
__device__ body planets[4];
static __device__ int steps;
const int limit = 32;
constexpr float powers[4] = {1, 10, 100, 1000};
} // namespace physics

__device__ int numbers[32];
__device__ int *cursor = numbers;
__device__ float *borrowed;
__managed__ struct {
    int count;
    float *data;
} managed;

struct settings {
    static constexpr int factor = 3;
    float scale = 2;
};
__constant__ settings current;

template <class T>
struct dynamic_shared {
    __device__ T *get()
    {
        extern __shared__ double raw[];
        return (T *)raw;
    }
};

struct stack {
    int items[32], top;
    __device__ void push(int x)
    {
        items[top++] = x;
    }
    __device__ int pop()
    {
        return items[--top];
    }
};

__global__ void symbols(float *out)
{
    using namespace physics;
    int i = threadIdx.x;
    if (i < 4)
        planets[i] = sun;
    numbers[i] = i;
    __syncthreads();
    if (i == 0) {
        steps++;
        planets[1].position[2] += powers[3];
        managed.count += limit;
        managed.data = borrowed;
    }
    __syncthreads();
    managed.data[i] = cursor[31 - i];
    out[i] = planets[1].position[2] - 1003 + borrowed[i] - (31 - i) + (current.scale - 2) * settings::factor;
}

template <class T>
__global__ void typed(float *out)
{
    T *list = dynamic_shared<T>().get();
    list[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (float)list[31 - threadIdx.x] - (31 - threadIdx.x);
}

template <class T>
__device__ void swap_them(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}

__device__ float total(const float (&list)[8])
{
    float sum = 0;
    for (float x : list)
        sum += x;
    return sum;
}

__global__ __launch_bounds__(32) void locals(float *__restrict__ out, int shift)
{
    float list[8] = {}, weights[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int order[8], i = threadIdx.x;
    for (int k = 0; k < 8; k++)
        order[(k + shift + i) % 8] = k;
    for (int k = 0; k < 8; k++)
        list[order[k]] = weights[(k + i) % 8];
    for (int k = 0; k < 4; k++)
        swap_them(list[k], list[7 - k]);
    auto add = [&list](int k, float x) { list[k] += x; };
    add(i % 8, 4);
    volatile float *p = &list[i % 8];
    *p = *p - 4;
    dim3 mine = blockDim;
    uint3 me = threadIdx;
    out[i] = total(list) - 36 + (mine.x - 32) + (me.x - i);
}

__global__ void objects(float *out)
{
    __shared__ stack one;
    __shared__ char room[sizeof(stack)];
    if (threadIdx.x == 0) {
        one.top = 0;
        for (int i = 0; i < 32; i++)
            one.push(i);
        stack *other = new (room) stack;
        other->top = 0;
        while (one.top)
            other->push(one.pop());
    }
    __syncthreads();
    out[threadIdx.x] = ((stack *)room)->items[threadIdx.x] - (31 - (int)threadIdx.x);
}

__global__ void chased(float *out, float **list, const float *const *fixed)
{
    float **p = &list[threadIdx.x];
    **p += 1;
    out[threadIdx.x] = *list[threadIdx.x] - *fixed[threadIdx.x];
}

__global__ void aim(float **list, float *values)
{
    values[threadIdx.x] = threadIdx.x;
    list[threadIdx.x] = values + threadIdx.x;
}

static float *out;
static int check(const char *name)
{
    float h[32];
    int wrong = 0;
    cudaError_t error = cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (float x : h)
        wrong += x != 0;
    if (wrong || error)
        printf("%s: %d, %s\n", name, wrong, cudaGetErrorName(error));
    return wrong + (error != cudaSuccess);
}

int main()
{
    int wrong = 0;
    float *data, **list;
    settings mine;
    physics::body back;
    cudaMalloc(&out, 128);
    cudaMalloc(&data, 128);
    cudaMalloc(&list, 32 * sizeof *list);
    cudaMemcpyToSymbol(borrowed, &data, sizeof data);
    cudaMemcpyToSymbol(current, &mine, sizeof mine);
    managed.count = 10;
    symbols<<<1, 32>>>(out);
    wrong += check("symbols");
    wrong += managed.count != 42 || managed.data != data;
    cudaMemcpyFromSymbol(&back, physics::planets, sizeof back, 3 * sizeof back);
    wrong += back.mass != 10 || back.position[2] != 3;
    typed<float><<<1, 32, 128>>>(out);
    wrong += check("typed");
    typed<double><<<1, 32, 256>>>(out);
    wrong += check("typed");
    typed<unsigned char><<<1, 32, 32>>>(out);
    wrong += check("typed");
    locals<<<1, 32>>>(out, 3);
    wrong += check("locals");
    objects<<<1, 32>>>(out);
    wrong += check("objects");
    aim<<<1, 32>>>(list, data);
    chased<<<1, 32>>>(out, list, list);
    wrong += check("chased");
    printf("wrong %d\n", wrong);
    cudaFree(out);
    cudaFree(data);
    cudaFree(list);
    return 0;
}
