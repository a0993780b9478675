// SPDX-License-Identifier: MIT
// A kernel reaches host memory: as an argument, in a structure by value, through a pointer in device memory.
// flags: --extended-lambda
//
// run: argument
// finding: argument @launch@
// expect: host
// run: heap
// finding: host memory @first@
// expect: host memory
// first: thread (0,0,0)
// run: stack
// finding: host memory @first@
// run: global
// finding: host memory @first@
// run: in-device
// finding: host memory @second@
// run: read
// finding: host memory @read@
// run: captured
// finding: host memory @captured@
// run: nested
// finding: host memory @first@
// run: right
// expect: sum 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view {
    int *data;
    int n;
};
struct scene {
    float scale;
    view views[2];
};

static int host_global[4];

__global__ void set(int *p)
{
    *p = 1;
}

__global__ void first(scene s)
{
    s.views[1].data[0] = 1; // first
}

__global__ void second(scene *s)
{
    s->views[1].data[0] = 2; // second
}

__global__ void fourth(int *out, view v)
{
    out[0] = v.data[1]; // read
}

template <class F> __global__ void each(F f)
{
    f(threadIdx.x);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int on_stack[4] = {}, *on_heap = (int *)calloc(4, sizeof(int)), *d, sum = 0;
    scene s = {1, {{NULL, 0}, {NULL, 4}}}, *in_device;
    cudaMalloc(&d, 16);
    cudaMalloc(&in_device, sizeof s);
    cudaMemset(d, 0, 16);
    int *&to = s.views[1].data;
    to = is("heap")     ? on_heap
         : is("stack")  ? on_stack
         : is("global") ? host_global
         : is("right")  ? d
                        : on_heap;
    cudaMemcpy(in_device, &s, sizeof s, cudaMemcpyHostToDevice);
    if (is("argument"))
        set<<<1, 1>>>(on_heap); // launch
    else if (is("in-device"))
        second<<<1, 1>>>(in_device);
    else if (is("read"))
        fourth<<<1, 1>>>(d, view{on_heap, 4});
    else if (is("captured"))
        each<<<1, 1>>>([=] __device__(int i) {
            on_heap[i] = 1; // captured
        });
    else if (is("nested")) {
        scene *other = (scene *)malloc(sizeof s);
        *other = s;
        first<<<1, 1>>>(*other);
        free(other);
    } else {
        first<<<1, 1>>>(s);
        if (is("right")) {
            second<<<1, 1>>>(in_device);
            each<<<1, 2>>>([=] __device__(int i) { atomicAdd(d, i); });
        }
    }
    cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFree(in_device);
    free(on_heap);
    return 0;
}
