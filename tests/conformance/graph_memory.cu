/* SPDX-License-Identifier: MIT */
/* Memory that graphs allocate: nodes by hand and by capture, launches and frees that do not match. */
#include "probe.h"

static cudaStream_t s;
static cudaGraph_t graph, other;
static cudaGraphExec_t exec, second;
static cudaGraphNode_t allocation, kernel, release, node;
static const size_t PAGE = 2 << 20;

__global__ static void put(int *p, int value)
{
    *p = value;
}

static cudaMemAllocNodeParams wanted(size_t bytes)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

static void prepare()
{
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaGraphCreate(&graph, 0);
}

static void say_memory(const char *when)
{
    unsigned long long used = 1, high = 1, reserved = 1, reserved_high = 1;
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &reserved_high);
    SAY("%s: used %llu, high %llu; reserved %d, high %d", when, used, high, reserved > 0, reserved_high > 0);
}

static void *add_allocation(size_t bytes)
{
    cudaMemAllocNodeParams p = wanted(bytes);
    ASK(cudaGraphAddMemAllocNode(&allocation, graph, NULL, 0, &p));
    return p.dptr;
}

static void add_kernel(void *target, const cudaGraphNode_t *after)
{
    int value = 7;
    void *arguments[] = {&target, &value};
    cudaKernelNodeParams p = {};
    p.func = (void *)put;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = arguments;
    ASK(cudaGraphAddKernelNode(&kernel, graph, after, 1, &p));
}

static void by_hand()
{
    prepare();
    cudaMemAllocNodeParams told = {};
    void *freed = NULL, *p = add_allocation(PAGE);
    SAY("an address: %d", p != NULL);
    add_kernel(p, &allocation);
    ASK(cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, p));
    ASK(cudaGraphMemAllocNodeGetParams(allocation, &told));
    SAY("%zu bytes, the same address: %d", told.bytesize, told.dptr == p);
    ASK(cudaGraphMemFreeNodeGetParams(release, &freed));
    SAY("the same address: %d", freed == p);
    ASK(cudaGraphMemFreeNodeGetParams(allocation, &freed));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    say_memory("before the launch");
    for (int i = 0; i < 2; i++)
        ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    say_memory("after two launches");
    ASK(cudaDeviceGraphMemTrim(0));
    say_memory("trimmed");
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaGraphDestroy(graph));
    ASK(cudaDeviceGraphMemTrim(0));
    say_memory("destroyed and trimmed");
}

static void bad_nodes()
{
    prepare();
    cudaMemAllocNodeParams p = wanted(0);
    ASK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    ASK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
    p = wanted(PAGE);
    ASK(cudaGraphAddMemAllocNode(NULL, graph, NULL, 0, &p));
    p.poolProps.location.id = 99;
    ASK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    ASK(cudaGraphAddMemFreeNode(&node, graph, NULL, 0, NULL));
    void *plain;
    cudaMalloc(&plain, 16);
    ASK(cudaGraphAddMemFreeNode(&node, graph, NULL, 0, plain));
    void *a = add_allocation(PAGE);
    ASK(cudaGraphAddMemFreeNode(&node, graph, &allocation, 1, (char *)a + 256));
    ASK(cudaGraphAddMemFreeNode(&node, graph, &allocation, 1, a));
    ASK(cudaGraphAddMemFreeNode(&node, graph, &allocation, 1, a));
    ASK(cudaGraphClone(&other, graph));
    ASK(cudaGraphDestroyNode(allocation));
    ASK(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphInstantiate(&second, graph, 0));
    ASK(cudaGetLastError());
}

static void left_allocated()
{
    prepare();
    void *p = add_allocation(PAGE);
    add_kernel(p, &allocation);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaFree(p));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaGraphLaunch(exec, s));
    int back = 0;
    ASK(cudaMemcpyAsync(&back, p, sizeof back, cudaMemcpyDeviceToHost, s));
    ASK(cudaStreamSynchronize(s));
    SAY("it holds %d", back);
    say_memory("allocated");
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    say_memory("freed");
    ASK(cudaGetLastError());
}

static void freed_by_cudafree()
{
    prepare();
    void *p = add_allocation(PAGE);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaFree(p));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaFree(p));
    ASK(cudaFree(p));
    ASK(cudaGetLastError());
}

static void auto_free()
{
    prepare();
    void *p = add_allocation(PAGE);
    add_kernel(p, &allocation);
    ASK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++)
        ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    say_memory("after three launches");
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamSynchronize(s));
    say_memory("freed");
}

static void captured()
{
    prepare();
    int *p = NULL;
    size_t count = 0;
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaMallocAsync((void **)&p, PAGE, s));
    LAUNCH("a kernel that uses it", put<<<1, 1, 0, s>>>(p, 5));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamEndCapture(s, &other));
    ASK(cudaGraphGetNodes(other, NULL, &count));
    SAY("%zu nodes", count);
    ASK(cudaGraphInstantiate(&exec, other, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaStreamSynchronize(s));
    say_memory("after the launch");
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamEndCapture(s, &other));
    ASK(cudaGetLastError());
}

static void attributes()
{
    unsigned long long value = 0, one = 1;
    prepare();
    ASK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, NULL));
    ASK(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemCurrent, &value));
    ASK(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)99, &value));
    ASK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value));
    ASK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
    ASK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
    ASK(cudaDeviceGraphMemTrim(99));
    ASK(cudaGetLastError());
}

int main()
{
    CASE(by_hand);
    CASE(bad_nodes);
    CASE(left_allocated);
    CASE(freed_by_cudafree);
    CASE(auto_free);
    CASE(captured);
    CASE(attributes);
    return 0;
}
