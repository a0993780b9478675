/* SPDX-License-Identifier: MIT */
/* The runtime's calls on streams and events. */
#include <stdlib.h>
#include <string.h>
#include "graph.h"
#include "order.h"
#include "stream.h"

/* ---- streams ---- */

static cudaError_t create_stream(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || flags > cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *s = stream_new(flags, priority);
    if (!s)
        return cudaErrorMemoryAllocation;
    *out = s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_stream(stream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_stream(stream, flags, 0));
}

enum { LOWEST_PRIORITY = 0, HIGHEST_PRIORITY = -5 };

int stream_priority(int wanted)
{
    return wanted > LOWEST_PRIORITY ? LOWEST_PRIORITY : wanted < HIGHEST_PRIORITY ? HIGHEST_PRIORITY : wanted;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_stream(stream, flags, stream_priority(priority)));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && least)
        *least = LOWEST_PRIORITY;
    if (!e && greatest)
        *greatest = HIGHEST_PRIORITY;
    return sim_leave(e);
}

cudaError_t stream_find(cudaError_t e, cudaStream_t handle, struct CUstream_st **stream)
{
    if (e)
        return e;
    *stream = sim_stream(handle);
    return *stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e && !priority)
        e = cudaErrorInvalidValue;
    if (!e)
        *priority = s->priority;
    return sim_leave(e);
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e && !flags)
        e = cudaErrorInvalidValue;
    if (!e)
        *flags = s->flags;
    return sim_leave(e);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e && !id)
        e = cudaErrorInvalidValue;
    if (!e)
        *id = s->id;
    return sim_leave(e);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e && !device)
        e = cudaErrorInvalidValue;
    if (!e)
        *device = 0;
    return sim_leave(e);
}

/* What is queued still runs; the stream is forgotten once nothing is queued anywhere. */
cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && (!handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread))
        e = cudaErrorInvalidResourceHandle;
    struct CUstream_st *s =
        e ? NULL : sim_stream(handle); /* unknown: reported, and a success as on hardware */
    if (s) {
        s->destroyed = true;
        stream_forget_destroyed();
    }
    return sim_leave(e);
}

/* An action of the legacy stream waits for all blocking streams, and so does the host that waits for it. */
static cudaError_t finish(struct CUstream_st *s)
{
    cudaError_t e = s == sim_stream(cudaStreamLegacy) ? sim_stream_wait(s, s, 0) : cudaSuccess;
    if (!e) {
        sim_pools_wait(s, s->issued);
        e = sim_stream_finish(s);
    }
    if (!e)
        watch_host_waited(s, s->issued);
    return e;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e)
        e = graph_capture_host_waits(s);
    if (!e)
        e = finish(s);
    if (!e)
        sim_pools_synchronized(false);
    return sim_leave(e);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && !(e = sim_inject_sync()))
        e = sim_device_finish();
    if (!e)
        watch_host_waited_all();
    if (!e)
        sim_pools_synchronized(true);
    return sim_leave(e);
}

/* Every fourth query that finds work lets one operation of it run, so that a host that polls gets there. */
static cudaError_t poll(struct CUstream_st *s)
{
    static unsigned polls;
    if (++polls % 4 == 0)
        stream_run_one(s);
    return sim_sticky() ? sim_sticky() : cudaErrorNotReady;
}

cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    struct CUstream_st *s;
    cudaError_t e = stream_find(sim_enter(SIM_CALL), handle, &s);
    if (!e)
        e = graph_capture_host_waits(s);
    if (!e && s->done < s->issued)
        e = poll(s);
    if (!e)
        stream_host_reached(s->clock_ns);
    if (!e)
        watch_host_waited(s, s->issued);
    return sim_leave(e);
}

struct host_call {
    cudaHostFn_t function;
    cudaStreamCallback_t callback;
    cudaStream_t handle;
    void *data;
};

bool sim_leaving;

