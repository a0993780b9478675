/* SPDX-License-Identifier: MIT */
/* What order.c finds, for a person: work, host code and frees that nothing has put in an order. */
#include <string.h>
#include "order.h"

static const char *verb(unsigned how)
{
    return how & CHECK_ATOMIC ? "an atomic operation" : how & CHECK_WRITE ? "a write" : "a read";
}

static const char *place(const void *pc, const struct order_step *step)
{
    return pc ? sim_where(pc) : step ? sim_where_call(&step->call) : "a place that was not kept";
}

/* A report whose place is that of `pc`, or of the call that queued `step`. */
static struct sim_report report(const char *kind, const void *pc, const struct order_step *step,
                                const char *title)
{
    struct sim_call call = sim_call;
    if (!pc && step)
        sim_call = step->call;
    struct sim_report r = pc ? sim_report_at(kind, pc, "%s", title) : sim_report(kind, "%s", title);
    sim_call = call;
    return r;
}

/* ---- the host and an operation ---- */

static bool is_managed(const struct sim_block *b)
{
    return b && (b->kind == SIM_MANAGED || (b->kind == SIM_SYMBOL && b->flags == SIM_SPACE_MANAGED));
}

static const char *host_reason(const struct sim_block *b, unsigned how)
{
    if (is_managed(b))
        return sim_settings.concurrent_managed ? "nothing has waited for the kernel, which may run now: "
                                                 "synchronise before the host touches "
                                                 "what it uses"
                                               : "on this device (concurrentManagedAccess is 0) host code "
                                                 "may touch no managed memory while "
                                                 "a kernel runs: synchronise first";
    return how & CHECK_WRITE
               ? "the call has only queued the work, which uses the buffer later: wait for it (an event, or "
                 "cudaStreamSynchronize) before the buffer is used again"
               : "the call has only queued the work: wait for it (cudaStreamSynchronize or "
                 "cudaEventSynchronize) before the result is read";
}

/* The operation is told of once: the same wait is missing for all that it touches. */
static void host_and(struct order_step *step, const void *p, unsigned how, const void *pc,
                     const void *pc_step)
{
    const struct sim_block *b = sim_find(p);
    char title[160];
    snprintf(title, sizeof title, "HOST code: %s of %s memory while %s may be using it", verb(how),
             is_managed(b) ? "managed" : "pinned", step->kernel ? "a kernel" : step->call.api);
    struct sim_report r =
        report(is_managed(b) ? "managed memory in use" : "unordered host access", pc, step, title);
    step->host_told = true;
    if (!r.shown)
        return;
    sim_report_line(r, "at", "%s", place(pc, NULL));
    sim_report_line(r, "while", "%s", order_name(step));
    if (pc_step)
        sim_report_line(r, "using", "it at %s", sim_where(pc_step));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why", "%s", host_reason(b, how));
    sim_report_end(r);
}

/* cudaStreamAttachMemAsync may have given the block to the host, or to one stream's kernels. */
static struct order_step *busy_with(const struct sim_block *b)
{
    if (sim_settings.concurrent_managed || !is_managed(b) || b->flags == cudaMemAttachHost)
        return NULL;
    return order_busy(b->kind == SIM_MANAGED ? b->extra : NULL);
}

bool unordered_host(const void *p, size_t bytes, unsigned how, const void *pc)
{
    struct order_step *step = order_pending_on(p, bytes, how & CHECK_WRITE);
    if (!step && !sim_settings.concurrent_managed)
        step = busy_with(sim_find(p));
    if (step && !step->host_told)
        host_and(step, p, how, pc, NULL);
    return step != NULL;
}

/* ---- two operations ---- */

static bool is_allocation(const struct order_step *s)
{
    return !strncmp(s->call.api, "cudaMalloc", 10);
}

/* Both are of one launch of a graph. */
static bool same_graph(const struct order_step *a, const struct order_step *b)
{
    return a->graph.api && b->graph.api && a->graph_launch == b->graph_launch;
}

