/* SPDX-License-Identifier: MIT */
/* Attributes of launches and streams. Most tune what is not simulated: they are kept, and change nothing. */
#include "stream.h"

enum { MAX_WINDOW = 128 << 20 };

static bool window_is_valid(const struct cudaAccessPolicyWindow *w)
{
    return w->hitRatio >= 0 && w->hitRatio <= 1 && w->num_bytes <= MAX_WINDOW &&
           (unsigned)w->hitProp <= cudaAccessPropertyPersisting &&
           (unsigned)w->missProp <= cudaAccessPropertyStreaming;
}

static cudaError_t refuse(const char *what)
{
    sim_note_refusal();
    struct sim_report r = sim_note("launch", "launch refused: %s", cudaGetErrorName(cudaErrorNotSupported));
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "%s not simulated", what);
    sim_report_end(r);
    return cudaErrorNotSupported;
}

static cudaError_t accept(const cudaLaunchAttribute *a, int *cooperative)
{
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        *cooperative = a->val.cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        return window_is_valid(&a->val.accessPolicyWindow) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributePreferredClusterDimension:
        if (!a->val.clusterDim.x || !a->val.clusterDim.y || !a->val.clusterDim.z)
            return cudaErrorInvalidClusterSize;
        return a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z == 1
                   ? cudaSuccess
                   : refuse("clusters of more than one block are");
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
        return refuse("events of a launch's own are");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return refuse("graph nodes that the device updates are");
    default: /* order is stronger than programmatic serialisation asks for */
        return (unsigned)a->id <= cudaLaunchAttributeNvlinkUtilCentricScheduling ? cudaSuccess
                                                                                 : cudaErrorInvalidValue;
    }
}

cudaError_t sim_launch_attributes(const cudaLaunchConfig_t *config, int *cooperative)
{
    cudaError_t e = config->numAttrs && !config->attrs ? cudaErrorInvalidValue : cudaSuccess;
    for (unsigned i = 0; !e && i < config->numAttrs; i++)
        e = accept(&config->attrs[i], cooperative);
    return e;
}

/* ---- of streams ---- */

static cudaError_t find(cudaError_t e, cudaStream_t handle, const void *value, struct CUstream_st **s)
{
    e = stream_find(e, handle, s);
    return e || value ? e : cudaErrorInvalidValue;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id, const cudaStreamAttrValue *value)
{
    struct CUstream_st *s;
    cudaError_t e = find(sim_enter(SIM_CALL), handle, value, &s);
    if (e)
        return sim_leave(e);
    switch (id) {
    case cudaStreamAttributeAccessPolicyWindow:
        if (window_is_valid(&value->accessPolicyWindow))
            s->window = value->accessPolicyWindow;
        else
            e = cudaErrorInvalidValue;
        break;
    case cudaStreamAttributeSynchronizationPolicy:
        if (value->syncPolicy >= cudaSyncPolicyAuto && value->syncPolicy <= cudaSyncPolicyBlockingSync)
            s->sync_policy = value->syncPolicy;
        else
            e = cudaErrorInvalidValue;
        break;
    case cudaStreamAttributePriority:
        s->priority = stream_priority(value->priority);
        break;
    default:
        e = cudaErrorInvalidValue;
    }
    return sim_leave(e);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id, cudaStreamAttrValue *value)
{
    struct CUstream_st *s;
    cudaError_t e = find(sim_enter(SIM_CALL), handle, value, &s);
    if (e)
        return sim_leave(e);
    switch (id) {
    case cudaStreamAttributeAccessPolicyWindow:
        value->accessPolicyWindow = s->window;
        break;
    case cudaStreamAttributeSynchronizationPolicy:
        value->syncPolicy = s->sync_policy ? s->sync_policy : cudaSyncPolicyAuto;
        break;
    case cudaStreamAttributePriority:
        value->priority = s->priority;
        break;
    default:
        e = cudaErrorInvalidValue;
    }
    return sim_leave(e);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    struct CUstream_st *target, *source;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), to, &target);
    e = stream_find(e, from, &source);
    if (!e) {
        target->priority = source->priority;
        target->window = source->window;
        target->sync_policy = source->sync_policy;
    }
    return sim_leave(e);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return sim_leave(sim_enter(SIM_CALL));
}
