// SPDX-License-Identifier: MIT
// The many ways of writing a launch, in macros and out of them.
#include <algorithm>
#include <stdio.h>
#include <string.h>

#define LAUNCH(K, g, b, ...) K<<<g, b>>>(__VA_ARGS__)
#define SHAPE 2, 32
#define TEXT(...) #__VA_ARGS__
#define LAUNCH_TWICE(k, p) \
    do { \
        k<<<1, 8>>>(p, 1); \
        k<<<1, 8>>>(p, 1); \
    } while (0)

__global__ void count(int *p, int by)
{
    atomicAdd(p, by * blockDim.y * gridDim.z);
}

template <typename T, int N> __global__ void count_by(T *p)
{
    atomicAdd(p, (T)N);
}

struct plan {
    int threads;
    dim3 grid() const { return dim3(2, 3); }
    int block() const { return threads; }
};

static int *d;
static int calls;

static int *counted()
{
    calls++;
    return d;
}

static int value(const char *what, int wanted)
{
    int back = -1;
    cudaError_t error = cudaGetLastError();
    cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost);
    cudaMemset(d, 0, sizeof back);
    if (back != wanted || error)
        printf("%s: %d, expected %d (%s)\n", what, back, wanted, cudaGetErrorName(error));
    return back != wanted || error;
}

int main()
{
    int n = 50, c = 1, wrong = 0;
    plan here = {16}, *p = &here;
    cudaStream_t s;
    cudaMalloc(&d, sizeof(int));
    cudaMemset(d, 0, sizeof(int));
    cudaStreamCreate(&s);

    count<<<1, 2>>>(d, 1), wrong += value("plain", 2);
    count << <2, 3 >> > (d, 1);
    wrong += value("with spaces", 6);
    count
        <<<dim3((n + 15) / 16, std::min(n, 3)), p->block(), 16 * sizeof(float), s>>>
        (d,
         1);
    cudaStreamSynchronize(s);
    wrong += value("over several lines", 4 * 3 * 16);
    count<<<p->grid(), (c < 2 && 3 > 1) ? 32 : 64>>>(d, 1);
    wrong += value("comparisons", 6 * 32);
    count<<<[&] { return n; }(), dim3{2, 2}>>>(d, 1);
    wrong += value("lambda and braces", 50 * 4 * 2);
    count /* <<< */ <<<1, /* >>> */ 5>>> /* ( */ (d, 1); // k<<<1, 1>>>(d)
    wrong += value("comments", 5);
    LAUNCH((count_by<int, 4>), 1, 2, d);
    wrong += value("macro", 8);
    LAUNCH(count, dim3(1, 1, 2), 3, d, 1);
    wrong += value("macro with arguments", 2 * 3 * 2);
    count<<<SHAPE>>>(d, 1);
    wrong += value("shape in a macro", 64);
    LAUNCH_TWICE(count, d);
    wrong += value("several lines of macro", 16);
    if (c)
        count<<<1, 1>>>(d, 10);
    else
        count<<<1, 1>>>(d, 20);
    wrong += value("if and else", 10);
    c ? count<<<1, 1>>>(d, 30) : count<<<1, 1>>>(d, 40);
    wrong += value("conditional", 30);
    count<<<1, 1>>>(counted(), c++);
    wrong += value("arguments evaluated once", 1) + (c != 2) + (calls != 1);
    auto launch = [=](int by) { count<<<1, 1>>>(d, by); };
    launch(3);
    wrong += value("inside a lambda", 3);
    wrong += strcmp(TEXT(k<<<1, 2>>>(p)), "k<<<1, 2>>>(p)") != 0;
    printf("launch_forms: %d wrong\n", wrong);
    cudaStreamDestroy(s);
    cudaFree(d);
    return wrong != 0;
}
