/* SPDX-License-Identifier: MIT */
/*
 * What threads wait on: the block's barrier, and operations of a warp.
 *
 * Threads that have ended do not count, as on hardware since Volta. A barrier is complete when every
 * thread that is left has arrived; a warp operation when every lane of its mask has arrived or ended.
 * The last one to arrive does the work for all and goes on without a switch.
 */
#include <string.h>
#include "check.h"
#include "exec.h"

struct sync_state sync_now;

static const char *const wait_names[] = {[AT_BARRIER] = "__syncthreads()",
                                         [AT_GRID] = "grid sync",
                                         [AT_TILE] = "an operation of a tile",
                                         [AT_WARP_SYNC] = "__syncwarp()",
                                         [AT_VOTE] = "a warp vote",
                                         [AT_SHUFFLE] = "a warp shuffle"};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void sync_block_begin(void)
{
    memset(&sync_now.barrier, 0, sizeof sync_now.barrier);
    sync_now.at_grid = 0;
    memset(sync_now.tiles, 0, sizeof sync_now.tiles);
    sync_now.at_tiles = 0;
    for (unsigned w = 0; w * 32 < exec_block.threads; w++) {
        unsigned left = exec_block.threads - w * 32;
        sync_now.warps[w].gone = left < 32 ? ~0u << left : 0;
        sync_now.warps[w].meetings = 0;
    }
    memset(sync_now.places, 0, exec_block.threads * sizeof *sync_now.places);
    /* those before the running thread have ended without waiting */
    for (unsigned t = 0; t < exec_block.ended; t++)
        sync_now.warps[t / 32].gone |= 1u << t % 32;
}

/* A line for each place where threads wait, with how many and which of them come first. */
static void report_waiting(struct sim_report r)
{
    bool told[SIM_MAX_THREADS] = {false};
    for (unsigned first = 0; first < exec_block.threads; first++) {
        if (told[first])
            continue;
        const struct sync_place *p = &sync_now.places[first];
        char list[64] = "";
        unsigned count = 0;
        for (unsigned t = first; t < exec_block.threads; t++) {
            if (sync_now.places[t].at != p->at || sync_now.places[t].line != p->line)
                continue;
            told[t] = true;
            if (count++ < 4)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%u", count > 1 ? ", " : "", t);
        }
        const char *more = count > 4 ? ", ..." : "", *threads = count == 1 ? "thread" : "threads";
        if (p->at == ENDED)
            sim_report_line(r, "ended", "%u %s (%s%s) left the kernel", count, threads, list, more);
        else
            sim_report_line(r, "waiting", "%u %s (%s%s) in %s at %s:%d", count, threads, list, more,
                            wait_names[p->at], p->file, p->line);
    }
}

static void report_where(struct sim_report r)
{
    sim_report_line(r, "kernel", "%s, block (%u,%u,%u), launched at %s", sim_running()->name, blockIdx.x,
                    blockIdx.y, blockIdx.z, sim_where_call(&sim_call));
}

void sync_deadlock(void)
{
    struct sim_report r = sim_report("deadlock", "deadlock: threads of a block wait for each other for ever");
    report_where(r);
    report_waiting(r);
    sim_report_line(r, "why",
                    "every thread of a block must reach the same barrier, and every lane named in a mask the "
                    "same warp operation; a GPU would hang here");
    sim_report_end(r);
    sim_grid_abort(cudaErrorLaunchFailure);
}

/* ---- the block's barrier ---- */

static void divergent(const char *how)
{
    struct sim_report r = sim_report("divergent barrier", "divergent barrier: %s", how);
    report_where(r);
    report_waiting(r);
    sim_report_line(r, "why",
                    "a barrier in a branch must be reached by all threads of the block or by none; "
                    "hardware may hang, go on or mix up the rounds");
    sim_report_end(r);
    sim_grid_abort(cudaErrorLaunchFailure);
}

/* Legal since Volta, and a hang before; said once for each kernel and place. */
static void note_early_returns(void)
{
    struct sim_report r =
        sim_note("early return", "note: %u threads of a block returned before a barrier", exec_block.ended);
    report_where(r);
    sim_report_line(r, "at", "%s:%d", sync_now.barrier.site.file, sync_now.barrier.site.line);
    sim_report_line(r, "why",
                    "the barrier waits for those that are left; devices before compute capability 7.0 hang");
    sim_report_end(r);
}

