/* SPDX-License-Identifier: MIT */
/* Surfaces: which arrays take one, reads and writes inside, and the three ways to treat the outside. */
#include "probe.h"

__global__ static void move_surface(cudaSurfaceObject_t s, float *to)
{
    surf2Dwrite(7.5f, s, 4, 1);
    surf2Dwrite(8.5f, s, -4, 0, cudaBoundaryModeZero);
    surf2Dwrite(9.5f, s, 400, 0, cudaBoundaryModeClamp);
    to[0] = surf2Dread<float>(s, 4, 1);
    to[1] = surf2Dread<float>(s, -4, 0, cudaBoundaryModeZero);
    to[2] = surf2Dread<float>(s, 400, 0, cudaBoundaryModeClamp);
    surf2Dread(&to[3], s, 4, 99, cudaBoundaryModeClamp);
    to[4] = surf2Dread<float>(s, -4, -1, cudaBoundaryModeClamp);
}
__global__ static void trap_surface(cudaSurfaceObject_t s, float *to, int x, int y)
{
    to[0] = surf2Dread<float>(s, x, y);
}

static cudaSurfaceObject_t surface(unsigned flags)
{
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s = 0;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    const float h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    r.resType = cudaResourceTypeArray;
    ASK(cudaMallocArray(&r.res.array.array, &f, 4, 2, flags));
    cudaMemcpy2DToArray(r.res.array.array, 0, 0, h, 16, 16, 2, cudaMemcpyHostToDevice);
    ASK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

static void inside_and_edges()
{
    float *to;
    cudaSurfaceObject_t s = surface(cudaArraySurfaceLoadStore);
    cudaMallocManaged(&to, 64);
    move_surface<<<1, 1>>>(s, to);
    ASK(cudaDeviceSynchronize());
    SAY("%g %g %g %g %g", to[0], to[1], to[2], to[3], to[4]);
    cudaResourceDesc back = {};
    ASK(cudaGetSurfaceObjectResourceDesc(&back, s));
    float h[8];
    ASK(cudaMemcpy2DFromArray(h, 16, back.res.array.array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
    SAY("array: %g %g %g %g / %g %g %g %g", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
    ASK(cudaDestroySurfaceObject(s));
    ASK(cudaDestroySurfaceObject(s));
    ASK(cudaDestroySurfaceObject(0));
}

static void without_the_flag()
{
    surface(0);
}

static void wrong_resources()
{
    cudaSurfaceObject_t s = 0;
    cudaResourceDesc r = {};
    void *d;
    cudaMalloc(&d, 64);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.sizeInBytes = 64;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    ASK(cudaCreateSurfaceObject(&s, &r));
    ASK(cudaCreateSurfaceObject(&s, NULL));
    ASK(cudaCreateSurfaceObject(NULL, &r));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = NULL;
    ASK(cudaCreateSurfaceObject(&s, &r));
}

static void trapped(int x, int y)
{
    float *to;
    cudaSurfaceObject_t s = surface(cudaArraySurfaceLoadStore);
    cudaMallocManaged(&to, 64);
    trap_surface<<<1, 1>>>(s, to, x, y);
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSynchronize());
}
static void below_the_last_row()
{
    trapped(0, 2);
}
static void right_of_the_row()
{
    trapped(16, 0);
}
static void between_elements()
{
    trapped(2, 0);
}

int main()
{
    CASE(inside_and_edges);
    CASE(without_the_flag);
    CASE(wrong_resources);
    CASE(below_the_last_row);
    CASE(right_of_the_row);
    CASE(between_elements);
    return 0;
}