/* What nobody waited for is looked at before the program ends, unless it ends in the middle of something. */
void sim_streams_exit(void)
{
    sim_enter_always("exit", NULL);
    sim_leaving = true;
    if (!order_now() && !sim_sticky())
        sim_device_finish();
    sim_leave(cudaSuccess);
}

static void run_host_call(struct sim_op *op)
{
    struct host_call *c = (void *)op->payload;
    sim_memory_lock();
    watch_host_waited(op->stream, op->seq); /* what the function may tell other threads */
    sim_pools_wait(op->stream, op->seq);
    sim_pools_settle(false);
    if (sim_leaving)
        return; /* what it would use may be gone */
    struct sim_held held = {0};
    if (!sim_checked) { /* it may wait for a thread that calls CUDA; but the checker follows one thing */
        op->stream->busy = true;
        held = sim_release();
    }
    sim_callback_begin();
    if (c->function)
        c->function(c->data);
    else
        c->callback(c->handle, cudaSuccess, c->data);
    sim_callback_end();
    if (!sim_checked) {
        sim_take_back(held);
        op->stream->busy = false;
        sim_tell_change();
    }
}

static cudaError_t submit_host_call(cudaStream_t handle, struct host_call call)
{
    struct CUstream_st *s;
    cudaError_t e = sim_stream_for_work(handle, &s);
    if (e)
        return e;
    if (!call.function && !call.callback)
        return cudaErrorInvalidValue;
    struct sim_op *op = sim_op_new(s, run_host_call, sizeof call);
    if (!op)
        return cudaErrorMemoryAllocation;
    memcpy(op->payload, &call, sizeof call);
    op->node = cudaGraphNodeTypeHost;
    sim_op_submit(op);
    return cudaSuccess;
}

bool sim_host_call_params(const struct sim_op *op, struct cudaHostNodeParams *p)
{
    const struct host_call *c = (const void *)op->payload;
    if (op->run != run_host_call)
        return false;
    *p = (struct cudaHostNodeParams){c->function, c->data};
    return true;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e
                       : submit_host_call(stream, (struct host_call){.function = function, .data = data}));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e
                       : submit_host_call(stream, (struct host_call){
                                                      .callback = callback, .handle = stream, .data = data}));
}

/* ---- events ---- */

struct CUevent_st *event_of(cudaEvent_t handle)
{
    for (struct CUevent_st *e = event_list; e; e = e->next)
        if (e == handle && !e->destroyed)
            return e;
    return NULL;
}

static void report_event(void)
{
    struct sim_report r = sim_report("event", "%s was given an event that does not exist", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "it was destroyed, or never made by cudaEventCreate");
    sim_report_end(r);
}

static cudaError_t find_event(cudaError_t e, cudaEvent_t handle, struct CUevent_st **event)
{
    if (e)
        return e;
    *event = event_of(handle);
    if (*event)
        return cudaSuccess;
    report_event();
    return cudaErrorInvalidResourceHandle;
}

static bool event_done(const struct CUevent_st *event)
{
    return !event->stream || sim_stream_done(event->stream, event->seq);
}