static void barrier_release(void)
{
    if (sync_now.barrier.mixed)
        divergent("threads of one block met at different __syncthreads()");
    if (exec_block.ended && sim_running()->kernel->never_returns)
        divergent("some threads of the block passed by a __syncthreads()");
    if (exec_block.ended && sim_running()->kernel->registered)
        note_early_returns();
    sync_now.barrier.result = sync_now.barrier.count;
    sync_now.barrier.arrived = sync_now.barrier.count = 0;
    if (sim_checked)
        watch_barrier();
    exec_ready_all_others();
}

unsigned sim_barrier(int predicate, const char *file, int line)
{
    if (!sim_threads_tracked) {
        exec_require_kernel("__syncthreads()", file, line);
        exec_track_threads();
    }
    sync_now.places[exec_block.thread] = (struct sync_place){file, line, AT_BARRIER};
    if (sync_now.barrier.arrived++ == 0)
        sync_now.barrier.site = (sim_site){file, line};
    else if (sync_now.barrier.site.line != line)
        sync_now.barrier.mixed = true;
    sync_now.barrier.count += predicate != 0;
    if (sync_now.barrier.arrived == exec_block.alive)
        barrier_release();
    else
        exec_wait();
    return sync_now.barrier.result;
}

/* ---- warps ---- */

static void meeting_complete(struct sync_warp *w, unsigned base, struct sync_meeting *m)
{
    unsigned arrived = m->arrived, here = exec_block.thread - base;
    if (sim_checked)
        watch_warp(base / 32, arrived, m->kind == AT_WARP_SYNC);
    for (unsigned left = arrived; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        struct sync_lane *lane = &sync_now.lanes[base + l];
        lane->votes = m->votes;
        if (m->kind == AT_SHUFFLE && arrived >> lane->source & 1)
            memcpy(lane->result, sync_now.lanes[base + lane->source].value, sizeof lane->result);
        else if (m->kind == AT_SHUFFLE)
            memset(lane->result, 0, sizeof lane->result); /* as an H200; CUDA's manual leaves it open */
        if (l != here)
            exec_ready(base + l);
    }
    exec_go_on_from(base);
    *m = w->meeting[--w->meetings];
}

static bool meeting_full(const struct sync_warp *w, const struct sync_meeting *m)
{
    return (m->mask & ~(m->arrived | w->gone)) == 0;
}

/* Bring this lane to the meeting of `mask` and wait until all are there. */
static struct sync_lane *meet(enum sync_wait kind, unsigned mask, int vote, const char *file, int line)
{
    if (!sim_threads_tracked) {
        exec_require_kernel(wait_names[kind], file, line);
        exec_track_threads();
    }
    unsigned thread = exec_block.thread, base = thread & ~31u, bit = 1u << (thread & 31);
    struct sync_warp *w = &sync_now.warps[base / 32];
    struct sync_lane *me = &sync_now.lanes[thread];
    sync_now.places[thread] = (struct sync_place){file, line, kind};
    if (!(mask & bit)) {
        char text[80];
        struct sim_report r =
            sim_report("mask", "%s: the calling lane is not in its own mask", wait_names[kind]);
        sim_report_line(r, "at", "%s:%d, lane %u, mask 0x%08x", base_name(file), line, thread & 31, mask);
        sim_report_line(r, "kernel", "%s, %s", sim_running()->name, sim_thread_name(text));
        sim_report_line(r, "why", "the mask names the lanes that take part; usually it is 0xffffffff");
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchFailure);
    }
    struct sync_meeting *m = w->meeting;
    while (m < w->meeting + w->meetings && (m->mask != mask || m->kind != kind))
        m++;
    if (m == w->meeting + w->meetings) {
        *m = (struct sync_meeting){.mask = mask, .kind = kind};
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
    if (!sim_threads_tracked) {
        exec_require_kernel(wait_names[AT_SHUFFLE], file, line);
        exec_track_threads();
    }
    struct sync_lane *me = &sync_now.lanes[exec_block.thread];
    memcpy(me->value, value, bytes);
    me->source = source & 31;
    memcpy(value, meet(AT_SHUFFLE, mask, 0, file, line)->result, bytes);
}