static const char *work_reason(const struct order_step *a, const struct order_step *b)
{
    if (is_allocation(a))
        return "the block exists once its own stream has come to cudaMallocAsync: let the other wait for "
               "an event recorded after it";
    if (same_graph(a, b))
        return "no edges of the graph lead from one to the other, so they may run at the same time: add a "
               "dependency, or when capturing, let one's stream wait for an event recorded after the other";
    if (a->stream.legacy ? b->stream.apart : a->stream.apart && b->stream.legacy)
        return "the default stream and a cudaStreamNonBlocking stream do not wait for each other; a copy "
               "from pageable memory, too, may return before the device has the data. Use one stream, an "
               "event, or cudaStreamSynchronize";
    return "two streams have no order but what an event or a wait gives: cudaEventRecord in one after the "
           "work, cudaStreamWaitEvent in the other before its own";
}

static void two_operations(const struct unordered *u, const struct order_step *then,
                           const struct order_step *now)
{
    char title[160];
    snprintf(title, sizeof title, "RACE between two %s: %s and %s of the same memory, unordered",
             same_graph(then, now) ? "branches of a graph" : "streams",
             is_allocation(then) ? "an allocation" : verb(u->how_then), verb(u->how));
    struct sim_report r = report("unordered work", u->pc, now, title);
    if (!r.shown)
        return;
    sim_report_line(r, "at", "%s", place(u->pc, now));
    if (sim_running())
        sim_report_line(r, "by", "block (%u,%u,%u) thread (%u,%u,%u)", u->block.x, u->block.y, u->block.z,
                        u->thread.x, u->thread.y, u->thread.z);
    sim_report_line(r, "in", "%s", order_name(now));
    sim_report_line(r, "and", "%s", place(u->pc_then, then));
    sim_report_line(r, "in", "%s", order_name(then));
    sim_report_line(r, "is", "%s", sim_what(u->at));
    sim_report_line(r, "why", "%s", work_reason(then, now));
    sim_report_end(r);
}

void unordered_access(const struct unordered *u)
{
    struct order_step *then = order_at(u->t), *now = order_now();
    if (then && now)
        two_operations(u, then, now);
    else if (now)
        host_and(now, u->at, u->how_then, u->pc_then, u->pc);
    else if (then)
        host_and(then, u->at, u->how, u->pc, u->pc_then);
}

/* ---- frees ---- */

/* cudaFree and its like wait for the device today, so nothing breaks where they do: one word about it. */
static void note_free(const struct sim_block *b, const struct order_step *step)
{
    static bool told;
    if (told || !step->kernel)
        return;
    told = true;
    struct sim_report r =
        sim_note("free while in use", "note: %s while a kernel may be using the block", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "while", "%s", order_name(step));
    sim_report_line(r, "is", "%s", sim_what(b->base));
    sim_report_line(r, "why", "%s may wait for the device, and need not: synchronise before it",
                    sim_call.api);
    sim_report_end(r);
}

void unordered_free(const struct sim_block *b, check_tick t)
{
    struct order_step *step = order_at(t), *now = order_now();
    bool waits = b->kind == SIM_DEVICE || b->kind == SIM_ARRAY || b->kind == SIM_MANAGED;
    if (!step || step->free_told || (!now && is_allocation(step))) /* made, and never used */
        return;
    if (b->kind == SIM_MAPPED && !step->kernel) /* a copy or fill is most often done by then */
        return;
    step->free_told = true;
    if (!now && waits) {
        note_free(b, step);
        return;
    }
    struct sim_report r = report("unordered free", NULL, now, "a block is freed while work may be using it");
    if (!r.shown)
        return;
    sim_report_line(r, "at", "%s", now ? order_name(now) : sim_where_call(&sim_call));
    sim_report_line(r, "while", "%s", order_name(step));
    sim_report_line(r, "is", "%s", sim_what(b->base));
    sim_report_line(r, "why", "%s",
                    now ? "cudaFreeAsync waits for its own stream only: let that stream wait for an event "
                          "recorded after the last use"
                        : "nothing has waited for the work: synchronise before the block is freed");
    sim_report_end(r);
}

void unordered_destroy(check_tick t, const char *what)
{
    const struct order_step *step = order_at(t);
    if (!step)
        return;
    struct sim_report r =
        sim_report("destroyed in use", "%s is destroyed while a kernel may be using it", what);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "while", "%s", order_name(step));
    sim_report_line(r, "why", "nothing has waited for the kernel: synchronise before the %s is destroyed",
                    what);
    sim_report_end(r);
}
