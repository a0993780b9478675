/* SPDX-License-Identifier: MIT */
/* CUDA arrays: making them, what is inside the info, and rows and boxes copied in and out. */
#include "probe.h"

static float h[12][16];

static cudaArray_t make(size_t width, size_t height, size_t depth, unsigned flags = 0)
{
    cudaArray_t a = NULL;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaError_t e = cudaMalloc3DArray(&a, &desc, make_cudaExtent(width, height, depth), flags);
    if (e)
        SAY("array %zu x %zu x %zu: %s", width, height, depth, cudaGetErrorName(e));
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 16; x++)
            h[y][x] = (float)(100 * y + x);
    return a;
}

static void making()
{
    cudaArray_t a = NULL;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), zero = {0, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    cudaChannelFormatDesc odd = {12, 0, 0, 0, cudaChannelFormatKindSigned};
    cudaChannelFormatDesc mixed = {8, 16, 0, 0, cudaChannelFormatKindUnsigned};
    cudaChannelFormatDesc f8 = {8, 0, 0, 0, cudaChannelFormatKindFloat};
    ASK(cudaMallocArray(&a, &f, 16, 4));
    ASK(cudaFreeArray(a));
    ASK(cudaFreeArray(NULL));
    ASK(cudaMallocArray(&a, &f, 0, 0));
    ASK(cudaMallocArray(&a, &f, 0, 4));
    ASK(cudaMallocArray(&a, &three, 16, 4));
    ASK(cudaMallocArray(&a, &zero, 16, 4));
    ASK(cudaMallocArray(&a, &odd, 16, 4));
    ASK(cudaMallocArray(&a, &mixed, 16, 4));
    ASK(cudaMallocArray(&a, &f8, 16, 4));
    ASK(cudaMallocArray(NULL, &f, 16, 4));
    ASK(cudaMallocArray(&a, NULL, 16, 4));
    ASK(cudaMallocArray(&a, &f, 16, 4, cudaArraySurfaceLoadStore));
    ASK(cudaMallocArray(&a, &f, 131072, 1));
    ASK(cudaMallocArray(&a, &f, 131073, 1));
    ASK(cudaMallocArray(&a, &f, 131072, 0));
    ASK(cudaMallocArray(&a, &f, 131073, 0));
    ASK(cudaMallocArray(&a, &f, 16, 65537));
    ASK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 0, 4)));
    ASK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 0, 4), cudaArrayLayered));
    ASK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 0), cudaArrayLayered));
    ASK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 2049), cudaArrayLayered));
    ASK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 16385)));
}

static void info()
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>(), got = {};
    cudaExtent e = {};
    unsigned flags = 9;
    ASK(cudaMallocArray(&a, &desc, 16, 0, cudaArraySurfaceLoadStore));
    ASK(cudaArrayGetInfo(&got, &e, &flags, a));
    SAY("%d %d %d %d kind %d", got.x, got.y, got.z, got.w, got.f);
    SAY("%zu x %zu x %zu, flags %u", e.width, e.height, e.depth, flags);
    ASK(cudaArrayGetInfo(NULL, NULL, NULL, a));
    ASK(cudaGetChannelDesc(&got, a));
    ASK(cudaArrayGetInfo(&got, &e, &flags, make(3, 4, 5, cudaArrayLayered)));
    SAY("kind %d, %zu x %zu x %zu, flags %u", got.f, e.width, e.height, e.depth, flags);
    ASK(cudaArrayGetInfo(&got, &e, &flags, NULL));
    got = cudaCreateChannelDesc<short2>();
    SAY("short2: %d %d %d %d kind %d", got.x, got.y, got.z, got.w, got.f);
}

