/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The C++ forms of the runtime API: typed pointers, variables by name, default arguments.
 *
 * Every function here is inlined into its caller, so that the runtime sees the learner's line as the place of
 * the call.
 */
#ifndef SIM_API_TEMPLATES_H
#define SIM_API_TEMPLATES_H

#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <sim/abi.h>
#include <type_traits>

#define SIM_API SIM_INLINE cudaError_t

/* ---- fills ---- */

template <class T, class = typename std::enable_if<std::is_floating_point<T>::value>::type>
SIM_API cudaMemset(void *devPtr, T value, size_t count)
{
    ::sim_note_fill("cudaMemset", value);
    return ::cudaMemset(devPtr, (int)value, count);
}
template <class T, class = typename std::enable_if<std::is_floating_point<T>::value>::type>
SIM_API cudaMemsetAsync(void *devPtr, T value, size_t count, cudaStream_t stream = 0)
{
    ::sim_note_fill("cudaMemsetAsync", value);
    return ::cudaMemsetAsync(devPtr, (int)value, count, stream);
}

/* ---- allocation: T ** where C has void ** ---- */

template <class T> SIM_API cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <class T> SIM_API cudaMallocHost(T **ptr, size_t size, unsigned int flags = cudaHostAllocDefault)
{
    void **to = (void **)(void *)ptr;
    return flags ? ::cudaHostAlloc(to, size, flags) : ::cudaMallocHost(to, size);
}
template <class T> SIM_API cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T> SIM_API cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}
template <class T>
SIM_API cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class T> SIM_API cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
template <class T> SIM_API cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
template <class T> SIM_API cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
template <class T>
SIM_API cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
template <class T>
SIM_API cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                 unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

/* ---- device variables by name ---- */

template <class T>
SIM_API cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
SIM_API cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class T>
SIM_API cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
SIM_API cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
template <class T> SIM_API cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T> SIM_API cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* ---- events ---- */

SIM_API cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

/* ---- kernels by name ---- */

template <class T>
SIM_API cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                         cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
SIM_API cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class... P>
SIM_API sim_launch_kernel_ex(const cudaLaunchConfig_t *config, void (*kernel)(P...), P... parameter)
{
    void *addresses[] = {(void *)&parameter..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}
/** Arguments convert to the kernel's parameter types, as in a call. */
template <class... P, class... A>
SIM_API cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...argument)
{
    return sim_launch_kernel_ex<P...>(config, kernel, static_cast<A &&>(argument)...);
}
template <class T> SIM_API cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}
template <class T> SIM_API cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T> SIM_API cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

/* ---- graphs ---- */

SIM_API cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, cudaGraphNode_t *, char *,
                             size_t)
{
    return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
SIM_API cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphNode_t *errorNode,
                            enum cudaGraphExecUpdateResult *updateResult)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
    if (errorNode)
        *errorNode = info.errorNode;
    if (updateResult)
        *updateResult = info.result;
    return e;
}
template <class T>
SIM_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       const T &symbol, const void *src, size_t count, size_t offset,
                                       enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                            (const void *)&symbol, src, count, offset, kind);
}
template <class T>
SIM_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                         const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                         void *dst, const T &symbol, size_t count, size_t offset,
                                         enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                              (const void *)&symbol, count, offset, kind);
}

/* ---- occupancy ---- */

template <class T>
SIM_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize,
                                                      size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}
template <class T>
SIM_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func, int blockSize,
                                                               size_t dynamicSMemSize, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, flags);
}
template <class T>
SIM_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T func, int numBlocks,
                                                  int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks,
                                                       blockSize);
}

/** The largest block size that keeps most threads resident; dynamicSMem(blockSize) gives its bytes. */
template <class F, class T>
SIM_API cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize, T func,
                                                                F blockSizeToDynamicSMemSize,
                                                                int blockSizeLimit = 0,
                                                                unsigned int flags = 0)
{
    if (!minGridSize || !blockSize || !func)
        return cudaErrorInvalidValue;
    cudaFuncAttributes limits;
    int device = 0, multiprocessors = 0, warp = 32;
    cudaError_t e = ::cudaGetDevice(&device);
    if (!e)
        e = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (!e)
        e = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (!e)
        e = ::cudaFuncGetAttributes(&limits, (const void *)func);
    if (e)
        return e;
    int limit = limits.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit)
        limit = blockSizeLimit;
    int best_threads = 0, best_size = 0, best_blocks = 0;
    for (int rounded = (limit + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        int size = rounded < limit ? rounded : limit, blocks = 0;
        e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)func, size,
                                                                     blockSizeToDynamicSMemSize(size), flags);
        if (e)
            return e;
        if (size * blocks > best_threads) {
            best_threads = size * blocks;
            best_size = size;
            best_blocks = blocks;
        }
    }
    *minGridSize = best_blocks * multiprocessors;
    *blockSize = best_size;
    return cudaSuccess;
}
template <class F, class T>
SIM_API cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                                       F blockSizeToDynamicSMemSize, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit, 0u);
}
template <class T>
SIM_API cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
                                                    size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
                                                    unsigned int flags = 0)
{
    auto bytes = [dynamicSMemSize](int) { return dynamicSMemSize; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, bytes,
                                                                   blockSizeLimit, flags);
}
template <class T>
SIM_API cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                           size_t dynamicSMemSize = 0, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize,
                                                       blockSizeLimit, 0u);
}

#undef SIM_API

#endif
