/* SPDX-License-Identifier: MIT */
/* Texture objects: which are accepted, and what fetches from linear and pitched memory give. */
#include "probe.h"

static cudaTextureDesc plain;

static void create(const char *what, const cudaResourceDesc *r, const cudaTextureDesc *d)
{
    cudaTextureObject_t t = 0;
    SAY("%s: %s", what, cudaGetErrorName(cudaCreateTextureObject(&t, r, d, NULL)));
    cudaGetLastError();
}

static cudaResourceDesc linear(void *p, size_t bytes,
                               cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>())
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes = bytes;
    return r;
}

static cudaResourceDesc pitched(void *p, size_t w, size_t h, size_t pitch)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = w;
    r.res.pitch2D.height = h;
    r.res.pitch2D.pitchInBytes = pitch;
    return r;
}

static void linear_objects()
{
    float *d, *freed;
    static float host[64];
    cudaMalloc(&d, 1 << 20);
    cudaMalloc(&freed, 1 << 20);
    cudaFree(freed);
    cudaResourceDesc r = linear(d, 4096);
    create("whole", &r, &plain);
    cudaTextureDesc t = plain;
    t.readMode = cudaReadModeNormalizedFloat;
    create("float normalized", &r, &t);
    t = plain;
    t.filterMode = cudaFilterModeLinear;
    create("linear filter", &r, &t);
    t = plain;
    t.normalizedCoords = 1;
    create("normalized coordinates", &r, &t);
    t = plain;
    t.addressMode[0] = cudaAddressModeBorder;
    create("border", &r, &t);
    t.addressMode[0] = (cudaTextureAddressMode)7;
    create("mode 7", &r, &t);
    create("no texture description", &r, NULL);
    create("no resource", NULL, &plain);
    r = linear(d + 1, 64), create("misaligned by 4", &r, &plain);
    r = linear(d + 64, 64), create("misaligned by 256", &r, &plain);
    r = linear(d + 128, 64), create("512 further", &r, &plain);
    r = linear(d, 0), create("size 0", &r, &plain);
    r = linear(d, 6), create("size 6", &r, &plain);
    r = linear(d, 1 << 21), create("past the end", &r, &plain);
    r = linear(NULL, 64), create("null", &r, &plain);
    r = linear(host, 64), create("host memory", &r, &plain);
    r = linear(freed, 64), create("freed", &r, &plain);
    r = linear(d, 64, cudaChannelFormatDesc{32, 32, 32, 0, cudaChannelFormatKindFloat});
    create("three components", &r, &plain);
    r = linear(d, 64, cudaCreateChannelDesc<int>()), create("int", &r, &plain);
    t = plain;
    t.readMode = cudaReadModeNormalizedFloat, create("int normalized", &r, &t);
    t = plain;
    t.filterMode = cudaFilterModeLinear, create("int filtered", &r, &t);
    r.resType = (cudaResourceType)9, create("type 9", &r, &plain);
    cudaTextureObject_t object = 0;
    r = linear(d, 64);
    ASK(cudaCreateTextureObject(NULL, &r, &plain, NULL));
    ASK(cudaCreateTextureObject(&object, &r, &plain, NULL));
    SAY("object %s 0", object ? "is not" : "is");
    cudaResourceDesc back = {};
    ASK(cudaGetTextureObjectResourceDesc(&back, object));
    SAY("same memory %d, %zu bytes", back.res.linear.devPtr == (void *)d, back.res.linear.sizeInBytes);
    ASK(cudaDestroyTextureObject(object));
    ASK(cudaDestroyTextureObject(object));
    ASK(cudaDestroyTextureObject(0));
    ASK(cudaGetTextureObjectResourceDesc(&back, object));
}