static void rows()
{
    cudaArray_t a = make(16, 4, 0), b = make(16, 4, 0);
    float back[4][16] = {};
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DFromArray(back, 64, a, 8, 1, 8, 3, cudaMemcpyDeviceToHost));
    SAY("from column 2, row 1: %g %g / %g %g", back[0][0], back[0][1], back[2][0], back[2][1]);
    ASK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 0, 0, 8, 2, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DFromArray(back, 64, b, 4, 1, 8, 2, cudaMemcpyDeviceToHost));
    SAY("through another array: %g %g / %g %g", back[0][0], back[0][1], back[1][0], back[1][1]);
    ASK(cudaMemcpy2DToArray(a, 1, 0, h, 64, 2, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 6, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 68, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 4, 0, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 1, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 4, h, 64, 64, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 32, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, cudaMemcpyDefault));
    ASK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, (cudaMemcpyKind)9));
    ASK(cudaMemcpy2DToArray(NULL, 0, 0, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(a, 0, 0, NULL, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 64, 5, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DFromArray(back, 32, a, 0, 0, 64, 4, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DArrayToArray(b, 0, 1, a, 0, 0, 64, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 4, cudaMemcpyHostToDevice));
    cudaArray_t line = make(16, 0, 0);
    ASK(cudaMemcpy2DToArray(line, 0, 0, h, 64, 64, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(line, 0, 0, h, 64, 64, 2, cudaMemcpyHostToDevice));
    ASK(cudaDeviceSynchronize());
}

static void boxes()
{
    cudaArray_t a = make(4, 3, 2);
    float back[2][3][4] = {};
    cudaPitchedPtr d;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(h, 64, 16, 6);
    p.dstArray = a;
    p.extent = make_cudaExtent(4, 3, 2);
    p.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D(&p));
    cudaMemcpy3DParms out = {};
    out.srcArray = a;
    out.srcPos = make_cudaPos(1, 1, 1);
    out.dstPtr = make_cudaPitchedPtr(back, 16, 4, 3);
    out.extent = make_cudaExtent(2, 2, 1);
    out.kind = cudaMemcpyDeviceToHost;
    ASK(cudaMemcpy3D(&out));
    SAY("slices 6 rows apart: %g %g / %g", back[0][0][0], back[0][0][1], back[0][1][0]);
    SAY("and no more: %g", back[0][0][2]);
    cudaMalloc3D(&d, make_cudaExtent(16, 3, 2));
    cudaMemset3D(d, 0, make_cudaExtent(16, 3, 2));
    cudaMemcpy3DParms across = {};
    across.srcArray = a;
    across.dstPtr = d;
    across.dstPos = make_cudaPos(1, 1, 1);
    across.extent = make_cudaExtent(2, 2, 1);
    across.kind = cudaMemcpyDeviceToDevice;
    ASK(cudaMemcpy3D(&across));
    cudaMemcpy3DParms pitched = {};
    pitched.srcPtr = d;
    pitched.dstPtr = make_cudaPitchedPtr(back, 16, 4, 3);
    pitched.extent = make_cudaExtent(16, 3, 2);
    pitched.kind = cudaMemcpyDeviceToHost;
    ASK(cudaMemcpy3D(&pitched));
    SAY("x counts elements: %g %g / %g", back[1][1][1], back[1][1][2], back[1][2][1]);
    p.extent.width = 5;
    ASK(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(4, 3, 3);
    ASK(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(4, 3, 0);
    ASK(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(4, 3, 2);
    p.srcPtr.pitch = 8;
    ASK(cudaMemcpy3D(&p));
    p.srcPtr.pitch = 64;
    p.kind = cudaMemcpyDeviceToHost;
    ASK(cudaMemcpy3D(&p));
    p.kind = cudaMemcpyHostToDevice;
    p.dstPtr = d;
    ASK(cudaMemcpy3D(&p));
    ASK(cudaMemcpy3D(NULL));
    ASK(cudaDeviceSynchronize());
}

static void counted()
{
    cudaFree(0);
    size_t before = probe_free_bytes();
    cudaArray_t a = make(1024, 1024, 0);
    SAY("4 MiB array takes %ld KiB", probe_taken_kib(before));
    ASK(cudaFreeArray(a));
    SAY("after freeing it %ld KiB", probe_taken_kib(before));
    SAY("%p", (void *)make(16384, 16384, 16384));
}

int main()
{
    CASE(making);
    CASE(info);
    CASE(rows);
    CASE(boxes);
    CASE(counted);
    return 0;
}
