// SPDX-License-Identifier: MIT
// Reads through a texture see what plain reads see: bytes that nobody wrote, blocks that were freed.
//
// run: written
// expect: value 10
// run: unwritten
// finding: unwritten @fetch@ @block@
// run: partly
// finding: unwritten @fetch@ @block@
// run: array
// finding: unwritten @sample@
// run: array-written
// expect: value 12
// run: pitched
// finding: unwritten @sample@ @pitched@
// run: rows-written
// expect: value 12
// run: filtered
// finding: unwritten @sample@ @pitched@
// run: freed
// finding: texture memory @fetch@ @block@ @free@
// run: outside
// expect: value 0
// run: surface
// finding: unwritten @load@
// run: surface-written
// expect: value 7
// run: surface-some
// finding: unwritten @load@
// first: thread (40,0,0)
#include <stdio.h>
#include <string.h>

__global__ void fetch(float *out, cudaTextureObject_t t, int i)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, i + threadIdx.x); // fetch
}

__global__ void sample(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.75f); // sample
}

__global__ void load(float *out, cudaSurfaceObject_t s)
{
    out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x % 8 * 4, threadIdx.x / 8); // load
}

__global__ void store(cudaSurfaceObject_t s, int n)
{
    if ((int)threadIdx.x < n)
        surf2Dwrite(7.0f, s, threadIdx.x % 8 * 4, threadIdx.x / 8);
}

__global__ void fill(float *p, float value)
{
    p[threadIdx.x] = value;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "written";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    float *block, *out, *pitched, h[64], value = 0;
    size_t pitch;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc(&block, 256); // block
    cudaMalloc(&out, 256);
    cudaMallocPitch(&pitched, &pitch, 32, 8); // pitched
    cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore);
    for (float &x : h)
        x = 12;
    cudaTextureDesc how = {};
    cudaTextureObject_t linear, image, rows;
    cudaSurfaceObject_t surface;
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = block;
    what.res.linear.desc = format;
    what.res.linear.sizeInBytes = 256;
    cudaCreateTextureObject(&linear, &what, &how, NULL);
    what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaCreateTextureObject(&image, &what, &how, NULL);
    cudaCreateSurfaceObject(&surface, &what);
    what = {};
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.devPtr = pitched;
    what.res.pitch2D.desc = format;
    what.res.pitch2D.width = 8;
    what.res.pitch2D.height = 8;
    what.res.pitch2D.pitchInBytes = pitch;
    if (is("filtered"))
        how.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&rows, &what, &how, NULL);
    if (is("written") || is("outside") || is("freed"))
        fill<<<1, 64>>>(block, 10);
    if (is("partly"))
        fill<<<1, 63>>>(block, 10);
    if (is("pitched") || is("rows-written") || is("filtered"))
        cudaMemcpy2D(pitched, pitch, h, 32, 32, is("rows-written") ? 8 : is("pitched") ? 7 : 4,
                     cudaMemcpyHostToDevice);
    if (is("surface-written") || is("surface-some"))
        store<<<1, 64>>>(surface, is("surface-some") ? 40 : 64);
    if (is("array-written"))
        cudaMemcpy2DToArray(array, 0, 0, h, 32, 32, 8, cudaMemcpyHostToDevice);
    if (is("freed")) {
        cudaDeviceSynchronize();
        cudaFree(block); // free
    }
    if (is("array") || is("array-written"))
        sample<<<1, 64>>>(out, image);
    else if (is("pitched") || is("rows-written"))
        sample<<<1, 64>>>(out, rows);
    else if (is("filtered"))
        sample<<<1, 32>>>(out, rows); // of the fifth row of texels a quarter
    else if (!strncmp(which, "surface", 7))
        load<<<1, 64>>>(out, surface);
    else
        fetch<<<1, 64>>>(out, linear, is("outside") ? 64 : 0);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    printf("value %g\n", value);
    cudaDestroyTextureObject(linear);
    cudaDestroyTextureObject(image);
    cudaDestroyTextureObject(rows);
    cudaDestroySurfaceObject(surface);
    if (!is("freed"))
        cudaFree(block);
    cudaFree(out);
    cudaFree(pitched);
    cudaFreeArray(array);
    return 0;
}