static void pitched_objects()
{
    float *d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 100 * 4, 8);
    cudaResourceDesc r = pitched(d, 100, 8, pitch);
    create("whole", &r, &plain);
    r = pitched(d, 100, 8, 400), create("pitch 400", &r, &plain);
    r = pitched(d, 100, 8, 416), create("pitch 416", &r, &plain);
    r = pitched(d, 200, 8, pitch), create("wider than the pitch", &r, &plain);
    r = pitched(d, 100, 9, pitch), create("a row too many", &r, &plain);
    r = pitched(d, 0, 8, pitch), create("width 0", &r, &plain);
    r = pitched(d, 100, 0, pitch), create("height 0", &r, &plain);
    r = pitched(d + 1, 99, 8, pitch), create("misaligned", &r, &plain);
    r = pitched((char *)d + 32, 90, 8, pitch), create("32 bytes further", &r, &plain);
    r = pitched(d, 100, 8, 0), create("pitch 0", &r, &plain);
}

__global__ static void fetch(cudaTextureObject_t t, float *to)
{
    const int at[] = {-1, 0, 7, 8, 9, 1 << 20, 1 << 28, -2147483647 - 1};
    to[threadIdx.x] = tex1Dfetch<float>(t, at[threadIdx.x]);
}
__global__ static void sample(cudaTextureObject_t t, float *to)
{
    to[threadIdx.x] = tex2D<float>(t, threadIdx.x % 4 - .75f, threadIdx.x / 4 + .5f);
}

static void fetches()
{
    float *d, *to, h[256];
    cudaTextureObject_t t;
    size_t pitch;
    for (int i = 0; i < 256; i++)
        h[i] = (float)(i + 1);
    cudaMallocManaged(&to, 64);
    cudaMalloc(&d, 1024);
    cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
    cudaResourceDesc r = linear(d, 8 * 4 + 2);
    ASK(cudaCreateTextureObject(&t, &r, &plain, NULL));
    fetch<<<1, 8>>>(t, to);
    ASK(cudaDeviceSynchronize());
    SAY("8 texels: %g %g %g %g %g %g %g %g", to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]);
    cudaMallocPitch(&d, &pitch, 3 * 4, 2);
    cudaMemcpy2D(d, pitch, h, 12, 12, 2, cudaMemcpyHostToDevice);
    for (int filter = 0; filter < 2; filter++) {
        cudaTextureDesc how = plain;
        how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        r = pitched(d, 3, 2, pitch);
        ASK(cudaCreateTextureObject(&t, &r, &how, NULL));
        sample<<<1, 8>>>(t, to);
        ASK(cudaDeviceSynchronize());
        SAY("%g %g %g %g / %g %g %g %g", to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]);
    }
}

__global__ static void mixed(cudaTextureObject_t t, float *to)
{
    to[0] = tex1Dfetch<float>(t, 1);
    to[1] = tex1D<float>(t, 1.5f);
    to[2] = tex2D<float>(t, 1.5f, .5f);
    to[3] = tex3D<float>(t, 1.5f, .5f, .5f);
}

static void other_dimensions()
{
    const char *names[] = {"linear", "1-D", "2-D", "3-D"};
    float *to, h[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaTextureObject_t t;
    cudaMallocManaged(&to, 64);
    for (int i = 0; i < 4; i++) {
        void *d;
        cudaMalloc(&d, 64);
        cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
        cudaResourceDesc r = linear(d, 64);
        if (i > 0) {
            r.resType = cudaResourceTypeArray;
            cudaExtent e = make_cudaExtent(4, i > 1 ? 2 : 0, i > 2 ? 2 : 0);
            cudaMalloc3DArray(&r.res.array.array, &f, e);
            cudaMemcpy3DParms p = {};
            p.srcPtr = make_cudaPitchedPtr(h, 16, 4, e.height ? e.height : 1);
            p.dstArray = r.res.array.array;
            p.extent = make_cudaExtent(4, e.height ? e.height : 1, e.depth ? e.depth : 1);
            p.kind = cudaMemcpyHostToDevice;
            ASK(cudaMemcpy3D(&p));
        }
        ASK(cudaCreateTextureObject(&t, &r, &plain, NULL));
        mixed<<<1, 1>>>(t, to);
        ASK(cudaDeviceSynchronize());
        SAY("%s: fetch %g, 1-D %g, 2-D %g, 3-D %g", names[i], to[0], to[1], to[2], to[3]);
    }
}

int main()
{
    CASE(linear_objects);
    CASE(pitched_objects);
    CASE(fetches);
    CASE(other_dimensions);
    return 0;
}
