/* SPDX-License-Identifier: MIT */
/* What a texture fetch gives for each way to address, filter and read; the values are such that filter
 * weights of 8 bits give exact decimals. */
#include "probe.h"

enum { MOST = 64 };
struct at {
    float x, y, z;
};
static at *places;
static float4 *out;

__global__ static void read1(cudaTextureObject_t t, const at *p, float4 *to)
{
    to[threadIdx.x] = make_float4(tex1D<float>(t, p[threadIdx.x].x), 0, 0, 0);
}
__global__ static void read2(cudaTextureObject_t t, const at *p, float4 *to)
{
    to[threadIdx.x] = tex2D<float4>(t, p[threadIdx.x].x, p[threadIdx.x].y);
}
__global__ static void read3(cudaTextureObject_t t, const at *p, float4 *to)
{
    to[threadIdx.x].x = tex3D<float>(t, p[threadIdx.x].x, p[threadIdx.x].y, p[threadIdx.x].z);
}
__global__ static void read_layer(cudaTextureObject_t t, const at *p, float4 *to)
{
    to[threadIdx.x].x = tex2DLayered<float>(t, p[threadIdx.x].x, p[threadIdx.x].y, (int)p[threadIdx.x].z);
}
__global__ static void read_uchar4(cudaTextureObject_t t, const at *p, float4 *to)
{
    uchar4 c = tex2D<uchar4>(t, p[threadIdx.x].x, p[threadIdx.x].y);
    to[threadIdx.x] = make_float4(c.x, c.y, c.z, c.w);
}
__global__ static void read_short2(cudaTextureObject_t t, const at *p, float4 *to)
{
    short2 c;
    tex2D(&c, t, p[threadIdx.x].x, p[threadIdx.x].y);
    to[threadIdx.x] = make_float4(c.x, c.y, 0, 0);
}
static cudaTextureDesc how(int filter, int mode, int normalized, int read = cudaReadModeElementType)
{
    cudaTextureDesc d = {};
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = (cudaTextureAddressMode)mode;
    d.filterMode = (cudaTextureFilterMode)filter;
    d.normalizedCoords = normalized;
    d.readMode = (cudaTextureReadMode)read;
    return d;
}

static cudaResourceDesc array_of(cudaChannelFormatDesc f, size_t w, size_t h, size_t d, const void *data,
                                 unsigned flags = 0)
{
    cudaResourceDesc r = {};
    cudaMemcpy3DParms p = {};
    size_t bytes = (size_t)(f.x + f.y + f.z + f.w) / 8;
    r.resType = cudaResourceTypeArray;
    cudaMalloc3DArray(&r.res.array.array, &f, make_cudaExtent(w, h, d), flags);
    p.srcPtr = make_cudaPitchedPtr((void *)data, w * bytes, w, h ? h : 1);
    p.dstArray = r.res.array.array;
    p.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
    p.kind = cudaMemcpyHostToDevice;
    if (cudaError_t e = cudaMemcpy3D(&p))
        SAY("copy: %s", cudaGetErrorName(e));
    return r;
}

typedef void reader(cudaTextureObject_t, const at *, float4 *);
static void show(const char *name, const cudaResourceDesc &r, const cudaTextureDesc &d, reader *kernel,
                 const at *p, int n, int components = 1)
{
    cudaTextureObject_t t = 0;
    printf("  %s:", name);
    if (cudaCreateTextureObject(&t, &r, &d, NULL)) {
        printf(" %s\n", cudaGetErrorName(cudaGetLastError()));
        return;
    }
    cudaMallocManaged(&places, sizeof(at) * MOST);
    cudaMallocManaged(&out, sizeof(float4) * MOST);
    memcpy(places, p, sizeof(at) * n);
    memset(out, 0, sizeof(float4) * MOST);
    kernel<<<1, n>>>(t, places, out);
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        printf(" %s", cudaGetErrorName(e));
    for (int i = 0; !e && i < n; i++)
        for (int c = 0; c < components; c++)
            printf("%s%.7g", c ? "," : " ", (&out[i].x)[c]);
    printf("\n");
    cudaDestroyTextureObject(t);
    cudaFree(places);
    cudaFree(out);
}

