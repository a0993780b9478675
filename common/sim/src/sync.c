/* SPDX-License-Identifier: MIT */
/*
 * What threads wait on: the block's barrier, and operations of a warp.
 *
 * Threads that have ended do not count, as on hardware since Volta. A barrier is complete when every
 * thread that is left has arrived; a warp operation when every lane of its mask has arrived or ended.
 * The last one to arrive does the work for all and goes on without a switch.
 */
#include <string.h>
#include "exec.h"

enum { WARPS = SIM_MAX_THREADS / 32, VALUE = 16 };

static struct {
    unsigned arrived, count, result; /* threads; of them with a true predicate; `count` of the last round */
    sim_site site;                   /* of the first to arrive */
    bool mixed;                      /* another arrived elsewhere */
} barrier;

/* Where each thread waits, or waited last, for reports; file NULL: nowhere yet. */
static struct place {
    const char *file;
    int line;
    enum wait { ENDED, AT_BARRIER, AT_WARP_SYNC, AT_VOTE, AT_SHUFFLE } at;
} places[SIM_MAX_THREADS];
static const char *const wait_names[] = {[AT_BARRIER] = "__syncthreads()", [AT_WARP_SYNC] = "__syncwarp()",
                                         [AT_VOTE] = "a warp vote", [AT_SHUFFLE] = "a warp shuffle"};

/* A rendezvous of some lanes. A warp has more than one only while its lanes have gone different ways. */
struct meeting {
    unsigned mask, arrived, votes;
    enum wait kind;
};

static struct warp {
    unsigned gone; /* lanes that have ended or never were */
    int meetings;
    struct meeting meeting[32];
} warps[WARPS];

/* What a lane brings and what it takes away; by thread. */
static struct lane {
    _Alignas(16) char value[VALUE], result[VALUE];
    unsigned source, votes;
} lanes[SIM_MAX_THREADS];

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void sync_block_begin(void)
{
    memset(&barrier, 0, sizeof barrier);
    for (unsigned w = 0; w * 32 < exec_block.threads; w++) {
        unsigned left = exec_block.threads - w * 32;
        warps[w].gone = left < 32 ? ~0u << left : 0;
        warps[w].meetings = 0;
    }
    memset(places, 0, exec_block.threads * sizeof *places);
    /* those before the running thread have ended without waiting */
    for (unsigned t = 0; t < exec_block.ended; t++)
        warps[t / 32].gone |= 1u << t % 32;
}

/* A line for each place where threads wait, with how many and which of them come first. */
static void report_waiting(struct sim_report r)
{
    bool told[SIM_MAX_THREADS] = {false};
    for (unsigned first = 0; first < exec_block.threads; first++) {
        if (told[first])
            continue;
        const struct place *p = &places[first];
        char list[64] = "";
        unsigned count = 0;
        for (unsigned t = first; t < exec_block.threads; t++) {
            if (places[t].at != p->at || places[t].line != p->line)
                continue;
            told[t] = true;
            if (count++ < 4)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%u", count > 1 ? ", " : "", t);
        }
        const char *more = count > 4 ? ", ..." : "", *threads = count == 1 ? "thread" : "threads";
        if (p->at == ENDED)
            sim_report_line(r, "ended", "%u %s (%s%s) left the kernel", count, threads, list, more);
        else
            sim_report_line(r, "waiting", "%u %s (%s%s) in %s at %s:%d", count, threads, list, more, wait_names[p->at],
                            p->file, p->line);
    }
}

static void report_where(struct sim_report r)
{
    sim_report_line(r, "kernel", "%s, block (%u,%u,%u), launched at %s:%d", sim_running()->name, blockIdx.x, blockIdx.y,
                    blockIdx.z, sim_running()->launch.site.file, sim_running()->launch.site.line);
}

void sync_deadlock(void)
{
    struct sim_report r = sim_report("deadlock", "deadlock: threads of a block wait for each other for ever");
    report_where(r);
    report_waiting(r);
    sim_report_line(r, "why", "every thread of a block must reach the same barrier, and every lane named in a mask the "
                              "same warp operation; a GPU would hang here");
    sim_report_end(r);
    sim_grid_abort(cudaErrorLaunchFailure);
}

/* ---- the block's barrier ---- */

static void barrier_release(void)
{
    if (barrier.mixed) {
        struct sim_report r = sim_report("divergent barrier", "divergent barrier: threads of one block met at different "
                                                              "__syncthreads()");
        report_where(r);
        report_waiting(r);
        sim_report_line(r, "why", "a barrier in a branch must be reached by all threads of the block or by none; "
                                  "hardware may hang, go on or mix up the rounds");
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchFailure);
    }
    barrier.result = barrier.count;
    barrier.arrived = barrier.count = 0;
    exec_ready_all_others();
}

