/* SPDX-License-Identifier: MIT */
/* What a device says of itself: only what every CUDA device of this generation has in common. */
#include "probe.h"

static void choosing()
{
    int n = 0, now = 9;
    cudaDeviceProp p;
    ASK(cudaGetDeviceCount(&n));
    SAY("at least one: %d", n >= 1);
    ASK(cudaGetDevice(&now));
    SAY("current device %d", now);
    ASK(cudaSetDevice(0));
    ASK(cudaSetDevice(0));
    SAY("cudaSetDevice(count): %s", cudaGetErrorName(cudaSetDevice(n)));
    ASK(cudaSetDevice(-1));
    ASK(cudaGetDevice(&now));
    SAY("current device %d", now);
    SAY("properties of device count: %s", cudaGetErrorName(cudaGetDeviceProperties(&p, n)));
    ASK(cudaGetDeviceCount(NULL));
    ASK(cudaGetDevice(NULL));
    ASK(cudaGetDeviceProperties(NULL, 0));
    ASK(cudaGetLastError());
}

static void properties()
{
    cudaDeviceProp p;
    size_t now, total;
    ASK(cudaGetDeviceProperties(&p, 0));
    ASK(cudaMemGetInfo(&now, &total));
    SAY("it has a name: %d", p.name[0] != 0);
    SAY("warpSize %d, maxThreadsPerBlock %d", p.warpSize, p.maxThreadsPerBlock);
    SAY("maxThreadsDim %d %d %d", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    SAY("maxGridSize %d %d %d", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    SAY("sharedMemPerBlock %zu, opt-in above it: %d", p.sharedMemPerBlock, p.sharedMemPerBlockOptin > 49152);
    SAY("totalConstMem %zu", p.totalConstMem);
    SAY("regsPerBlock %d", p.regsPerBlock);
    SAY("textureAlignment %zu, texturePitchAlignment %zu", p.textureAlignment, p.texturePitchAlignment);
    SAY("unifiedAddressing %d, managedMemory %d, canMapHostMemory %d", p.unifiedAddressing, p.managedMemory,
        p.canMapHostMemory);
    SAY("concurrentKernels %d, stream priorities %d", p.concurrentKernels, p.streamPrioritiesSupported);
    SAY("memoryPoolsSupported %d, hostRegisterSupported %d", p.memoryPoolsSupported, p.hostRegisterSupported);
    SAY("major >= 7: %d, processors > 0: %d, copy engines > 0: %d", p.major >= 7, p.multiProcessorCount > 0,
        p.asyncEngineCount > 0);
    SAY("totalGlobalMem is what cudaMemGetInfo says: %d", p.totalGlobalMem == total);
    SAY("l2CacheSize > 0: %d, memoryBusWidth > 0: %d", p.l2CacheSize > 0, p.memoryBusWidth > 0);
    SAY("maxThreadsPerMultiProcessor %% warpSize %d", p.maxThreadsPerMultiProcessor % p.warpSize);
}

static void attributes()
{
    struct {
        const char *name;
        cudaDeviceAttr attribute;
    } const wanted[] = {
        {"warp size", cudaDevAttrWarpSize},
        {"max threads per block", cudaDevAttrMaxThreadsPerBlock},
        {"max block x", cudaDevAttrMaxBlockDimX},
        {"max block z", cudaDevAttrMaxBlockDimZ},
        {"max grid x", cudaDevAttrMaxGridDimX},
        {"max grid y", cudaDevAttrMaxGridDimY},
        {"max shared memory per block", cudaDevAttrMaxSharedMemoryPerBlock},
        {"constant memory", cudaDevAttrTotalConstantMemory},
        {"texture alignment", cudaDevAttrTextureAlignment},
        {"texture pitch alignment", cudaDevAttrTexturePitchAlignment},
        {"max pitch", cudaDevAttrMaxPitch},
        {"unified addressing", cudaDevAttrUnifiedAddressing},
        {"managed memory", cudaDevAttrManagedMemory},
        {"can map host memory", cudaDevAttrCanMapHostMemory},
        {"host pointers usable when registered", cudaDevAttrCanUseHostPointerForRegisteredMem},
        {"memory pools", cudaDevAttrMemoryPoolsSupported},
        {"cooperative launch", cudaDevAttrCooperativeLaunch},
        {"compute mode", cudaDevAttrComputeMode},
    };
    for (auto &w : wanted) {
        int value = -1;
        cudaError_t error = cudaDeviceGetAttribute(&value, w.attribute, 0);
        SAY("%s: %s %d", w.name, cudaGetErrorName(error), value);
    }
    int value;
    ASK(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    ASK(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
}

static void attributes_agree_with_properties()
{
    cudaDeviceProp p;
    int major = 0, minor = 0, processors = 0, optin = 0, l2 = 0;
    cudaGetDeviceProperties(&p, 0);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
    SAY("%d %d %d %d", major == p.major && minor == p.minor, processors == p.multiProcessorCount,
        (size_t)optin == p.sharedMemPerBlockOptin, l2 == p.l2CacheSize);
}

static void versions()
{
    int runtime = 0, driver = 0;
    ASK(cudaRuntimeGetVersion(&runtime));
    ASK(cudaDriverGetVersion(&driver));
    SAY("runtime %d, compiled against %d, driver not older: %d", runtime, CUDART_VERSION, driver >= runtime);
    ASK(cudaRuntimeGetVersion(NULL));
}

static void limits()
{
    size_t stack = 0;
    ASK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    SAY("stack > 0: %d", stack > 0);
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    ASK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    SAY("stack %zu", stack);
    ASK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    ASK(cudaDeviceSetLimit((cudaLimit)99, 1));
    ASK(cudaDeviceGetLimit(&stack, (cudaLimit)99));
    ASK(cudaGetLastError());
}

__global__ static void spread(int *) {}

static void occupancy()
{
    int blocks = 0, grid = 0, block = 0;
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, spread, 1024, 0));
    SAY("blocks of 1024: %d", blocks);
    ASK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, spread, 0, 0));
    SAY("grid > 0: %d, block %% 32 = %d", grid > 0, block % 32);
}

int main()
{
    CASE(choosing);
    CASE(properties);
    CASE(attributes);
    CASE(attributes_agree_with_properties);
    CASE(versions);
    CASE(limits);
    CASE(occupancy);
    return 0;
}
