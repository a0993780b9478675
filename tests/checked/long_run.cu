// SPDX-License-Identifier: MIT
// What is known of memory goes with it: a program that allocates and frees for long does not grow.
//
// run: malloc
// expect: bounded
// run: managed
// expect: bounded
// run: small
// expect: bounded
// run: registered
// expect: bounded
// run: async
// expect: bounded
// run: mapped
// expect: bounded
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ROUNDS = 30, LARGE = 1536 << 10, SMALL = 1000, PAGE = 2 << 20 };

__global__ void put(unsigned char *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) // by bytes: threads share words
        p[i] = (unsigned char)i;
}

static void use(void *p, int n)
{
    put<<<1, 64>>>((unsigned char *)p, n);
    cudaDeviceSynchronize();
}

static void one_round(const char *how, int round)
{
    void *p;
    if (!strcmp(how, "malloc") || !strcmp(how, "small")) {
        int n = *how == 'm' ? LARGE : SMALL;
        cudaMalloc(&p, n);
        use(p, n);
        cudaFree(p);
    } else if (!strcmp(how, "managed")) {
        cudaMallocManaged(&p, LARGE);
        use(p, LARGE);
        cudaFree(p);
    } else if (!strcmp(how, "registered")) {
        int n = LARGE - 4096 * (round % 7);
        p = malloc(n);
        memset(p, 0, n);
        cudaHostRegister(p, n, 0);
        use(p, n);
        cudaHostUnregister(p);
        free(p);
    } else if (!strcmp(how, "async")) {
        cudaMallocAsync(&p, LARGE, 0);
        use(p, LARGE);
        cudaFreeAsync(p, 0);
        cudaDeviceSynchronize();
    } else {
        CUmemAllocationProp prop = {};
        prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        CUmemAccessDesc access = {};
        access.location = prop.location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        CUmemGenericAllocationHandle handle;
        CUdeviceptr at;
        cuMemAddressReserve(&at, PAGE, 0, 0, 0);
        cuMemCreate(&handle, PAGE, &prop, 0);
        cuMemMap(at, PAGE, 0, handle, 0);
        cuMemSetAccess(at, PAGE, &access, 1);
        use((void *)at, LARGE);
        cuMemUnmap(at, PAGE);
        cuMemRelease(handle);
        cuMemAddressFree(at, PAGE);
    }
}

static int mappings()
{
    FILE *f = fopen("/proc/self/maps", "r");
    int n = 0;
    for (int c; (c = getc(f)) != EOF;)
        n += c == '\n';
    fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "malloc";
    cudaFree(0);
    int before = 0, rounds = !strcmp(how, "small") ? 200 * ROUNDS : ROUNDS;
    for (int i = 0; i < rounds; i++) {
        one_round(how, i);
        if (i == rounds / 2)
            before = mappings();
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long mib = usage.ru_maxrss >> 10;
    int more = mappings() - before;
    if (mib < 100 && more < 10)
        printf("bounded\n");
    else
        printf("%ld MiB at most, %d more mappings\n", mib, more);
    return 0;
}
