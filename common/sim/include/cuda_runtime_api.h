/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief CUDA's runtime API as far as the simulated device has it, for C and C++.
 *
 * Signatures are those of CUDA 13.0. A call that is not here does not exist on the simulated device, so the
 * compiler names it. Calls return a status; a failed call leaves its out-parameters alone. Names that end in
 * `Async` queue their work in a stream and return; the others have done it when they return.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include <driver_types.h>

#define CUDART_VERSION 13000

#ifdef __cplusplus
#define SIM_DEFAULT(value) = value
extern "C" {
#else
#define SIM_DEFAULT(value)
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
/** @brief Tells the device that in this program a stream of 0 is the calling thread's own. */
__attribute__((weak)) int sim_per_thread_default = 1;
#endif

/* ---- status ---- */

/** @brief The last failed call's status in this thread; forgets it unless it is sticky. */
cudaError_t cudaGetLastError(void);
/** @brief The same, without forgetting. */
cudaError_t cudaPeekAtLastError(void);
/** @brief The enumerator's name, such as "cudaErrorInvalidValue". */
const char *cudaGetErrorName(cudaError_t error);
/** @brief A status in words, such as "invalid argument". */
const char *cudaGetErrorString(cudaError_t error);

/** @brief CUDA version of the driver, 1000 * major + 10 * minor. */
cudaError_t cudaDriverGetVersion(int *driverVersion);
/** @brief CUDA version of the runtime, 1000 * major + 10 * minor. */
cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);

/* ---- the device ---- */

/** @brief How many devices there are. */
cudaError_t cudaGetDeviceCount(int *count);
/** @brief Everything about a device; cudaDeviceGetAttribute() asks for one number. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
/** @brief The device most like `prop`. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
/** @brief Select the device for this thread's later calls. */
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
/** @brief Start the device without selecting it. */
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
/** @brief How the host waits: cudaDeviceScheduleAuto and its neighbours. */
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
/** @brief The device's address on the PCI bus as text, `len` bytes at most with the final 0. */
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
/** @brief Wait for all work; returns what went wrong in it. */
cudaError_t cudaDeviceSynchronize(void);
/** @brief Free everything the process has on the device. */
cudaError_t cudaDeviceReset(void);
/** @brief Set aside memory for stacks, printf and malloc in kernels, in bytes. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit);
/** @brief Prefer shared memory or L1; a hint. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig);

/** @brief Whether kernels on `device` can use the memory of `peerDevice`. */
cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);
/** @brief What a link between two devices can do; with one device there is none: cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice);
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);

/* ---- device memory ---- */

/** @brief Allocate `size` bytes of device memory, aligned to 256 at least; size 0 gives NULL. */
cudaError_t cudaMalloc(void **devPtr, size_t size);
/** @brief Free what cudaMalloc() and its kin gave, after all work that was queued; NULL is allowed. */
cudaError_t cudaFree(void *devPtr);
/** @brief Bytes of device memory free and in all. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
/** @brief What an address belongs to; plain host memory is a valid answer. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);
/** @brief Allocate `height` rows of `width` bytes, each row aligned for the device; `pitch` bytes apart. */
cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
/** @brief The same in three dimensions; extent.width in bytes. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent);

/* ---- host memory that the device can reach ---- */

/** @brief Allocate page-locked host memory: copies of it can be asynchronous, kernels can use it. */
cudaError_t cudaMallocHost(void **ptr, size_t size);
/** @brief The same with flags: cudaHostAllocMapped and its neighbours. */
cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags);
/** @brief Free what cudaMallocHost() or cudaHostAlloc() gave; NULL is allowed. */
cudaError_t cudaFreeHost(void *ptr);
/** @brief Page-lock memory that malloc() gave. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *ptr);
/** @brief The address under which kernels reach page-locked host memory. */
cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);

/** @brief Allocate memory that host and device use under one address. */
cudaError_t cudaMallocManaged(void **devPtr, size_t size,
                              unsigned int flags SIM_DEFAULT(cudaMemAttachGlobal));
/** @brief Move managed memory ahead of its use. */
cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream SIM_DEFAULT(0));
/** @brief Say how managed memory will be used. */
cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location);
/** @brief What cudaMemAdvise and cudaMemPrefetchAsync have said of every page of a range. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count);
/** @brief The same, several at once. */
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count);
/** @brief Tie managed memory to a stream; length 0 means all of the allocation. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length SIM_DEFAULT(0),
                                     unsigned int flags SIM_DEFAULT(cudaMemAttachSingle));

/* ---- copies and fills ---- */

/** @brief Copy `count` bytes; `kind` must say truly where both sides are, or be cudaMemcpyDefault. */
cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream SIM_DEFAULT(0));
/** @brief Copy between two devices' memories. */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream SIM_DEFAULT(0));
/** @brief Set each of `count` bytes of device memory to the low byte of `value`. */
cudaError_t cudaMemset(void *devPtr, int value, size_t count);
cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream SIM_DEFAULT(0));

/** @brief Copy to a `__device__` or `__constant__` variable, given by its name. */
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                               size_t offset SIM_DEFAULT(0),
                               enum cudaMemcpyKind kind SIM_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));
/** @brief Copy from a `__device__` or `__constant__` variable, given by its name. */
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset SIM_DEFAULT(0),
                                 enum cudaMemcpyKind kind SIM_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));
