// SPDX-License-Identifier: MIT
// The line of a bad access is that of the statement itself, wherever it stands.
//
// run: callee
// finding: out of bounds @callee@ @allocated@
// run: loop
// finding: out of bounds @loop@ @allocated@
// run: template
// finding: out of bounds @template@ @allocated@
// run: member
// finding: out of bounds @member@ @allocated@
// run: structure
// finding: out of bounds @structure@ @allocated@
// run: by-value
// finding: out of bounds @by-value@ @allocated@
// run: in-memory
// finding: out of bounds @in-memory@ @allocated@
// run: recursion
// finding: out of bounds @recursion@ @allocated@
// run: atomic
// finding: out of bounds @atomic@ @allocated@
// run: ldg
// finding: out of bounds @ldg@ @allocated@
// run: two-lines
// finding: out of bounds @second-line@ @allocated@
// run: increment
// finding: out of bounds @increment@ @allocated@
// run: negative
// finding: out of bounds @negative@ @allocated@
// expect: before
// run: neighbour
// finding: out of bounds @neighbour@ @allocated@
// run: macro
// finding: out of bounds @macro@ @allocated@
// run: lambda
// finding: out of bounds @lambda@ @allocated@
// run: method
// finding: out of bounds @method@ @allocated@
// run: right
#include <stdio.h>
#include <string.h>

enum { N = 64 };
struct vec3 {
    float x, y, z;
};
struct view {
    float *data;
    int n;
    __device__ float &at(int i)
    {
        return data[i];
    }
    __device__ void set(int i, float value)
    {
        data[i] = value; // method
    }
};

__device__ __noinline__ void store(float *p, int i)
{
    p[i] = 1; // callee
}

__global__ void calls(float *p)
{
    store(p, threadIdx.x + N - 3);
}

__global__ void loop(float *p)
{
    for (int i = threadIdx.x; i <= N; i += blockDim.x)
        p[i] = i; // loop
}

template <class T, int SHIFT>
__global__ void shifted(T *p)
{
    p[threadIdx.x + SHIFT] = T(1); // template
}

__global__ void member(vec3 *p)
{
    p[threadIdx.x + 20].z = 2; // member
}

__global__ void whole_struct(vec3 *p, vec3 value)
{
    p[threadIdx.x + 20] = value; // structure
}

__global__ void by_value(view v)
{
    v.data[v.n + threadIdx.x] = 1; // by-value
}

__global__ void in_memory(view *v)
{
    v->data[v->n + threadIdx.x] = 1; // in-memory
}

__device__ __noinline__ void descend(float *p, int i, int depth)
{
    if (depth)
        descend(p, i + 8, depth - 1);
    else
        p[i] = 3; // recursion
}

__global__ void recurse(float *p)
{
    descend(p, threadIdx.x, 8);
}

__global__ void add(float *p)
{
    atomicAdd(&p[threadIdx.x + N - 1], 1.0f); // atomic
}

__global__ void cached(float *p)
{
    p[threadIdx.x] = __ldg(&p[threadIdx.x + N - 1]); // ldg
}

__global__ void two_lines(float *p)
{
    float a = p[threadIdx.x],
          b = p[threadIdx.x + N - 1]; // second-line
    p[threadIdx.x] = a + b;
}

__global__ void increment(float *p)
{
    p[threadIdx.x + N - 1]++; // increment
}

__global__ void backwards(float *p)
{
    int i = (int)threadIdx.x - 2;
    p[i] = 1; // negative
}

__global__ void neighbours(float *out, const float *p)
{
    int i = threadIdx.x;
    out[i] = p[i] + p[i + 1]; // neighbour
}

#define SET(p, i, x) ((p)[(i)] = (x))

__global__ void by_macro(float *p)
{
    SET(p, threadIdx.x + N - 1, 1.0f); // macro
}

__global__ void by_lambda(float *p)
{
    auto set = [p](int i) {
        p[i] = 1; // lambda
    };
    set(threadIdx.x + N - 1);
}

__global__ void by_method(view v)
{
    if (threadIdx.x == 0)
        v.at(N - 1) = 1;
    v.set(threadIdx.x + N - 1, 1);
}

__global__ void right(float *p)
{
    p[threadIdx.x] = p[threadIdx.x + 32] + 1;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    float *p, *out;
    view v, *in_device;
    cudaMalloc(&out, N * sizeof(float));
    cudaMalloc(&in_device, sizeof v);
    cudaMalloc(&p, N * sizeof(float)); // allocated
    cudaMemset(p, 0, N * sizeof(float));
    v = {p, N};
    cudaMemcpy(in_device, &v, sizeof v, cudaMemcpyHostToDevice);
    if (is("callee"))
        calls<<<1, 32>>>(p);
    else if (is("loop"))
        loop<<<1, 32>>>(p);
    else if (is("template"))
        shifted<double, 1><<<1, 32>>>((double *)p);
    else if (is("member"))
        member<<<1, 2>>>((vec3 *)p);
    else if (is("structure"))
        whole_struct<<<1, 2>>>((vec3 *)p, vec3{1, 2, 3});
    else if (is("by-value"))
        by_value<<<1, 32>>>(v);
    else if (is("in-memory"))
        in_memory<<<1, 32>>>(in_device);
    else if (is("recursion"))
        recurse<<<1, 8>>>(p);
    else if (is("atomic"))
        add<<<1, 32>>>(p);
    else if (is("ldg"))
        cached<<<1, 32>>>(p);
    else if (is("two-lines"))
        two_lines<<<1, 32>>>(p);
    else if (is("increment"))
        increment<<<1, 32>>>(p);
    else if (is("negative"))
        backwards<<<1, 32>>>(p);
    else if (is("neighbour"))
        neighbours<<<1, N>>>(out, p);
    else if (is("macro"))
        by_macro<<<1, 32>>>(p);
    else if (is("lambda"))
        by_lambda<<<1, 32>>>(p);
    else if (is("method"))
        by_method<<<1, 32>>>(v);
    else
        right<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in_device);
    cudaFree(p);
    return 0;
}
