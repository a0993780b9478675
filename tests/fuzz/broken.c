/* SPDX-License-Identifier: MIT */
/* A runtime with a fault, chosen by BROKEN: does the harness see it? Linked with --wrap. */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *fault)
{
    const char *chosen = getenv("BROKEN");
    return chosen && !strcmp(chosen, fault);
}

cudaError_t __real_cudaMemset(void *p, int value, size_t bytes);
cudaError_t __wrap_cudaMemset(void *p, int value, size_t bytes);
cudaError_t __wrap_cudaMemset(void *p, int value, size_t bytes)
{
    return __real_cudaMemset(p, value, bytes - (bytes > 1 && is("short fill")));
}

cudaError_t __real_cudaFree(void *p);
cudaError_t __wrap_cudaFree(void *p);
cudaError_t __wrap_cudaFree(void *p)
{
    cudaError_t e = is("lost free") ? cudaSuccess : __real_cudaFree(p);
    return is("silent free") ? cudaSuccess : e;
}

cudaError_t __real_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void)
{
    return is("error kept") ? cudaPeekAtLastError() : __real_cudaGetLastError();
}

cudaError_t __real_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaEvent_t wrong = NULL;
    if (!is("wait forgotten"))
        return __real_cudaStreamWaitEvent(stream, event, flags);
    cudaEventCreate(&wrong);
    cudaError_t e = cudaEventQuery(event) == cudaErrorInvalidResourceHandle
                        ? __real_cudaStreamWaitEvent(stream, event, flags)
                        : __real_cudaStreamWaitEvent(stream, wrong, flags);
    cudaEventDestroy(wrong);
    return e;
}

cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return is("lost graph") ? cudaSuccess : __real_cudaGraphLaunch(exec, stream);
}

cudaError_t __real_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t __wrap_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t __wrap_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    if (is("early call"))
        function(data);
    return __real_cudaLaunchHostFunc(stream, function, data);
}

/* Its memory has other bytes at each address. */
CUresult __real_cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                         unsigned long long flags);
CUresult __wrap_cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                         unsigned long long flags);
CUresult __wrap_cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                         unsigned long long flags)
{
    CUmemAllocationProp prop;
    if (is("other memory") && !cuMemGetAllocationPropertiesFromHandle(&prop, handle))
        cuMemCreate(&handle, bytes, &prop, 0);
    return __real_cuMemMap(p, bytes, offset, handle, flags);
}