/** @brief The address of a device variable as kernels see it. */
cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);
/** @brief The bytes of a device variable. */
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/** @brief Copy `height` rows of `width` bytes; rows lie `dpitch` and `spitch` bytes apart. */
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));
/** @brief Copy a box between arrays and pitched memory. */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream SIM_DEFAULT(0));
/** @brief Set `height` rows of `width` bytes to the low byte of `value`. */
cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                              cudaStream_t stream SIM_DEFAULT(0));

/* ---- arrays: device memory that only textures, surfaces and copies reach ---- */

/** @brief Allocate an array of `width` by `height` elements; height 0 makes it one-dimensional. */
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height SIM_DEFAULT(0), unsigned int flags SIM_DEFAULT(0));
/** @brief The same in three dimensions, or in layers with cudaArrayLayered; extent in elements. */
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags SIM_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);
/** @brief What an array was made with; any out-parameter may be NULL. */
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
/** @brief Describe an element by the bits of its components. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);

/** @brief Copy rows of `width` bytes into an array at byte `wOffset` of row `hOffset`. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                     size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width,
                                     size_t height,
                                     enum cudaMemcpyKind kind SIM_DEFAULT(cudaMemcpyDeviceToDevice));

/** @brief Copy `count` bytes, row after row; CUDA deprecates it for cudaMemcpy2DToArray(). */
__attribute__((deprecated)) cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                          const void *src, size_t count,
                                                          enum cudaMemcpyKind kind);
/** @brief Copy `count` bytes, row after row; CUDA deprecates it for cudaMemcpy2DFromArray(). */
__attribute__((deprecated)) cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset,
                                                            size_t hOffset, size_t count,
                                                            enum cudaMemcpyKind kind);

/* ---- textures and surfaces ---- */

/** @brief Make an object through which kernels sample an array or linear device memory. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc);
/** @brief Forget an object; 0 and a second time are allowed, the memory below is untouched. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject);
/** @brief Make an object through which kernels read and write an array's elements. */
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject);

/* ---- streams: queues of work, each in order ---- */

cudaError_t cudaStreamCreate(cudaStream_t *pStream);
/** @brief With cudaStreamNonBlocking the stream does not wait for stream 0, nor stream 0 for it. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority);
/** @brief The least and the greatest priority; a lower number goes first. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags);
/** @brief A number no other stream of the process has. */
cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId);
cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device);
/** @brief Give a stream up; what it holds still runs. */
cudaError_t cudaStreamDestroy(cudaStream_t stream);
/** @brief Wait for all work in a stream. */
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
/** @brief cudaSuccess when a stream has nothing left, cudaErrorNotReady before that. */
cudaError_t cudaStreamQuery(cudaStream_t stream);
/** @brief Hold what is queued later until `event`, as it is recorded now, has happened. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags SIM_DEFAULT(0));
/** @brief Call a host function in stream order; it must not call CUDA. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
/** @brief The older form of it; `flags` must be 0. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags);

/* ---- events: marks in a stream ---- */

cudaError_t cudaEventCreate(cudaEvent_t *event);
/** @brief With cudaEventDisableTiming the event only orders. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
/** @brief Mark this point of a stream; an earlier mark is forgotten. */
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream SIM_DEFAULT(0),
                                     unsigned int flags SIM_DEFAULT(0));
/** @brief cudaSuccess when the marked work is done or nothing was marked, else cudaErrorNotReady. */
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/** @brief Milliseconds between two marks, by the simulated device's cost model. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- pools: allocation in stream order ---- */

/** @brief Allocate from the device's current pool; usable by work queued later in `hStream`. */
cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream);
/** @brief Free when the stream gets here. */
cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream);
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device);
/** @brief The pool that cudaMallocAsync() uses. */
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);
/** @brief Give memory back to the device until at most `minBytesToKeep` is reserved. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);
/** @brief Reuse policies are int, the other attributes unsigned 64-bit numbers of bytes. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count);
/** @brief As cudaDeviceGetDefaultMemPool and its like, for a place. Here: pinned memory of the device. */
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t memPool);
/** @brief Pools are not shared with other processes: none can be made that these four would accept. */
cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                               enum cudaMemAllocationHandleType handleType,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                 enum cudaMemAllocationHandleType handleType,
                                                 unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr);
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                     struct cudaMemPoolPtrExportData *exportData);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location);

/* ---- kernels ---- */

/** @brief Launch a kernel given its address and the addresses of its arguments. */
cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream);
/** @brief The same with attributes. */
cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                   cudaStreamAttrValue *value_out);
cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
/** @brief Launch blocks that may wait for each other, so all must fit on the device at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
/** @brief What a kernel needs and what it is limited to. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
/** @brief Such as cudaFuncAttributeMaxDynamicSharedMemorySize, needed for more than 48 KiB. */
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
/** @brief How many blocks of `blockSize` threads one multiprocessor holds. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize, size_t dynamicSMemSize,
                                                                   unsigned int flags);
/** @brief Dynamic shared memory each of `numBlocks` blocks can have on one multiprocessor. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                      int numBlocks,
                                                      int blockSize);

#include <sim/graph.h>

#ifdef __cplusplus
}
#endif
#undef SIM_DEFAULT

#endif
