/* SPDX-License-Identifier: MIT */
/* cudaPointerGetAttributes: what kind of memory a pointer names. */
#include "probe.h"

__device__ int device_variable;
__managed__ int managed_variable;

static void describe(const char *what, void *p, bool reachable = true)
{
    cudaPointerAttributes a;
    memset(&a, 0x5a, sizeof a);
    cudaError_t error = cudaPointerGetAttributes(&a, p);
    if (error != cudaSuccess) {
        SAY("%s: %s", what, cudaGetErrorName(error));
        return;
    }
    SAY("%s: type %d, host pointer %s, device pointer %s", what, (int)a.type,
        !a.hostPointer ? "null" : a.hostPointer == p ? "the same" : "another",
        !a.devicePointer ? "null" : a.devicePointer == p ? "the same" : "another");
    if (reachable)
        SAY("%s: device %d", what, a.device);
}

static void device()
{
    char *d;
    cudaMalloc(&d, 1024);
    describe("device", d);
    describe("interior", d + 10);
    describe("last byte", d + 1023);
    cudaFree(d);
    describe("freed", d, false);
}

static void stream_ordered()
{
    char *d;
    cudaMallocAsync(&d, 1024, 0);
    cudaStreamSynchronize(0);
    describe("stream-ordered", d);
    describe("interior", d + 10);
}

static void host()
{
    int on_stack;
    void *heap = malloc(64), *pinned;
    describe("stack", &on_stack, false);
    describe("heap", heap, false);
    cudaMallocHost(&pinned, 4096);
    describe("pinned", pinned);
    describe("pinned interior", (char *)pinned + 100);
    cudaFreeHost(pinned);
    describe("pinned, freed", pinned, false);
}

static void mapped()
{
    void *h;
    cudaHostAlloc(&h, 4096, cudaHostAllocMapped);
    describe("mapped", h);
    cudaHostAlloc(&h, 4096, cudaHostAllocPortable | cudaHostAllocWriteCombined);
    describe("write-combined", h);
}

static void registered()
{
    char *m = (char *)aligned_alloc(4096, 8192);
    describe("before", m, false);
    cudaHostRegister(m, 8192, cudaHostRegisterDefault);
    describe("registered", m);
    describe("registered interior", m + 5000);
    cudaHostUnregister(m);
    describe("after", m, false);
}

static void managed()
{
    char *m;
    cudaMallocManaged(&m, 4096);
    describe("managed", m);
    describe("managed interior", m + 100);
}

static void variables()
{
    void *p;
    cudaGetSymbolAddress(&p, device_variable);
    describe("__device__ variable", p);
    describe("__managed__ variable", &managed_variable);
}

static void wrong_arguments()
{
    int x;
    cudaPointerAttributes a;
    describe("null", NULL, false);
    ASK(cudaPointerGetAttributes(NULL, &x));
    ASK(cudaGetLastError());
    ASK(cudaPointerGetAttributes(&a, (void *)64));
    SAY("type %d", (int)a.type);
}

int main()
{
    CASE(device);
    CASE(stream_ordered);
    CASE(host);
    CASE(mapped);
    CASE(registered);
    CASE(managed);
    CASE(variables);
    CASE(wrong_arguments);
    return 0;
}