static void sampling()
{
    const float line[5] = {10, 20, 40, 80, 160}, plane[6] = {1, 2, 4, 8, 16, 32};
    const float box[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    at p1[34], p2[25], p3[9] = {{.5f, .5f, .5f}, {1, 1, 1}, {1.5f, 1, .5f}, {2, 2, 2}, {0, 0, 0}, {-1, 3, 1},
                                {.75f, 1.25f, 1}, {9, 9, 9}, {1.25f, .5f, 1.5f}};
    for (int filter = 0; filter < 2; filter++)
        for (int mode = 0; mode < 4; mode++)
            for (int normalized = 0; normalized < 2; normalized++) {
                char name[40];
                cudaTextureDesc d = how(filter, mode, normalized);
                snprintf(name, sizeof name, "%s%s %s", filter ? "linear" : "point", normalized ? " norm" : "",
                         mode == 0 ? "wrap" : mode == 1 ? "clamp" : mode == 2 ? "mirror" : "border");
                for (int i = 0; i < 34; i++)
                    p1[i] = {(i * .25f - 1.625f) / (normalized ? 5 : 1), 0, 0};
                show(name, array_of(cudaCreateChannelDesc<float>(), 5, 0, 0, line), d, read1, p1, 34);
                for (int i = 0; i < 25; i++)
                    p2[i] = {(i % 5 - .75f) / (normalized ? 3 : 1), (i / 5 - .75f) / (normalized ? 2 : 1), 0};
                show("  2-D", array_of(cudaCreateChannelDesc<float>(), 3, 2, 0, plane), d, read2, p2, 25);
                at q[9];
                for (int i = 0; i < 9; i++)
                    q[i] = normalized ? at{p3[i].x / 2, p3[i].y / 2, p3[i].z / 2} : p3[i];
                show("  3-D", array_of(cudaCreateChannelDesc<float>(), 2, 2, 2, box), d, read3, q, 9);
                for (int i = 0; i < 9; i++)
                    q[i].z = (float)(i % 4 - 1);
                show("  layers", array_of(cudaCreateChannelDesc<float>(), 2, 2, 2, box, cudaArrayLayered), d,
                     read_layer, q, 9);
            }
}

static void element_types()
{
    const unsigned char u8[8] = {0, 51, 102, 255, 255, 204, 153, 0};
    const signed char s8[4] = {-128, -127, 64, 127};
    const unsigned short u16[4] = {0, 13107, 26214, 65535};
    const short s16[4] = {-32768, -32767, 100, 32767};
    const unsigned short half[4] = {0x3c00, 0xc000, 0x3555, 0x7bff};
    const int s32[2] = {-5, 1 << 30};
    at p[5] = {{.5f, .5f}, {1.5f, .5f}, {1, .5f}, {1.25f, .5f}, {-3, .5f}};
    cudaTextureDesc plain = how(0, 1, 0), norm = how(0, 1, 0, 1), smooth = how(1, 1, 0, 1);
    cudaResourceDesc a = array_of(cudaCreateChannelDesc<uchar4>(), 2, 1, 0, u8);
    show("uchar4", a, plain, read_uchar4, p, 5, 4);
    show("uchar4 normalized", a, norm, read2, p, 5, 4);
    show("uchar4 smooth", a, smooth, read2, p, 5, 4);
    show("uchar4 linear", a, how(1, 1, 0), read_uchar4, p, 5, 4);
    show("uchar4 border", a, how(0, 3, 0), read_uchar4, p, 5, 4);
    cudaTextureDesc border = how(0, 3, 0, 1);
    border.borderColor[0] = .25f, border.borderColor[3] = 1;
    show("uchar4 border colour", a, border, read2, p, 5, 4);
    border.readMode = cudaReadModeElementType;
    border.borderColor[0] = .1f;
    show("uchar4 border bits", a, border, read_uchar4, p, 5, 4);
    show("float border", array_of(cudaCreateChannelDesc<float>(), 2, 1, 0, u8), border, read2, p + 4, 1);
    show("char normalized", array_of(cudaCreateChannelDesc<char>(), 4, 1, 0, s8), norm, read2, p, 3);
    show("char2 smooth", array_of(cudaCreateChannelDesc<char2>(), 2, 1, 0, s8), smooth, read2, p, 5, 2);
    show("ushort smooth", array_of(cudaCreateChannelDesc<ushort1>(), 4, 1, 0, u16), smooth, read2, p, 5);
    show("short2", array_of(cudaCreateChannelDesc<short2>(), 2, 1, 0, s16), plain, read_short2, p, 5, 2);
    show("short normalized", array_of(cudaCreateChannelDesc<short>(), 4, 1, 0, s16), norm, read2, p, 5);
    cudaChannelFormatDesc h = {16, 16, 0, 0, cudaChannelFormatKindFloat};
    show("half2", array_of(h, 2, 1, 0, half), how(1, 1, 0), read2, p, 5, 2);
    show("int normalized", array_of(cudaCreateChannelDesc<int>(), 2, 1, 0, s32), norm, read2, p, 5);
    show("int linear", array_of(cudaCreateChannelDesc<int>(), 2, 1, 0, s32), how(1, 1, 0), read2, p, 5);
    show("float as normalized", array_of(cudaCreateChannelDesc<float>(), 2, 1, 0, s32), norm, read2, p, 1);
    show("float as float4", array_of(cudaCreateChannelDesc<float>(), 2, 1, 0, s32), plain, read2, p, 1, 4);
}

int main()
{
    CASE(sampling);
    CASE(element_types);
    return 0;
}
