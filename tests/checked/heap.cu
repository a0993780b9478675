// SPDX-License-Identifier: MIT
// Mistakes with what kernels allocate; and what looks like one and is right.
//
// run: past
// finding: out of bounds @past@ @made@
// run: before
// finding: out of bounds @before@
// run: unwritten
// finding: unwritten @unwritten@ @made@
// run: later
// finding: use after free @use-later@ @made@ @freed@
// run: once-more
// finding: double free @again@ @made@ @free-once@
// expect: 32 threads
// run: middle
// finding: interior free @middle@ @made@
// run: of-the-host
// finding: wrong free @middle@ @device@
// run: of-nobody
// finding: foreign free @middle@
// run: everybody
// finding: double free @everybody@ @block@
// finding: global memory race @everybody@ @summed@
// run: no-barrier
// finding: global memory race @no-barrier@ @summed-first@
// run: lost
// finding: leak @lost@
// expect: 8 x new[] at @lost@
// run: argument
// finding: argument @launched@ @made@ @freed@
// run: unordered
// finding: unordered work @elsewhere@ @store@
// exit: any
// run: copied
// finding: direction @copied@ @made@
// run: freed-by-host
// finding: wrong free @host-frees@ @made@
// expect: free or delete in a kernel
// run: touched
// finding: host access @touched@ @made@
// exit: signal
// run: full
// finding: kernel fault @full@
// expect: malloc of 16777216 bytes at @too-much@ in full gave one
// run: right
// expect: sum 4032 4032 4032
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int *kept;
__device__ int sums[3];

__global__ void make(int n)
{
    kept = (int *)malloc(n * sizeof(int)); // made
}

__global__ void store(int *p, int value)
{
    p[threadIdx.x] = value; // store
}

__global__ void elsewhere()
{
    kept[threadIdx.x] = 2; // elsewhere
}

__global__ void drop()
{
    free(kept); // freed
}

__global__ void past(int n)
{
    kept[n] = 1; // past
}

__global__ void before()
{
    kept[-1] = 1; // before
}

__global__ void read(int n)
{
    sums[0] = kept[n] + 1; // unwritten
}

__global__ void write_later()
{
    kept[1] = 1; // use-later
}

__global__ void free_once()
{
    free(kept); // free-once
}

__global__ void free_again()
{
    free(kept); // again
}

__global__ void free_it(char *p, size_t offset)
{
    free(p + offset); // middle
}

__global__ void everybody()
{
    __shared__ int *data;
    if (threadIdx.x == 0) {
        data = (int *)malloc(blockDim.x * sizeof *data); // block
        memset(data, 0, blockDim.x * sizeof *data);
    }
    __syncthreads();
    atomicAdd(&sums[0], data[threadIdx.x]); // summed
    free(data); // everybody
}

__global__ void no_barrier()
{
    __shared__ int *data;
    if (threadIdx.x == 0) {
        data = (int *)malloc(blockDim.x * sizeof *data);
        memset(data, 0, blockDim.x * sizeof *data);
    }
    __syncthreads();
    atomicAdd(&sums[0], data[threadIdx.x]); // summed-first
    if (threadIdx.x == 40)
        free(data); // no-barrier
}

__global__ void lose()
{
    int *mine = new int[4]; // lost
    mine[0] = 1;
    sums[0] = 0;
}

__global__ void full()
{
    kept = (int *)malloc(16 << 20); // too-much
    *kept = 1; // full
}

/* Addresses come back within a launch, from one thread to another; nothing else orders these. */
__global__ void churn()
{
    for (int i = 0; i < 400; i++) {
        int *p = (int *)malloc(5000);
        for (int k = 0; k < 20; k++)
            p[k * 61] = i;
        free(p);
    }
}

struct Value {
    int value;
    __device__ explicit Value(int v) : value(v) {}
    __device__ virtual ~Value() {}
    __device__ virtual int get() const { return value; }
};

struct Twice : Value {
    Value *inner;
    __device__ explicit Twice(int v) : Value(v), inner(new Value(v)) {}
    __device__ ~Twice() override { delete inner; }
    __device__ int get() const override { return inner->get() + value; }
};

