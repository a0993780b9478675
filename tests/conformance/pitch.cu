/* SPDX-License-Identifier: MIT */
/* Pitched memory: the pitch cudaMallocPitch chooses, and what copies and fills of rows accept. */
#include "probe.h"

static char h[64][64];

static void pitches()
{
    size_t widths[] = {1, 100, 512, 513, 1024, 1025, 4000, 100000};
    for (size_t width : widths) {
        char *d = NULL;
        size_t pitch = 0, before = 0;
        cudaFree(0);
        before = probe_free_bytes();
        cudaError_t e = cudaMallocPitch(&d, &pitch, width, 10);
        SAY("width %zu: %s pitch %zu aligned %d", width, cudaGetErrorName(e), pitch, (uintptr_t)d % 512 == 0);
        ASK(cudaFree(d));
        SAY("taken %ld KiB", probe_taken_kib(before));
    }
}

static void odd_arguments()
{
    char *d = (char *)1;
    size_t pitch = 7;
    ASK(cudaMallocPitch(&d, &pitch, 0, 10));
    SAY("width 0: %s pitch %zu", d ? "pointer" : "null", pitch);
    ASK(cudaMallocPitch(&d, &pitch, 10, 0));
    SAY("height 0: %s pitch %zu", d ? "pointer" : "null", pitch);
    ASK(cudaMallocPitch(&d, (size_t *)NULL, 10, 10));
    ASK(cudaMallocPitch((char **)NULL, &pitch, 10, 10));
    ASK(cudaMallocPitch(&d, &pitch, (size_t)1 << 40, (size_t)1 << 20));
    ASK(cudaMallocPitch(&d, &pitch, SIZE_MAX, 1));
    ASK(cudaMallocPitch(&d, &pitch, 512, SIZE_MAX / 256));
    ASK(cudaGetLastError());
}

static void boxes()
{
    cudaPitchedPtr p = {};
    ASK(cudaMalloc3D(&p, make_cudaExtent(100, 7, 3)));
    SAY("pitch %zu xsize %zu ysize %zu", p.pitch, p.xsize, p.ysize);
    ASK(cudaMemset3D(p, 1, make_cudaExtent(100, 7, 3)));
    ASK(cudaMemset3D(p, 1, make_cudaExtent(512, 7, 3)));
    ASK(cudaMemset3D(p, 1, make_cudaExtent(513, 7, 3)));
    ASK(cudaMemset3D(p, 1, make_cudaExtent(100, 8, 3)));
    ASK(cudaMemset3D(p, 1, make_cudaExtent(100, 7, 4)));
    ASK(cudaMemset3D(p, 1, make_cudaExtent(0, 7, 3)));
    ASK(cudaFree(p.ptr));
    ASK(cudaMalloc3D(&p, make_cudaExtent(0, 7, 3)));
    ASK(cudaMalloc3D(&p, make_cudaExtent(100, 7, 0)));
    ASK(cudaMalloc3D(NULL, make_cudaExtent(1, 1, 1)));
    ASK(cudaMalloc3D(&p, make_cudaExtent((size_t)1 << 40, 1 << 10, 1 << 10)));
}

static void rows()
{
    char *d, row[8] = {0};
    size_t pitch;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 64; x++)
            h[y][x] = (char)(16 * y + x);
    cudaMallocPitch(&d, &pitch, 64, 4);
    ASK(cudaMemset2D(d, pitch, 0, 64, 4));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(row, d + 2 * pitch + 3, 4, cudaMemcpyDeviceToHost));
    SAY("row 2 from 3: %d %d %d %d", row[0], row[1], row[2], row[3]);
    ASK(cudaMemset2D(d + pitch, pitch, 9, 2, 2));
    ASK(cudaMemcpy2D(row, 4, d + 1, pitch, 2, 2, cudaMemcpyDeviceToHost));
    SAY("columns 1 and 2: %d %d / %d %d, between %d", row[0], row[1], row[4], row[5], row[2]);
    ASK(cudaMemcpy2D(d, pitch, d + 2 * pitch, pitch, 64, 2, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(row, 4, d, pitch, 4, 2, cudaMemcpyDefault));
    SAY("rows 2 and 3 moved up: %d %d / %d %d", row[0], row[1], row[4], row[5]);
    ASK(cudaMemcpy2D(row, 4, h[3], 64, 4, 1, cudaMemcpyHostToHost));
    SAY("host to host: %d %d", row[0], row[1]);
}

