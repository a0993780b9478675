/* SPDX-License-Identifier: MIT */
/*
 * Names and words of the status codes. Where the simulated device can return a code, the words are those that
 * the real runtime prints, since people search for them.
 */
#include <cuda_runtime_api.h>

#define E(code, words)                                                                                       \
    {                                                                                                        \
        code, #code, words                                                                                   \
    }

static const struct {
    cudaError_t code;
    const char *name, *words;
} table[] = {
    E(cudaSuccess, "no error"),
    E(cudaErrorInvalidValue, "invalid argument"),
    E(cudaErrorMemoryAllocation, "out of memory"),
    E(cudaErrorInitializationError, "initialization error"),
    E(cudaErrorCudartUnloading, "driver shutting down"),
    E(cudaErrorProfilerDisabled, "another tool holds the profiler"),
    E(cudaErrorProfilerNotInitialized, "the profiler was never started"),
    E(cudaErrorProfilerAlreadyStarted, "the profiler runs already"),
    E(cudaErrorProfilerAlreadyStopped, "the profiler does not run"),
    E(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    E(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    E(cudaErrorInvalidSymbol, "invalid device symbol"),
    E(cudaErrorInvalidHostPointer, "invalid host pointer"),
    E(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    E(cudaErrorInvalidTexture, "invalid texture reference"),
    E(cudaErrorInvalidTextureBinding, "texture has no memory bound"),
    E(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    E(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    E(cudaErrorAddressOfConstant, "wrong use of a constant's address"),
    E(cudaErrorTextureFetchFailed, "a texture fetch failed"),
    E(cudaErrorTextureNotBound, "fetch from an unbound texture"),
    E(cudaErrorSynchronizationError, "wrong use of a barrier"),
    E(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
    E(cudaErrorInvalidNormSetting, "read as normalized float not supported for data type"),
    E(cudaErrorMixedDeviceExecution, "emulated and real execution mixed"),
    E(cudaErrorNotYetImplemented, "not yet implemented"),
    E(cudaErrorMemoryValueTooLarge, "size or pointer does not fit 32 bits"),
    E(cudaErrorStubLibrary, "only the stub of the driver is linked"),
    E(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    E(cudaErrorCallRequiresNewerDriver, "the driver is too old for this call"),
    E(cudaErrorInvalidSurface, "invalid surface reference"),
    E(cudaErrorDuplicateVariableName, "two variables share this name"),
    E(cudaErrorDuplicateTextureName, "two textures share this name"),
    E(cudaErrorDuplicateSurfaceName, "two surfaces share this name"),
    E(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    E(cudaErrorIncompatibleDriverContext, "the driver's context does not fit"),
    E(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    E(cudaErrorPriorLaunchFailure, "an earlier launch failed"),
    E(cudaErrorLaunchMaxDepthExceeded, "launches nested too deep"),
    E(cudaErrorLaunchFileScopedTex, "kernel uses a texture reference, not an object"),
    E(cudaErrorLaunchFileScopedSurf, "kernel uses a surface reference, not an object"),
    E(cudaErrorSyncDepthExceeded, "synchronised too deep in nested launches"),
    E(cudaErrorLaunchPendingCountExceeded, "too many launches pending"),
    E(cudaErrorInvalidDeviceFunction, "invalid device function"),
    E(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    E(cudaErrorInvalidDevice, "invalid device ordinal"),
    E(cudaErrorDeviceNotLicensed, "the device has no valid licence"),
    E(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    E(cudaErrorStartupFailure, "the runtime failed to start"),
    E(cudaErrorInvalidKernelImage, "invalid kernel image"),
    E(cudaErrorDeviceUninitialized, "invalid device context"),
    E(cudaErrorMapBufferObjectFailed, "a buffer could not be mapped"),
    E(cudaErrorUnmapBufferObjectFailed, "a buffer could not be unmapped"),
    E(cudaErrorArrayIsMapped, "the array is mapped"),
    E(cudaErrorAlreadyMapped, "already mapped"),
    E(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    E(cudaErrorAlreadyAcquired, "already acquired"),
    E(cudaErrorNotMapped, "not mapped"),
    E(cudaErrorNotMappedAsArray, "not mapped as an array"),
    E(cudaErrorNotMappedAsPointer, "not mapped as a pointer"),
    E(cudaErrorECCUncorrectable, "uncorrectable memory error"),
    E(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    E(cudaErrorDeviceAlreadyInUse, "another thread has the device to itself"),
    E(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    E(cudaErrorInvalidPtx, "the PTX does not compile"),
    E(cudaErrorInvalidGraphicsContext, "invalid graphics context"),
    E(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error"),
    E(cudaErrorJitCompilerNotFound, "no PTX compiler found"),
    E(cudaErrorUnsupportedPtxVersion, "the PTX is newer than the driver"),
    E(cudaErrorJitCompilationDisabled, "PTX compilation is disabled"),
    E(cudaErrorUnsupportedExecAffinity, "execution affinity is not supported"),
    E(cudaErrorUnsupportedDevSideSync, "the PTX synchronises inside a kernel"),
    E(cudaErrorContained, "contained hardware or peer error"),
    E(cudaErrorInvalidSource, "invalid kernel source"),
    E(cudaErrorFileNotFound, "file not found"),
    E(cudaErrorSharedObjectSymbolNotFound, "symbol missing in a shared object"),
    E(cudaErrorSharedObjectInitFailed, "a shared object failed to start"),
    E(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    E(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    E(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    E(cudaErrorLossyQuery, "the answer would lose information"),
    E(cudaErrorSymbolNotFound, "named symbol not found"),
    E(cudaErrorNotReady, "device not ready"),
    E(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    E(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    E(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    E(cudaErrorLaunchIncompatibleTexturing, "incompatible texturing mode"),
    E(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    E(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    E(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    E(cudaErrorContextIsDestroyed, "context is destroyed"),
    E(cudaErrorAssert, "device-side assert triggered"),
    E(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    E(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    E(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    E(cudaErrorHardwareStackError, "hardware stack error"),
    E(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    E(cudaErrorMisalignedAddress, "misaligned address"),
    E(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    E(cudaErrorInvalidPc, "invalid program counter"),
    E(cudaErrorLaunchFailure, "unspecified launch failure"),
    E(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    E(cudaErrorTensorMemoryLeak, "a kernel left tensor memory allocated"),
    E(cudaErrorNotPermitted, "operation not permitted"),
    E(cudaErrorNotSupported, "operation not supported"),
    E(cudaErrorSystemNotReady, "the system is not ready"),
    E(cudaErrorSystemDriverMismatch, "display and CUDA drivers do not match"),
    E(cudaErrorCompatNotSupportedOnDevice, "no forward compatibility on this device"),
    E(cudaErrorMpsConnectionFailed, "no connection to the MPS server"),
    E(cudaErrorMpsRpcFailure, "a call to the MPS server failed"),
    E(cudaErrorMpsServerNotReady, "the MPS server takes no requests yet"),
    E(cudaErrorMpsMaxClientsReached, "too many MPS clients"),
    E(cudaErrorMpsMaxConnectionsReached, "too many MPS connections"),
    E(cudaErrorMpsClientTerminated, "the MPS server ended this client"),
    E(cudaErrorCdpNotSupported, "launches from kernels are not supported here"),
    E(cudaErrorCdpVersionMismatch, "versions of launches from kernels are mixed"),
    E(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    E(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    E(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    E(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    E(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    E(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    E(cudaErrorStreamCaptureImplicit,
      "operation would make the legacy stream depend on a capturing blocking stream"),
    E(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    E(cudaErrorStreamCaptureWrongThread,
      "attempt to terminate a thread-local capture sequence from another thread"),
    E(cudaErrorTimeout, "wait operation timed out"),
    E(cudaErrorGraphExecUpdateFailure, "the graph changed in a way that an update does not allow"),
    E(cudaErrorExternalDevice, "an error outside CUDA"),
    E(cudaErrorInvalidClusterSize, "invalid cluster size"),
    E(cudaErrorFunctionNotLoaded, "the function is not loaded"),
    E(cudaErrorInvalidResourceType, "invalid resource type"),
    E(cudaErrorInvalidResourceConfiguration, "invalid resource configuration"),
    E(cudaErrorUnknown, "unknown error"),
    E(cudaErrorApiFailureBase, "api failure base"),
};

static int find(cudaError_t error)
{
    for (int i = 0; i < (int)(sizeof table / sizeof *table); i++)
        if (table[i].code == error)
            return i;
    return -1;
}

const char *cudaGetErrorName(cudaError_t error)
{
    int i = find(error);
    return i < 0 ? "unrecognized error code" : table[i].name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    int i = find(error);
    return i < 0 ? "unrecognized error code" : table[i].words;
}