__global__ void make_values(Value **values)
{
    values[threadIdx.x] = threadIdx.x % 2 ? new Value((int)threadIdx.x * 2) : new Twice((int)threadIdx.x);
}

__global__ void sum_and_delete(Value **values)
{
    unsigned other = blockDim.x - 1 - threadIdx.x;
    atomicAdd(&sums[0], values[other]->get());
    delete values[other];
}

/* A stack in the manner of textbooks: a node is handed over by an atomic, after a fence. */
struct Node {
    int value;
    Node *next;
};
__device__ Node *top;

__global__ void push_all()
{
    Node *n = new Node;
    n->value = (int)threadIdx.x * 2;
    n->next = (Node *)atomicExch((unsigned long long *)&top, (unsigned long long)n);
}

__global__ void pop_all()
{
    for (Node *n = top, *next; n; n = next) {
        sums[1] += n->value;
        next = n->next;
        delete n;
    }
    top = NULL;
}

__global__ void by_the_block()
{
    __shared__ int *data;
    if (threadIdx.x == 0)
        data = new int[blockDim.x]();
    __syncthreads();
    data[blockDim.x - 1 - threadIdx.x] = (int)threadIdx.x * 2;
    __syncthreads();
    atomicAdd(&sums[2], data[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 7)
        delete[] data;
}

__host__ __device__ static int both(int n)
{
    int *p = (int *)malloc(n * sizeof *p), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        sum += p[i];
    free(p);
    return sum;
}

__global__ void on_the_device(int *out)
{
    *out = both(10);
}

static void right()
{
    Value **values;
    int h[3], *out, one = 0;
    cudaMalloc(&values, 64 * sizeof *values);
    cudaMalloc(&out, sizeof *out);
    make_values<<<1, 64>>>(values);
    sum_and_delete<<<1, 64>>>(values);
    push_all<<<1, 64>>>();
    pop_all<<<1, 1>>>();
    by_the_block<<<1, 64>>>();
    churn<<<4, 32>>>();
    on_the_device<<<1, 1>>>(out);
    cudaMemcpy(&one, out, sizeof one, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(h, sums, sizeof h);
    printf("sum %d %d %d, %d\n", h[0], h[1], h[2], both(10) - one);
    cudaFree(values);
    cudaFree(out);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int *p = NULL, *d = NULL, h[4] = {};
    if (is("right"))
        return right(), 0;
    if (is("full") || is("lost") || is("everybody") || is("no-barrier")) {
        if (is("full"))
            full<<<1, 1>>>();
        else if (is("lost"))
            lose<<<4, 2>>>();
        else if (is("everybody"))
            everybody<<<1, 64>>>();
        else
            no_barrier<<<1, 64>>>();
        cudaDeviceSynchronize();
        return 0;
    }
    make<<<1, 1>>>(32);
    cudaMemcpyFromSymbol(&p, kept, sizeof p);
    if (is("past"))
        past<<<1, 1>>>(32);
    else if (is("before"))
        before<<<1, 1>>>();
    else if (is("unwritten"))
        read<<<1, 1>>>(7);
    else if (is("later"))
        drop<<<1, 1>>>(), write_later<<<1, 1>>>();
    else if (is("once-more"))
        free_once<<<1, 1>>>(), free_again<<<1, 32>>>();
    else if (is("middle"))
        free_it<<<1, 1>>>((char *)p, 16);
    else if (is("of-the-host")) {
        cudaMalloc(&d, 64); // device
        free_it<<<1, 1>>>((char *)d, 0);
    } else if (is("of-nobody"))
        free_it<<<1, 1>>>((char *)p, 1 << 20);
    else if (is("argument")) {
        drop<<<1, 1>>>();
        cudaDeviceSynchronize();
        store<<<1, 32>>>(p, 1); // launched
    } else if (is("unordered")) {
        cudaStream_t a, b;
        cudaStreamCreate(&a);
        cudaStreamCreate(&b);
        store<<<1, 32, 0, a>>>(p, 1);
        elsewhere<<<1, 32, 0, b>>>();
        cudaDeviceSynchronize();
    } else if (is("copied"))
        cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost); // copied
    else if (is("freed-by-host"))
        cudaFree(p); // host-frees
    else if (is("touched"))
        p[0] = 1; // touched
    cudaDeviceSynchronize();
    drop<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
