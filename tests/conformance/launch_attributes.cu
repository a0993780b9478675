/* SPDX-License-Identifier: MIT */
/* Launches by cudaLaunchKernelEx, their attributes, and those of streams. */
#include "probe.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ static void add(int *out, int n, float scale)
{
    if (out)
        *out += n + (int)scale + (cg::this_grid().is_valid() ? 1000 : 0);
}

static cudaLaunchConfig_t config_of(cudaLaunchAttribute *attrs, unsigned count)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    config.attrs = attrs;
    config.numAttrs = count;
    return config;
}

static int *d;

static void result()
{
    int n = 0;
    ASK(cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost));
    SAY("result %d", n);
}

static void begin()
{
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
}

static void plain()
{
    begin();
    cudaLaunchConfig_t config = config_of(nullptr, 0);
    ASK(cudaLaunchKernelEx(&config, add, d, 7, 2)); // arguments convert
    result();
    int n = 5;
    float scale = 3;
    void *args[] = {&d, &n, &scale};
    ASK(cudaLaunchKernelExC(&config, (const void *)add, args));
    result();
    config.blockDim = dim3(2000);
    ASK(cudaLaunchKernelEx(&config, add, d, 7, 2));
    ASK(cudaGetLastError());
    config.blockDim = dim3(1);
    config.numAttrs = 1; // and no attributes
    ASK(cudaLaunchKernelEx(&config, add, d, 7, 2));
    ASK(cudaGetLastError());
    result();
}

static void with(const char *what, cudaLaunchAttribute a)
{
    printf("  %s:\n", what);
    cudaLaunchConfig_t config = config_of(&a, 1);
    ASK(cudaLaunchKernelEx(&config, add, d, 1, 0));
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

static const cudaAccessProperty NORMAL = cudaAccessPropertyNormal, STREAMING = cudaAccessPropertyStreaming,
                                PERSISTING = cudaAccessPropertyPersisting;

static cudaLaunchAttribute window(void *base, size_t bytes, float ratio, cudaAccessProperty hit,
                                  cudaAccessProperty miss)
{
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeAccessPolicyWindow;
    a.val.accessPolicyWindow.base_ptr = base;
    a.val.accessPolicyWindow.num_bytes = bytes;
    a.val.accessPolicyWindow.hitRatio = ratio;
    a.val.accessPolicyWindow.hitProp = hit;
    a.val.accessPolicyWindow.missProp = miss;
    return a;
}

static void each()
{
    begin();
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeIgnore;
    with("ignore", a);
    a.id = cudaLaunchAttributeCooperative;
    a.val.cooperative = 1;
    with("cooperative", a);
    a.val.cooperative = 0;
    with("cooperative 0", a);
    a = {};
    a.id = cudaLaunchAttributePriority;
    a.val.priority = -3;
    with("priority -3", a);
    a.val.priority = 99;
    with("priority 99", a);
    a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = a.val.clusterDim.y = a.val.clusterDim.z = 1;
    with("clusters of one block", a);
    a.val.clusterDim.y = 0;
    with("clusters of none", a);
    a = {};
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = 1;
    with("programmatic serialisation", a);
    a = {};
    a.id = (cudaLaunchAttributeID)999;
    with("no such attribute", a);
    result();
}

static void windows()
{
    begin();
    int most = 0, persisting = 0;
    ASK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    ASK(cudaDeviceGetAttribute(&persisting, cudaDevAttrMaxPersistingL2CacheSize, 0));
    SAY("window at most %d, persisting at most %d", most, persisting);
    with("window", window(d, 4, 1, PERSISTING, STREAMING));
    with("window with a ratio of 2", window(d, 4, 2, PERSISTING, STREAMING));
    with("window that persists outside", window(d, 4, 1, NORMAL, PERSISTING));
    with("window of too many bytes", window(d, (size_t)most + 1, 1, NORMAL, NORMAL));
    with("window of nothing", window(nullptr, 0, 0, NORMAL, NORMAL));
}

static void of_streams()
{
    begin();
    cudaStream_t s, t;
    ASK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -2));
    ASK(cudaStreamCreate(&t));
    cudaStreamAttrValue v = {};
    v.accessPolicyWindow = window(d, 4, 0.5f, PERSISTING, STREAMING).val.accessPolicyWindow;
    ASK(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    v = {};
    ASK(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    SAY("base %d bytes %zu ratio %g properties %d %d", v.accessPolicyWindow.base_ptr == d,
        v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio, v.accessPolicyWindow.hitProp,
        v.accessPolicyWindow.missProp);
    ASK(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &v));
    SAY("bytes %zu ratio %g", v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio);
    ASK(cudaStreamCopyAttributes(t, s));
    ASK(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &v));
    SAY("copied: bytes %zu ratio %g", v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio);
    v.accessPolicyWindow.hitRatio = 2;
    ASK(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    ASK(cudaStreamGetAttribute(s, cudaStreamAttributePriority, &v));
    SAY("priority %d", v.priority);
    ASK(cudaStreamGetAttribute(t, cudaStreamAttributePriority, &v));
    SAY("priority %d", v.priority);
    v.priority = -1;
    ASK(cudaStreamSetAttribute(s, cudaStreamAttributePriority, &v));
    ASK(cudaStreamGetAttribute(s, cudaStreamAttributePriority, &v));
    SAY("priority %d", v.priority);
    v = {};
    ASK(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
    SAY("policy %d", (int)v.syncPolicy);
    v.syncPolicy = cudaSyncPolicyBlockingSync;
    ASK(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
    v.syncPolicy = (cudaSynchronizationPolicy)77;
    ASK(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v));
    ASK(cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &v));
    ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &v));
    ASK(cudaCtxResetPersistingL2Cache());
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamDestroy(s));
    ASK(cudaStreamDestroy(t));
}

int main()
{
    CASE(plain);
    CASE(each);
    CASE(windows);
    CASE(of_streams);
    return 0;
}
