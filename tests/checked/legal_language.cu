// SPDX-License-Identifier: MIT
// What the language offers inside kernels, used rightly: no finding.
// flags: --extended-lambda
// expect: wrong 0
#include <new>
#include <stdio.h>
#include <string.h>

struct shape {
    int id;
    __host__ __device__ shape(int id) : id(id) {}
    __host__ __device__ virtual float area() const
    {
        return 0;
    }
    __host__ __device__ virtual ~shape() {}
};
struct square : shape {
    float side;
    __host__ __device__ square(int id, float side) : shape(id), side(side) {}
    __host__ __device__ float area() const override
    {
        return side * side;
    }
};
struct disc : shape {
    float radius;
    __host__ __device__ disc(int id, float radius) : shape(id), radius(radius) {}
    __host__ __device__ float area() const override
    {
        return 3 * radius * radius;
    }
};

__global__ void construct(shape **list, char *room)
{
    int i = threadIdx.x;
    if (i % 2)
        list[i] = new (room + 64 * i) square(i, i);
    else
        list[i] = new (room + 64 * i) disc(i, i);
}

__global__ void measure(float *out, shape *const *list)
{
    int i = threadIdx.x;
    out[i] = list[i]->area() - (i % 2 ? i * i : 3 * i * i) + list[i]->id - i;
    list[i]->~shape();
}

constexpr int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static __device__ const float weights[4] = {0.25f, 0.5f, 0.75f, 1};
__constant__ int offsets[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int table[8] = {8, 7, 6, 5, 4, 3, 2, 1};

__global__ void tables(int *out)
{
    static const char *const names[] = {"zero", "one", "two", "three"};
    const char *name = names[threadIdx.x % 4], text[] = "zotth";
    int i = threadIdx.x % 8, length = 0;
    while (name[length])
        length++;
    bool known = name[0] == text[i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : 2];
    out[threadIdx.x] = offsets[i] + table[i] - 9 + (primes[i] < 2) + (weights[i % 4] > 1)
        + !known + (length < 3);
}

struct heavy {
    int values[1000];
    int last;
};

__global__ void by_value(int *out, heavy h)
{
    h.values[threadIdx.x] += 1; // its own copy
    out[threadIdx.x] = h.values[threadIdx.x] - (int)threadIdx.x - 1;
}

union word {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

__global__ void unions(int *out, word *list)
{
    word w;
    w.f = 1.0f;
    list[threadIdx.x].u = w.u;
    out[threadIdx.x] = list[threadIdx.x].f != 1.0f || list[threadIdx.x].bytes[3] != 0x3f;
}

struct bits {
    unsigned low : 5, middle : 11, high : 16;
};

__global__ void fields(int *out, bits *list)
{
    bits b = {};
    b.low = threadIdx.x;
    b.high = 9;
    list[threadIdx.x] = b;
    list[threadIdx.x].middle = 100;
    out[threadIdx.x] = list[threadIdx.x].low - threadIdx.x % 32 + list[threadIdx.x].middle - 100;
}

template <class T, class F>
__global__ void apply(T *out, int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = f(i);
}

__device__ int negate(int x)
{
    return -x;
}
__device__ int keep(int x)
{
    return x;
}

__global__ void function_pointers(int *out)
{
    int (*const choices[])(int) = {keep, negate};
    int (*f)(int) = choices[threadIdx.x % 2];
    out[threadIdx.x] = f(f((int)threadIdx.x)) - (int)threadIdx.x;
}

__device__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursion(int *out)
{
    out[threadIdx.x] = ackermann(2, threadIdx.x % 4) - (2 * (threadIdx.x % 4) + 3);
}

struct matrix {
    float m[4][4];
    __device__ float *operator[](int row)
    {
        return m[row];
    }
};

__device__ matrix operator*(matrix a, matrix b)
{
    matrix c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    return c;
}

__global__ void matrices(int *out)
{
    matrix a, b;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            a[i][j] = i == j;
            b[i][j] = i + j;
        }
    matrix c = a * b;
    float *flat = &c.m[0][0];
    out[threadIdx.x] = flat[threadIdx.x % 16] != threadIdx.x % 16 / 4 + threadIdx.x % 4;
}

__global__ void talk(int *out)
{
    if (threadIdx.x == 0)
        printf("%s %d %f %c\n", "kernel", 1, 2.0, 'c');
    out[threadIdx.x] = 0;
}

__global__ void odd_bytes(int *out, char *p)
{
    int value = threadIdx.x, back;
    double wide = 1.5, wide_back;
    memcpy(p + 32 * threadIdx.x + 1, &value, sizeof value);
    memcpy(p + 32 * threadIdx.x + 9, &wide, sizeof wide);
    memcpy(&back, p + 32 * threadIdx.x + 1, sizeof back);
    memcpy(&wide_back, p + 32 * threadIdx.x + 9, sizeof wide_back);
    out[threadIdx.x] = back != (int)threadIdx.x || wide_back != 1.5;
}

__global__ void vectors(int *out, float4 *quads, double2 *pairs, uchar4 *colours, short2 *shorts)
{
    int i = threadIdx.x;
    quads[i] = make_float4(i, 1, 2, 3);
    pairs[i] = make_double2(i, 1);
    colours[i] = make_uchar4(i, 1, 2, 3);
    shorts[i].x = i;
    shorts[i].y = -i;
    float4 q = quads[i];
    q.w += __ldg(&quads[i]).x;
    out[i] = q.x + pairs[i].y + colours[i].z + shorts[i].y + q.w - (1 + 2 + 3 + i);
}

static int *out;
static int check(const char *name)
{
    int h[32], wrong = 0;
    cudaError_t error = cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h)
        wrong += x != 0;
    if (wrong || error)
        printf("%s: %d, %s\n", name, wrong, cudaGetErrorName(error));
    return wrong;
}

int main()
{
    int wrong = 0;
    char *room;
    shape **list;
    float *areas;
    heavy h;
    for (int i = 0; i < 1000; i++)
        h.values[i] = i;
    h.last = 7;
    cudaMalloc(&out, 128);
    cudaMalloc(&room, 4096);
    cudaMalloc(&list, 32 * sizeof *list);
    cudaMalloc(&areas, 128);
    construct<<<1, 32>>>(list, room);
    measure<<<1, 32>>>(areas, list);
    apply<<<1, 32>>>(out, 32, [=] __device__(int i) { return areas[i] != 0; });
    wrong += check("virtual");
    tables<<<1, 32>>>(out);
    wrong += check("tables");
    by_value<<<1, 32>>>(out, h);
    wrong += check("by value");
    unions<<<1, 32>>>(out, (word *)areas);
    wrong += check("unions");
    fields<<<1, 32>>>(out, (bits *)areas);
    wrong += check("fields");
    apply<<<2, 16>>>(out, 32, [h] __device__(int i) { return h.values[i] - i; });
    wrong += check("lambda");
    function_pointers<<<1, 32>>>(out);
    wrong += check("function pointers");
    recursion<<<1, 32>>>(out);
    wrong += check("recursion");
    matrices<<<1, 32>>>(out);
    wrong += check("matrices");
    talk<<<1, 32>>>(out);
    wrong += check("printf");
    odd_bytes<<<1, 32>>>(out, room);
    wrong += check("memcpy");
    vectors<<<1, 32>>>(out, (float4 *)room, (double2 *)(room + 512), (uchar4 *)(room + 1024),
                       (short2 *)(room + 2048));
    wrong += check("vectors");
    printf("wrong %d\n", wrong);
    cudaFree(out);
    cudaFree(room);
    cudaFree(list);
    cudaFree(areas);
    return 0;
}
