/* SPDX-License-Identifier: MIT */
/* The lock around the device, its settings from the environment, and the two kinds of error. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "check.h"

void *sim_room(void *list, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return list;
    size_t more = *room ? 2 * *room : 16;
    void *longer = realloc(list, more * bytes);
    if (longer)
        *room = more;
    return longer;
}

void *sim_room_or_end(void *list, size_t count, size_t *room, size_t bytes)
{
    void *longer = sim_room(list, count, room, bytes);
    if (!longer)
        abort();
    return longer;
}

struct sim_settings sim_settings = {.memory = 256 * MIB, .seed = 1, .concurrent_managed = true};
struct sim_call sim_call;
static bool unavailable; /* a reset after a sticky error leaves the device so, as on hardware */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth; /* of the lock: a host function run by a stream may come back in */
static cudaError_t sticky;
static __thread cudaError_t last_error;
static __thread bool in_callback, in_driver;
__thread bool sim_runtime_here;
bool sim_runtime_used;

/* Where this thread's last error came from, and the last launch: an error read after a launch may be older
 * than it. */
static __thread struct sim_call origin, last_launch;
static __thread bool origin_is_launch, unread_launch;
static __thread unsigned long launches, launches_at_error;
/* A refused launch whose error nobody has read, and the thread that made it (its `unread_launch`). */
static struct sim_call unread;
static const bool *unread_by;

bool sim_ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

void sim_bad_setting(const char *name, const char *value, const char *want)
{
    fprintf(stderr, "[sim] %s=%s is not understood: %s\n", name, value, want);
    exit(1);
}

/* "256M", "2G", "1048576": bytes; 0 when it is no such text. */
static size_t parse_size(const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || errno || !(value > 0))
        return 0;
    const char *units = "BKMGT";
    int shift = 0;
    if (*end) {
        const char *u = strchr(units, *end & ~0x20);
        if (!u || !*u)
            return 0;
        shift = 10 * (int)(u - units);
        end++;
        if (shift && (*end == 'i' || *end == 'I'))
            end++;
        if (shift && (*end == 'b' || *end == 'B'))
            end++;
    }
    value *= (double)((size_t)1 << shift);
    return *end || value > 0x1p40 ? 0 : (size_t)value;
}

static void read_settings(void)
{
    const char *text = getenv("SIM_MEMORY");
    if (text) {
        size_t bytes = parse_size(text);
        if (bytes < SIM_PAGE)
            sim_bad_setting("SIM_MEMORY", text, "give the device's memory as 256M or 2G, from 2M to 1T");
        sim_settings.memory = bytes / SIM_PAGE * SIM_PAGE;
    }
    if ((text = getenv("SIM_ORDER"))) {
        if (!strcmp(text, "forward"))
            sim_settings.order = SIM_FORWARD;
        else if (!strcmp(text, "reverse"))
            sim_settings.order = SIM_REVERSE;
        else if (!strcmp(text, "random"))
            sim_settings.order = SIM_RANDOM;
        else
            sim_bad_setting("SIM_ORDER", text, "give forward, reverse or random");
    }
    if ((text = getenv("SIM_CONCURRENT_MANAGED"))) {
        if (strcmp(text, "0") && strcmp(text, "1"))
            sim_bad_setting("SIM_CONCURRENT_MANAGED", text, "give 0 or 1");
        sim_settings.concurrent_managed = *text == '1';
    }
    if ((text = getenv("SIM_SEED"))) {
        char *end;
        errno = 0;
        sim_settings.seed = strtoull(text, &end, 0);
        if (end == text || *end || errno || *text == '-')
            sim_bad_setting("SIM_SEED", text, "give a whole number");
    }
}

void sim_errors_at_exit(bool failed)
{
    if (unread_by) {
        struct sim_report r = sim_report("unread", "the error of a refused launch was never read");
        sim_report_line(r, "from", "%s", sim_where_call(&unread));
        sim_report_line(r, "why",
                        "a launch returns nothing; ask cudaGetLastError() after it, and check every call");
        sim_report_end(r);
    } else if (sim_checked && last_error && !failed) {
        struct sim_report r =
            sim_note("pending", "note: %s is still the last error", cudaGetErrorName(last_error));
        sim_report_line(r, "from", "%s at %s", origin.api, sim_where_call(&origin));
        sim_report_line(r, "why", "the call returned it; did the program look? cudaGetLastError() clears it");
        sim_report_end(r);
    }
}

static void start(void)
{
    read_settings();
    sim_inject_start();
    sim_symbols_save();
    sim_memory_reset();
    sim_fault_init();
    timeline_start();
    sim_findings_start();
}

void sim_enter_always(const char *api, void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    sim_fault_thread_init();
    pthread_mutex_lock(&lock);
    if (depth++ == 0) /* a call made by another call keeps the learner's place */
        sim_call = (struct sim_call){.api = api, .caller = caller};
}

