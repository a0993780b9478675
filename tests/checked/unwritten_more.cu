// SPDX-License-Identifier: MIT
// Which bytes nobody wrote, in less common places.
//
// run: strided
// finding: unwritten @read@ @block@
// run: pitched-device-copy
// finding: unwritten @read@ @target@
// run: loop
// finding: unwritten @sum@ @block@
// run: first-only
// finding: unwritten @sum@ @block@
// run: failed-kernel
// finding: out of bounds @write@ @block@
// run: two-kernels
// run: async-order
// run: zero-copy
// finding: unwritten @read@ @pinned@
// run: zero-copy-written
// run: managed-written
// run: callback-written
// run: registered
// run: symbol
// run: symbol-copy
// run: swapped
// finding: unwritten @read@ @target@
// run: pool-again
// finding: unwritten @read@ @pool-second@
// run: realloc-in-loop
// finding: unwritten @read@ @looped@
// run: accumulate
// finding: unwritten @accumulated@ @block@
// run: union-tail
// run: host-wrote-mapped
// run: peer-copy
// run: 3d
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, BYTES = 256 };
__device__ int variable[N];

__global__ void write(int *p, int step, int n)
{
    for (int i = threadIdx.x * step; i < n; i += blockDim.x * step)
        p[i] = i; // write
}

__global__ void read(int *out, const int *p)
{
    out[threadIdx.x] = p[threadIdx.x]; // read
}

__global__ void sum(int *out, const int *p, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p[i]; // sum
    *out = total;
}

__global__ void accumulate(float *p)
{
    atomicAdd(&p[threadIdx.x % 4], 1.0f); // accumulated
}

__global__ void read_variable(int *out)
{
    out[threadIdx.x] = variable[threadIdx.x];
}

static void CUDART_CB fill(void *p)
{
    for (int i = 0; i < N; i++)
        ((int *)p)[i] = i;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "two-kernels";
    auto is = [which](const char *name) { return !strcmp(which, name); };
    int h[N] = {}, *block, *target, *out, *pinned, *managed, *pooled;
    cudaMalloc(&block, BYTES); // block
    cudaMalloc(&target, 4096); // target
    cudaMalloc(&out, BYTES);
    cudaHostAlloc(&pinned, BYTES, cudaHostAllocMapped); // pinned
    cudaMallocManaged(&managed, BYTES);
    cudaMallocAsync(&pooled, BYTES, 0);
    if (is("strided")) {
        write<<<1, 32>>>(block, 2, N);
        read<<<1, N>>>(out, block);
    } else if (is("pitched-device-copy")) {
        write<<<1, 32>>>(block, 1, N);
        cudaMemcpy2D(target, 64, block, 32, 28, 8, cudaMemcpyDeviceToDevice);
        read<<<1, 8>>>(out, target);
    } else if (is("loop")) {
        write<<<1, 32>>>(block, 1, N - 1);
        sum<<<1, 1>>>(out, block, N);
    } else if (is("first-only")) {
        cudaMemset(block, 0, 1);
        sum<<<1, 1>>>(out, block, N);
    } else if (is("failed-kernel"))
        write<<<1, 32>>>(block, 1, N + 1);
    else if (is("two-kernels")) {
        write<<<1, 32>>>(block, 2, N);
        write<<<1, 32>>>(block + 1, 2, N - 1);
        read<<<1, N>>>(out, block);
    } else if (is("async-order")) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        memset(pinned, 0, BYTES);
        cudaMemcpyAsync(block, pinned, BYTES, cudaMemcpyHostToDevice, stream);
        read<<<1, N, 0, stream>>>(out, block);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    } else if (is("zero-copy"))
        read<<<1, N>>>(out, pinned);
    else if (is("zero-copy-written")) {
        fill(pinned);
        read<<<1, N>>>(out, pinned);
    } else if (is("managed-written")) {
        fill(managed);
        read<<<1, N>>>(out, managed);
    } else if (is("callback-written")) {
        cudaLaunchHostFunc(0, fill, pinned);
        read<<<1, N>>>(out, pinned);
    } else if (is("registered")) {
        cudaHostRegister(h, sizeof h, cudaHostRegisterMapped);
        read<<<1, N>>>(out, h);
        cudaDeviceSynchronize();
        cudaHostUnregister(h);
    } else if (is("symbol"))
        read_variable<<<1, N>>>(out);
    else if (is("symbol-copy")) {
        cudaMemcpyToSymbol(variable, h, 16, 16);
        cudaMemcpyFromSymbol(h, variable, sizeof h);
        read_variable<<<1, N>>>(out);
    } else if (is("swapped")) {
        int *in = target, *other = block;
        write<<<1, 32>>>(other, 1, N);
        read<<<1, N>>>(out, in);
    } else if (is("pool-again")) {
        write<<<1, 32>>>(pooled, 1, N);
        cudaFreeAsync(pooled, 0);
        cudaMallocAsync(&pooled, BYTES, 0); // pool-second
        read<<<1, N>>>(out, pooled);
    } else if (is("realloc-in-loop"))
        for (int i = 0; i < 2; i++) {
            int *p;
            cudaMalloc(&p, BYTES); // looped
            if (i == 0)
                write<<<1, 32>>>(p, 1, N);
            read<<<1, N>>>(out, p);
            cudaFree(p);
        }
    else if (is("accumulate"))
        accumulate<<<1, 32>>>((float *)block);
    else if (is("union-tail")) {
        write<<<1, 32>>>(block, 1, N);
        cudaMemset((char *)block + 5, 0, 3);
        read<<<1, N>>>(out, block);
    } else if (is("host-wrote-mapped")) {
        FILE *zero = fopen("/dev/zero", "rb");
        size_t got = fread(pinned, 1, BYTES, zero);
        fclose(zero);
        read<<<1, (unsigned)got / 4>>>(out, pinned);
    } else if (is("peer-copy")) {
        write<<<1, 32>>>(block, 1, N);
        cudaMemcpyPeer(target, 0, block, 0, BYTES);
        read<<<1, N>>>(out, target);
    } else if (is("3d")) {
        cudaPitchedPtr volume;
        cudaMalloc3D(&volume, make_cudaExtent(32, 2, 2));
        cudaMemset3D(volume, 0, make_cudaExtent(32, 2, 2));
        read<<<1, 8>>>(out, (int *)volume.ptr);
        cudaMemcpy3DParms how = {};
        how.srcPtr = make_cudaPitchedPtr(h, 32, 32, 2);
        how.dstPtr = volume;
        how.extent = make_cudaExtent(32, 2, 2);
        how.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&how);
        read<<<1, 8>>>(out, (int *)((char *)volume.ptr + volume.pitch * 3));
        cudaDeviceSynchronize();
        cudaFree(volume.ptr);
    }
    cudaDeviceSynchronize();
    cudaFree(block);
    cudaFree(target);
    cudaFree(out);
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFreeAsync(pooled, 0);
    return 0;
}