unsigned sim_barrier(int predicate, const char *file, int line)
{
    if (!sim_threads_tracked)
        exec_track_threads();
    places[exec_block.thread] = (struct place){file, line, AT_BARRIER};
    if (barrier.arrived++ == 0)
        barrier.site = (sim_site){file, line};
    else if (barrier.site.line != line)
        barrier.mixed = true;
    barrier.count += predicate != 0;
    if (barrier.arrived == exec_block.alive)
        barrier_release();
    else
        exec_wait();
    return barrier.result;
}

/* ---- warps ---- */

static void meeting_complete(struct warp *w, unsigned base, struct meeting *m)
{
    unsigned arrived = m->arrived, here = exec_block.thread - base;
    for (unsigned left = arrived; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        struct lane *lane = &lanes[base + l];
        lane->votes = m->votes;
        if (m->kind == AT_SHUFFLE)
            memcpy(lane->result, lanes[base + (arrived >> lane->source & 1 ? lane->source : l)].value, VALUE);
        if (l != here)
            exec_ready(base + l);
    }
    exec_go_on_from(base);
    *m = w->meeting[--w->meetings];
}

static bool meeting_full(const struct warp *w, const struct meeting *m)
{
    return (m->mask & ~(m->arrived | w->gone)) == 0;
}

/* Bring this lane to the meeting of `mask` and wait until all are there. */
static struct lane *meet(enum wait kind, unsigned mask, int vote, const char *file, int line)
{
    if (!sim_threads_tracked)
        exec_track_threads();
    unsigned thread = exec_block.thread, base = thread & ~31u, bit = 1u << (thread & 31);
    struct warp *w = &warps[base / 32];
    struct lane *me = &lanes[thread];
    places[thread] = (struct place){file, line, kind};
    if (!(mask & bit)) {
        char text[80];
        struct sim_report r = sim_report("mask", "%s: the calling lane is not in its own mask", wait_names[kind]);
        sim_report_line(r, "at", "%s:%d, lane %u, mask 0x%08x", base_name(file), line, thread & 31, mask);
        sim_report_line(r, "kernel", "%s, %s", sim_running()->name, sim_thread_name(text));
        sim_report_line(r, "why", "the mask names the lanes that take part; usually it is 0xffffffff");
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchFailure);
    }
    struct meeting *m = w->meeting;
    while (m < w->meeting + w->meetings && (m->mask != mask || m->kind != kind))
        m++;
    if (m == w->meeting + w->meetings) {
        *m = (struct meeting){.mask = mask, .kind = kind};
        w->meetings++;
    }
    m->arrived |= bit;
    m->votes |= vote ? bit : 0;
    if (meeting_full(w, m))
        meeting_complete(w, base, m);
    else
        exec_wait();
    return me;
}

void sim_warp_sync(unsigned mask, const char *file, int line)
{
    meet(AT_WARP_SYNC, mask, 0, file, line);
}

unsigned sim_warp_ballot(unsigned mask, int predicate, const char *file, int line)
{
    return meet(AT_VOTE, mask, predicate, file, line)->votes;
}

void sim_warp_shuffle(unsigned mask, unsigned source, void *value, size_t bytes, const char *file, int line)
{
    if (!sim_threads_tracked)
        exec_track_threads();
    struct lane *me = &lanes[exec_block.thread];
    memcpy(me->value, value, bytes);
    me->source = source & 31;
    memcpy(value, meet(AT_SHUFFLE, mask, 0, file, line)->result, bytes);
}

unsigned sim_warp_active(void)
{
    return 1u << sim_lane();
}

/* A thread that ends may complete what the others wait for. */
void sync_thread_gone(unsigned thread)
{
    struct warp *w = &warps[thread / 32];
    w->gone |= 1u << thread % 32;
    places[thread].at = ENDED;
    for (int i = 0; i < w->meetings;)
        if (meeting_full(w, &w->meeting[i]))
            meeting_complete(w, thread & ~31u, &w->meeting[i]);
        else
            i++;
    if (barrier.arrived && barrier.arrived == exec_block.alive)
        barrier_release();
}

/* ---- the grid ---- */

/* Blocks run one after another here, so only a grid of one block can meet. */
void sim_grid_barrier(const char *file, int line)
{
    const sim_launch *l = &sim_running()->launch;
    if (l->grid.x * l->grid.y * l->grid.z == 1) {
        sim_barrier(0, file, line);
        return;
    }
    struct sim_report r = sim_report("grid", "the simulated device does not support grid-wide synchronisation");
    sim_report_line(r, "at", "%s:%d", file, line);
    sim_report_line(r, "note", "cudaDevAttrCooperativeLaunch says 0 here; it works with nvcc on a GPU");
    sim_report_end(r);
    sim_grid_abort(cudaErrorNotSupported);
}