unsigned sim_warp_active(void)
{
    return 1u << sim_lane();
}

/* ---- tiles of more than a warp ---- */

static struct sync_tile *tile_of(unsigned thread, unsigned size)
{
    return &sync_now.tiles[__builtin_ctz(size) - 6][thread / size];
}

/* True when all threads of the tile that are left have arrived; they can go on then. */
static bool tile_complete(unsigned thread, unsigned size)
{
    unsigned first = thread / size * size, alive = 0;
    struct sync_tile *tile = tile_of(thread, size);
    if (!tile->arrived)
        return false;
    for (unsigned w = first / 32; w < (first + size) / 32 && w * 32 < exec_block.threads; w++)
        alive += (unsigned)__builtin_popcount(~sync_now.warps[w].gone);
    if (tile->arrived < alive)
        return false;
    if (sim_checked)
        watch_tile(first, size);
    for (unsigned t = first; t < first + size && t < exec_block.threads; t++) {
        struct sync_lane *lane = &sync_now.lanes[t];
        if (sync_now.places[t].at != AT_TILE)
            continue;
        unsigned source = lane->source / size == thread / size && lane->source < exec_block.threads
                              ? lane->source
                              : t;
        lane->votes = tile->votes;
        memcpy(lane->result, sync_now.lanes[source].value, sizeof lane->result);
        if (t != exec_block.thread)
            exec_ready(t);
    }
    exec_go_on_from(first);
    sync_now.at_tiles -= tile->arrived;
    *tile = (struct sync_tile){0};
    return true;
}

unsigned sim_tile_meet(unsigned size, int predicate, unsigned source, void *value, size_t bytes,
                       const char *file, int line)
{
    if (!sim_threads_tracked) {
        exec_require_kernel(wait_names[AT_TILE], file, line);
        exec_track_threads();
    }
    unsigned thread = exec_block.thread;
    struct sync_lane *me = &sync_now.lanes[thread];
    struct sync_tile *tile = tile_of(thread, size);
    sync_now.places[thread] = (struct sync_place){file, line, AT_TILE};
    me->source = source;
    if (bytes)
        memcpy(me->value, value, bytes);
    tile->arrived++;
    sync_now.at_tiles++;
    tile->votes += predicate != 0;
    if (!tile_complete(thread, size))
        exec_wait();
    if (bytes)
        memcpy(value, me->result, bytes);
    return me->votes;
}

/* A thread that ends may complete what the others wait for. */
void sync_thread_gone(unsigned thread)
{
    struct sync_warp *w = &sync_now.warps[thread / 32];
    w->gone |= 1u << thread % 32;
    sync_now.places[thread].at = ENDED;
    for (int i = 0; i < w->meetings;)
        if (meeting_full(w, &w->meeting[i]))
            meeting_complete(w, thread & ~31u, &w->meeting[i]);
        else
            i++;
    for (unsigned size = 64; sync_now.at_tiles && size <= SIM_MAX_THREADS; size *= 2)
        tile_complete(thread, size);
    if (sync_now.barrier.arrived && sync_now.barrier.arrived == exec_block.alive)
        barrier_release();
}

/* ---- the grid ---- */

bool sync_all_at_grid_barrier(void)
{
    return sync_now.at_grid == exec_block.alive;
}

void sync_grid_release(void)
{
    for (unsigned t = 0; t < exec_block.threads; t++)
        if (sync_now.places[t].at == AT_GRID)
            exec_ready(t);
    sync_now.at_grid = 0;
}

int sim_grid_is_cooperative(void)
{
    return sim_running() && sim_running()->launch.cooperative;
}

void sim_grid_barrier(const char *file, int line)
{
    if (!sim_running()->launch.cooperative) {
        struct sim_report r =
            sim_report("grid", "grid-wide synchronisation in a launch that is not cooperative");
        report_where(r);
        sim_report_line(r, "at", "%s:%d", file, line);
        sim_report_line(
            r, "why", "only cudaLaunchCooperativeKernel promises that all blocks are on the device together");
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchFailure);
    }
    if (!sim_threads_tracked)
        exec_track_threads();
    sync_now.places[exec_block.thread] = (struct sync_place){file, line, AT_GRID};
    sync_now.at_grid++;
    exec_wait();
}