static cudaError_t create_event(cudaEvent_t *out, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || flags & ~known || (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
        return cudaErrorInvalidValue;
    struct CUevent_st *event = calloc(1, sizeof *event);
    if (!event)
        return cudaErrorMemoryAllocation;
    event->flags = flags;
    event->next = event_list;
    event_list = event;
    *out = event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_event(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : create_event(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    struct CUevent_st *event;
    cudaError_t e = find_event(sim_enter(SIM_CALL), handle, &event);
    if (!e) {
        event->destroyed = true;
        if (!event->marks)
            event_free(event);
    }
    return sim_leave(e);
}

static void run_mark(struct sim_op *op)
{
    (void)op; /* its time is known since it was queued */
}

static void drop_mark(struct sim_op *op)
{
    struct CUevent_st *event = *(struct CUevent_st **)op->payload;
    if (--event->marks == 0 && event->destroyed)
        event_free(event);
}

cudaError_t event_record(struct CUevent_st *event, struct CUstream_st *s)
{
    struct sim_op *op = sim_op_new(s, run_mark, sizeof event);
    if (!op)
        return cudaErrorMemoryAllocation;
    op->drop = drop_mark;
    memcpy(op->payload, &event, sizeof event);
    event->marks++;
    op->node = cudaGraphNodeTypeEventRecord;
    sim_op_submit(op);
    event->stream = s;
    event->seq = op->seq;
    event->time_ns = op->end_ns;
    event->captured = false;
    event->capture = NULL;
    return cudaSuccess;
}

static cudaError_t record(cudaEvent_t handle, cudaStream_t stream, unsigned flags)
{
    struct CUevent_st *event;
    struct CUstream_st *s;
    cudaError_t e = sim_stream_for_work(stream, &s);
    e = find_event(e, handle, &event);
    if (e)
        return e;
    return s->capture ? graph_capture_record(event, s, flags) : event_record(event, s);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : record(event, stream, 0));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e && flags > cudaEventRecordExternal)
        e = cudaErrorInvalidValue;
    return sim_leave(e ? e : record(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t handle)
{
    struct CUevent_st *event;
    cudaError_t e = find_event(sim_enter(SIM_CALL), handle, &event);
    if (!e)
        e = graph_capture_event(event, true);
    if (!e && !event_done(event))
        e = poll(event->stream);
    if (!e && event->stream)
        watch_host_waited(event->stream, event->seq);
    if (!e)
        stream_host_reached(event->time_ns);
    return sim_leave(e);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
    struct CUevent_st *event;
    cudaError_t e = find_event(sim_enter(SIM_CALL), handle, &event);
    if (!e)
        e = graph_capture_event(event, true);
    if (!e && event->stream) {
        struct CUevent_st mark = *event; /* another thread may record it anew meanwhile */
        if (!sim_inject_sync()) {
            sim_pools_wait(mark.stream, mark.seq);
            stream_run_to(mark.stream, mark.seq);
            stream_host_reached(mark.time_ns);
        }
        e = sim_sticky();
        if (!e)
            watch_host_waited(mark.stream, mark.seq);
        if (!e)
            sim_pools_synchronized(false);
    }
    return sim_leave(e);
}

/* Model time between two events, never measured: see docs/sim.md. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    struct CUevent_st *from, *to = NULL;
    cudaError_t e = find_event(sim_enter(SIM_CALL), start, &from);
    e = find_event(e, end, &to);
    if (!e && !ms)
        e = cudaErrorInvalidValue;
    if (!e)
        e = graph_capture_event(from, false);
    if (!e)
        e = graph_capture_event(to, false);
    if (!e && (!from->stream || !to->stream || (from->flags | to->flags) & cudaEventDisableTiming))
        e = cudaErrorInvalidResourceHandle;
    if (!e && (!event_done(from) || !event_done(to)))
        e = cudaErrorNotReady;
    if (!e) {
        watch_host_waited(from->stream, from->seq); /* the answer says that both have ended */
        watch_host_waited(to->stream, to->seq);
        *ms = (float)((to->time_ns - from->time_ns) * 1e-6);
    }
    return sim_leave(e);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned flags)
{
    struct CUstream_st *s;
    struct CUevent_st *event = NULL;
    cudaError_t e = sim_enter(SIM_CALL);
    if (!e)
        e = sim_stream_for_work(stream, &s);
    e = find_event(e, handle, &event);
    if (!e && flags > cudaEventWaitExternal)
        e = cudaErrorInvalidValue;
    if (!e && (s->capture || event->captured))
        return sim_leave(graph_capture_wait(s, event, flags));
    if (!e && event->stream && s->clock_ns < event->time_ns)
        s->clock_ns = event->time_ns; /* in the model it may yet end, though it has run */
    if (!e && event->stream && !event_done(event))
        e = sim_stream_wait(s, event->stream, event->seq);
    else if (!e && event->stream && sim_checked)
        order_stream_after(s, event->stream, event->seq);
    return sim_leave(e);
}
