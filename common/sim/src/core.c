/* SPDX-License-Identifier: MIT */
/* The lock around the device, its settings from the environment, and the two kinds of error. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "sim.h"

struct sim_settings sim_settings = {.memory = 256 * MIB, .seed = 1};
struct sim_call sim_call;
bool sim_unavailable;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth; /* of the lock: a host function run by a stream may come back in */
static cudaError_t sticky;
static __thread cudaError_t last_error;
static __thread bool in_callback;

/* Where a launch or call failed whose error nobody has read yet; for the line at exit. */
static struct sim_call unread;
static cudaError_t unread_error;

static void bad_setting(const char *name, const char *value, const char *want)
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
            bad_setting("SIM_MEMORY", text, "give the device's memory as 256M or 2G, from 2M to 1T");
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
            bad_setting("SIM_ORDER", text, "give forward, reverse or random");
    }
    if ((text = getenv("SIM_SEED"))) {
        char *end;
        errno = 0;
        sim_settings.seed = strtoull(text, &end, 0);
        if (end == text || *end || errno || *text == '-')
            bad_setting("SIM_SEED", text, "give a whole number");
    }
}

static void at_exit(void)
{
    if (unread_error) {
        struct sim_report r = sim_report("unread", "an error was never read: %s", cudaGetErrorName(unread_error));
        sim_report_line(r, "from", "%s", sim_where_call(&unread));
        sim_report_line(r, "why", "a launch returns nothing; ask cudaGetLastError() after it, and check every call");
        sim_report_end(r);
    }
    sim_report_exit();
}

static void start(void)
{
    read_settings();
    sim_memory_reset();
    sim_fault_init();
    atexit(at_exit);
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

cudaError_t sim_enter(const char *api, void *caller)
{
    sim_enter_always(api, caller);
    if (in_callback)
        return cudaErrorNotPermitted;
    return sim_unavailable ? cudaErrorDevicesUnavailable : sticky;
}

cudaError_t sim_leave(cudaError_t e)
{
    if (--depth == 0 && sim_memory_unlocked())
        sim_memory_lock();
    if (e && e != cudaErrorNotReady)
        sim_set_last_error(e);
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

cudaError_t sim_sticky(void)
{
    return sticky;
}

void sim_set_last_error(cudaError_t e)
{
    last_error = e;
    if (sim_call.site.file || !unread_error) {
        unread = sim_call;
        unread_error = sim_call.site.file ? e : cudaSuccess; /* a call's error was also returned */
    }
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = last_error;
    last_error = cudaSuccess;
    unread_error = cudaSuccess;
    return e;
}

cudaError_t cudaDeviceReset(void)
{
    sim_enter_always(SIM_CALL);
    if (sticky)
        sim_unavailable = true;
    else
        sim_device_finish();
    sim_streams_reset();
    sim_pools_reset();
    sim_registered_reset();
    sim_memory_reset();
    return sim_leave(cudaSuccess);
}
