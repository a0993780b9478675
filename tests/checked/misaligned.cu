// SPDX-License-Identifier: MIT
// Vector and 8-byte accesses at addresses that are no multiple of their size: sticky, as on a GPU.
//
// run: a
// finding: misaligned @quad@ @allocated@
// expect: 16
// expect: 4
// expect: sync cudaErrorMisalignedAddress, then cudaErrorMisalignedAddress
// run: b
// finding: misaligned @double@ @allocated@
// expect: 8
// expect: sync cudaErrorMisalignedAddress, then cudaErrorMisalignedAddress
// run: c
// expect: sync cudaSuccess, then cudaSuccess
// run: d
// finding: misaligned @quad@ @allocated@
// expect: 260
// expect: sync cudaErrorMisalignedAddress, then cudaErrorMisalignedAddress
// run: e
// finding: misaligned @long@ @allocated@
// run: f
// finding: misaligned @pair@ @allocated@
// run: g
// finding: misaligned @int@ @allocated@
// run: h
// finding: misaligned @loaded@ @allocated@
// run: i
// finding: misaligned @stored@ @allocated@
// run: j
// clang: the alignment of a struct of 8 bytes is not told
// finding: misaligned @two@ @allocated@
// run: k
// finding: misaligned @shared@
// run: l
// expect: sync cudaSuccess, then cudaSuccess
// run: pool
// expect: sync cudaSuccess, then cudaSuccess
// run: m
// clang: the alignment of a struct of 8 bytes is not told
// finding: misaligned @structure@ @allocated@
#include <stdio.h>

struct __align__(8) particle {
    float mass, charge;
};
struct packed {
    char tag;
    char bytes[7];
};

template <class T>
__device__ T whole(const void *p)
{
    return *(const T *)p; // loaded
}

__global__ void load4(float *out, const float *in)
{
    float4 v = *(const float4 *)in; // quad
    *out = v.x + v.y + v.z + v.w;
}

__global__ void load_pair(float *out, const char *in)
{
    double2 v = *(const double2 *)in; // pair
    *out = v.x + v.y;
}

__global__ void load_double(float *out, const char *in)
{
    *out = *(const double *)in; // double
}

__global__ void load_long(float *out, const char *in)
{
    *out = *(const long long *)in; // long
}

__global__ void load_int(float *out, const char *in)
{
    *out = *(const int *)in; // int
}

__global__ void load_short(float *out, const char *in)
{
    *out = whole<short>(in);
}

__global__ void copy2(float2 *out, const char *in)
{
    *out = *(const float2 *)in; // two
}

__global__ void store4(float *out)
{
    *(float4 *)out = make_float4(1, 2, 3, 4); // stored
}

__global__ void copy_struct(particle *out, const char *in)
{
    *out = *(const particle *)in; // structure
}

__global__ void load_bytes(char *out, const packed *in)
{
    *out = in[1].bytes[2];
}

__global__ void in_shared(float *out)
{
    __shared__ __align__(16) float tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float4 v = *(float4 *)(tile + 2); // shared
    *out = v.x + v.w;
}

int main(int argc, char **argv)
{
    float *d, *out, *first, *second;
    cudaMalloc(&d, 1024); // allocated
    cudaMalloc(&out, 256);
    cudaMemset(d, 0, 1024);
    const char *bytes = (const char *)d;
    switch (argc > 1 ? argv[1][0] : 'c') {
    case 'a': load4<<<1, 1>>>(out, d + 1); break;
    case 'b': load_double<<<1, 1>>>(out, bytes + 4); break;
    case 'c': load4<<<1, 1>>>(out, d + 4); break;
    case 'd': load4<<<1, 1>>>(out, d + 65); break;
    case 'e': load_long<<<1, 1>>>(out, bytes + 12); break;
    case 'f': load_pair<<<1, 1>>>(out, bytes + 8); break;
    case 'g': load_int<<<1, 1>>>(out, bytes + 6); break;
    case 'h': load_short<<<1, 1>>>(out, bytes + 3); break;
    case 'i': store4<<<1, 1>>>(d + 2); break;
    case 'j': copy2<<<1, 1>>>((float2 *)out, bytes + 4); break;
    case 'k': in_shared<<<1, 64>>>(out); break;
    case 'l': load_bytes<<<1, 1>>>((char *)out + 3, (const packed *)(bytes + 1)); break;
    case 'p': // a pool's second block, behind one of 260 bytes
        cudaMallocAsync(&first, 260, 0);
        cudaMallocAsync(&second, 260, 0);
        cudaMemsetAsync(second, 0, 260, 0);
        load4<<<1, 1>>>(out, second);
        cudaFreeAsync(first, 0);
        cudaFreeAsync(second, 0);
        break;
    case 'm': copy_struct<<<1, 1>>>((particle *)out, bytes + 4); break;
    }
    cudaError_t sync = cudaDeviceSynchronize(), then = cudaFree(d);
    printf("sync %s, then %s\n", cudaGetErrorName(sync), cudaGetErrorName(then));
    cudaFree(out);
    return 0;
}