static void wrong_rows()
{
    char *d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 64, 4);
    ASK(cudaMemcpy2D(d, pitch, h, 32, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 32, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 32, h, 64, 64, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 0, h, 0, 64, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 0, h, 0, 64, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 65, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemset2D(d, 32, 0, 64, 4));
    ASK(cudaMemset2D(d, 32, 0, 64, 1));
    ASK(cudaGetLastError());
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 5, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 1 << 20, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, (size_t)1 << 31, h, 64, 64, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d + 3 * pitch, pitch, h, 64, 64, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d + 3 * pitch, pitch, h, 64, 64, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemset2D(d, pitch, 0, 64, 5));
    ASK(cudaMemset2D(d, pitch, 0, pitch, 4));
    ASK(cudaMemset2D(d, pitch, 0, pitch, 5));
    ASK(cudaMemset2D(h, 64, 0, 64, 4));
    ASK(cudaMemset2D(NULL, 64, 0, 64, 4));
    ASK(cudaMemcpy2D(h, 64, d, pitch, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 4, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 4, (cudaMemcpyKind)9));
    ASK(cudaMemcpy2D(NULL, pitch, h, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, pitch, NULL, 64, 64, 4, cudaMemcpyHostToDevice));
    ASK(cudaDeviceSynchronize());
}

static void pitched_boxes()
{
    cudaMemcpy3DParms p = {};
    cudaPitchedPtr d;
    char back[8];
    for (int x = 0; x < 64; x++)
        h[4][x] = (char)(100 + x);
    cudaMalloc3D(&d, make_cudaExtent(64, 3, 2));
    p.srcPtr = make_cudaPitchedPtr(h, 64, 64, 3);
    p.srcPos = make_cudaPos(4, 1, 1);
    p.dstPtr = d;
    p.extent = make_cudaExtent(8, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D(&p));
    ASK(cudaMemcpy(back, d.ptr, 8, cudaMemcpyDeviceToHost));
    SAY("x counts bytes: %d %d", back[0], back[7]);
    p.extent = make_cudaExtent(16, 3, 3);
    ASK(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(60, 0, 0);
    p.extent = make_cudaExtent(8, 1, 1);
    ASK(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(0, 0, 0);
    p.srcPtr.pitch = 4;
    ASK(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(8, 2, 1);
    ASK(cudaMemcpy3D(&p));
    p.srcPtr.pitch = 64;
    p.srcPtr.ysize = 1;
    ASK(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(8, 2, 2);
    ASK(cudaMemcpy3D(&p));
    p.kind = (cudaMemcpyKind)9;
    ASK(cudaMemcpy3D(&p));
}

static void nothing_to_do()
{
    char *d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 64, 4);
    ASK(cudaMemcpy2D(d, pitch, h, 64, 0, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(NULL, pitch, NULL, 64, 64, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 0, h, 0, 0, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 32, h, 64, 64, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, pitch, h, 64, 64, 0, (cudaMemcpyKind)9));
    ASK(cudaMemset2D(d, pitch, 0, 0, 4));
    ASK(cudaMemset2D(NULL, pitch, 0, 64, 0));
}

static void in_a_stream()
{
    char *d, *p;
    size_t pitch;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocPitch(&d, &pitch, 64, 4);
    cudaMallocHost(&p, 4 * 64);
    memset(p, 0, 4 * 64);
    probe_spin<<<1, 1, 0, s>>>();
    ASK(cudaMemset2DAsync(d, pitch, 5, 64, 4, s));
    ASK(cudaMemcpy2DAsync(p, 64, d, pitch, 64, 4, cudaMemcpyDeviceToHost, s));
    ASK(cudaStreamQuery(s));
    ASK(cudaStreamSynchronize(s));
    SAY("last byte %d", p[4 * 64 - 1]);
    ASK(cudaMemcpy2DAsync(p, 32, d, pitch, 64, 4, cudaMemcpyDeviceToHost, s));
    ASK(cudaMemcpy2DAsync(p, 64, d, pitch, 64, 5, cudaMemcpyDeviceToHost, s));
    ASK(cudaStreamSynchronize(s));
}

int main()
{
    CASE(pitches);
    CASE(odd_arguments);
    CASE(boxes);
    CASE(rows);
    CASE(wrong_rows);
    CASE(pitched_boxes);
    CASE(nothing_to_do);
    CASE(in_a_stream);
    return 0;
}
