/* SPDX-License-Identifier: MIT */
/* Which calls of the runtime make the driver API ready, and give the thread a context. */
#include <cuda.h>
#include "probe.h"

static void driver(const char *after)
{
    int count = 0;
    CUdevice device = -1;
    SAY("after %s", after);
    ASK(cuDeviceGetCount(&count));
    ASK(cuCtxGetDevice(&device));
}

static void beginning()
{
    int value;
    struct cudaDeviceProp prop;
    driver("nothing");
    ASK(cudaGetDeviceCount(&value));
    driver("cudaGetDeviceCount");
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    driver("cudaDeviceGetAttribute");
    ASK(cudaGetDeviceProperties(&prop, 0));
    driver("cudaGetDeviceProperties");
    ASK(cudaGetDevice(&value));
    driver("cudaGetDevice");
    ASK(cudaGetLastError());
    driver("cudaGetLastError");
    ASK(cudaSetDevice(99));
    driver("cudaSetDevice(99)");
    ASK(cudaSetDevice(0));
    driver("cudaSetDevice(0)");
    ASK(cudaDeviceReset());
    driver("cudaDeviceReset");
    ASK(cudaFree(0));
    driver("cudaFree(0)");
}

int main()
{
    CASE(beginning);
    return 0;
}
