/* SPDX-License-Identifier: MIT */
/* The device's heap: what the host may not do with it, and frees of what is not its. */
#include "heap.h"

__device__ char block_of_ours[64];

/* ---- the host and the heap ---- */

static void host_frees()
{
    char *p = allocated(256);
    ASK(cudaFree(p));
    ASK(cudaDeviceSynchronize());
    ASK(cudaFreeHost(p));
    ASK(cudaFreeAsync(p, 0));
    ASK(cudaDeviceSynchronize());
    release<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
}

static void host_copies_from()
{
    char *p = allocated(256), here[16] = "";
    ASK(cudaMemcpy(here, p, sizeof here, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(here, p, sizeof here, cudaMemcpyDefault));
    ASK(cudaDeviceSynchronize());
}

static void host_copies_to()
{
    char *p = allocated(256), here[16] = "";
    ASK(cudaMemcpy(p, here, sizeof here, cudaMemcpyHostToDevice));
    ASK(cudaDeviceSynchronize());
}

static void host_copies_async()
{
    char *p = allocated(256), *here;
    cudaMallocHost(&here, 16);
    ASK(cudaMemcpyAsync(here, p, 16, cudaMemcpyDeviceToHost));
    ASK(cudaDeviceSynchronize());
}

static void host_copies_within()
{
    char *p = allocated(256), *d;
    cudaMalloc(&d, 64);
    ASK(cudaMemcpy(d, p, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaDeviceSynchronize());
}

static void host_fills()
{
    char *p = allocated(256);
    ASK(cudaMemset(p, 0, 16));
    ASK(cudaDeviceSynchronize());
}

static void host_asks()
{
    char *p = allocated(256);
    void *q = NULL;
    cudaPointerAttributes a = {};
    ASK(cudaPointerGetAttributes(&a, p));
    SAY("type %d, device %d, for the device %d, for the host %d", a.type, a.device, a.devicePointer == p,
        a.hostPointer == p);
    ASK(cudaHostGetDevicePointer(&q, p, 0));
    ASK(cudaHostRegister(p, 64, 0));
}

/* ---- wrong frees: the launch's answer, and whether the thread went on ---- */

enum wrong {
    TWICE,
    TWICE_LATER,
    INSIDE,
    NULL_PAGE,
    WILD,
    OURS,
    VARIABLE,
    ON_STACK,
    IN_SHARED,
    OF_HOST,
    DELETED_TWICE
};

__global__ static void free_wrongly(wrong what, void *given, volatile int *went_on)
{
    __shared__ int shared[32];
    int local[32];
    char *p = (char *)seen(malloc(64)), *q = NULL;
    local[threadIdx.x] = shared[threadIdx.x] = 1;
    switch (what) {
    case TWICE:
        free(p), q = p;
        break;
    case TWICE_LATER:
        free(p), seen(malloc(4096)), q = p;
        break;
    case INSIDE:
        q = p + 16;
        break;
    case NULL_PAGE:
        q = (char *)16;
        break;
    case WILD:
        q = p + ((size_t)1 << 38);
        break;
    case OURS:
    case OF_HOST:
        q = (char *)given;
        break;
    case VARIABLE:
        q = block_of_ours;
        break;
    case ON_STACK:
        q = (char *)seen(local);
        break;
    case IN_SHARED:
        q = (char *)shared;
        break;
    case DELETED_TWICE:
        delete p, q = p;
        break;
    }
    *went_on = 1;
    __threadfence_system();
    if (what == DELETED_TWICE)
        delete q;
    else
        free(q);
    *went_on = 2;
    __threadfence_system();
}

static void wrong_free(wrong what, void *given)
{
    int *went_on = NULL;
    cudaHostAlloc(&went_on, sizeof *went_on, cudaHostAllocMapped);
    *went_on = 0;
    free_wrongly<<<1, 1>>>(what, given, went_on);
    bool failed = ASK(cudaDeviceSynchronize()) != cudaSuccess;
    SAY("the thread came to %d", *(volatile int *)went_on);
    if (!failed)
        SAY("malloc still works: %d", can_allocate(64));
    ASK(cudaDeviceSynchronize());
}

template <wrong what> static void freed()
{
    wrong_free(what, NULL);
}

static void freed_memory_of_the_host()
{
    void *pinned = NULL;
    cudaMallocHost(&pinned, 64);
    wrong_free(OF_HOST, pinned);
}

static void freed_from_cudaMalloc()
{
    void *ours = NULL;
    cudaMalloc(&ours, 256);
    cudaMemset(ours, 0, 256);
    wrong_free(OURS, ours);
}

static void freed_after_the_reset()
{
    char *p = allocated(64);
    ASK(cudaDeviceReset());
    ASK(cudaMemcpyToSymbol(kept, &p, sizeof p));
    release<<<1, 1>>>();
    ASK(cudaDeviceSynchronize());
}

int main()
{
    CASE(host_frees);
    CASE(host_copies_from);
    CASE(host_copies_to);
    CASE(host_copies_async);
    CASE(host_copies_within);
    CASE(host_fills);
    CASE(host_asks);
    CASE(freed<TWICE>);
    CASE(freed<TWICE_LATER>);
    CASE(freed<INSIDE>);
    CASE(freed<NULL_PAGE>);
    CASE(freed<WILD>);
    CASE(freed<VARIABLE>);
    CASE(freed<ON_STACK>);
    CASE(freed<IN_SHARED>);
    CASE(freed<DELETED_TWICE>);
    CASE(freed_memory_of_the_host);
    CASE(freed_from_cudaMalloc);
    CASE(freed_after_the_reset);
    return 0;
}