static cudaError_t entered(const char *api)
{
    if (in_callback)
        return cudaErrorNotPermitted;
    if (unavailable || sticky)
        return unavailable ? cudaErrorDevicesUnavailable : sticky;
    return sim_captures && depth == 1 ? sim_capture_forbids(api) : cudaSuccess;
}

cudaError_t sim_enter(const char *api, void *caller)
{
    sim_enter_always(api, caller);
    if (!in_driver)
        sim_runtime_here = sim_runtime_used = true;
    return entered(api);
}

cudaError_t sim_driver_enter(const char *api, void *caller, bool context)
{
    sim_enter_always(api, caller);
    in_driver = true;
    cudaError_t e = sim_driver_ready(context);
    return e ? e : entered(api);
}

CUresult sim_driver_leave(cudaError_t e)
{
    sim_leave(cudaSuccess);
    in_driver = false;
    return (CUresult)e;
}

static void set_last_error(cudaError_t e)
{
    last_error = e;
    origin = sim_call;
    origin_is_launch = sim_call.site.file != NULL;
    launches_at_error = launches;
}

cudaError_t sim_leave(cudaError_t e)
{
    if (--depth == 0 && sim_memory_unlocked())
        sim_memory_lock();
    if (e && e != cudaErrorNotReady && !in_driver)
        set_last_error(e);
    pthread_mutex_unlock(&lock);
    return e;
}

void sim_set_sticky(cudaError_t e)
{
    if (!sticky)
        sticky = e;
    sim_streams_drop();
}

void sim_callback_begin(void)
{
    in_callback = true;
}

void sim_callback_end(void)
{
    in_callback = false;
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* All levels of the lock but one. */
static struct sim_held let_go(void)
{
    struct sim_held held = {depth, sim_call};
    depth = 0;
    for (int i = 1; i < held.depth; i++)
        pthread_mutex_unlock(&lock);
    return held;
}

static void take_back(struct sim_held held)
{
    for (int i = 1; i < held.depth; i++)
        pthread_mutex_lock(&lock);
    depth = held.depth;
    sim_call = held.call;
}

struct sim_held sim_release(void)
{
    struct sim_held held = let_go();
    pthread_mutex_unlock(&lock);
    return held;
}

void sim_take_back(struct sim_held held)
{
    pthread_mutex_lock(&lock);
    take_back(held);
}

void sim_wait_for_change(void)
{
    struct sim_held held = let_go();
    pthread_cond_wait(&changed, &lock);
    take_back(held);
}

void sim_tell_change(void)
{
    pthread_cond_broadcast(&changed);
}

cudaError_t sim_sticky(void)
{
    return sticky;
}

void sim_note_refusal(void)
{
    unread_launch = true;
    unread_by = &unread_launch;
    unread = sim_call;
}

void sim_count_launch(void)
{
    launches++;
    last_launch = sim_call;
}

/* Errors wait until they are read: one that is read after a launch need not be that launch's. */
static void explain_old_error(void)
{
    if (!last_error || launches == launches_at_error)
        return;
    pthread_mutex_lock(&lock);
    struct sim_report r = sim_report("old error", "the error now read is older than the last launch: %s",
                                     cudaGetErrorName(last_error));
    sim_report_line(r, "from", "%s at %s", origin_is_launch ? "the launch" : origin.api,
                    sim_where_call(&origin));
    if (origin.bytes)
        sim_report_line(r, "asked", "%zu bytes", origin.bytes);
    sim_report_line(r, "not", "from the launch at %s, which was queued", sim_where_call(&last_launch));
    sim_report_line(
        r, "why",
        "an error stays until cudaGetLastError() reads it: check the call that can fail, where it is made");
    sim_report_end(r);
    launches_at_error = launches;
    pthread_mutex_unlock(&lock);
}

static void note_reading(void)
{
    if (!unread_launch)
        return;
    unread_launch = false;
    pthread_mutex_lock(&lock);
    if (unread_by == &unread_launch)
        unread_by = NULL;
    pthread_mutex_unlock(&lock);
}

cudaError_t cudaPeekAtLastError(void)
{
    explain_old_error();
    note_reading();
    return last_error;
}

cudaError_t cudaGetLastError(void)
{
    explain_old_error();
    cudaError_t e = last_error;
    last_error = cudaSuccess;
    note_reading();
    return e;
}

cudaError_t cudaDeviceReset(void)
{
    sim_enter_always(SIM_CALL);
    if (in_callback)
        return sim_leave(cudaErrorNotPermitted);
    if (sticky)
        unavailable = true;
    else
        sim_device_finish();
    sim_streams_reset();
    watch_host_waited_all();
    sim_pools_reset();
    sim_registered_reset();
    sim_symbols_restore();
    sim_heap_reset();
    sim_memory_reset();
    return sim_leave(cudaSuccess);
}
