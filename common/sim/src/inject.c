/* SPDX-License-Identifier: MIT */
/*
 * Failures on demand, for the paths of a program that are never taken otherwise:
 *
 *   SIM_FAIL_ALLOC=k   the k-th allocation answers cudaErrorMemoryAllocation
 *   SIM_FAIL_RATE=p    each allocation does so with this probability, drawn from SIM_SEED
 *   SIM_FAIL_SYNC=k    the k-th call that waits answers cudaErrorUnknown, and so does every call after it
 */
#include <errno.h>
#include <stdlib.h>
#include "sim.h"

static unsigned long long fail_alloc, fail_sync; /* from 1; 0 for never */
static double fail_rate;
static unsigned long long allocations, syncs;

static unsigned long long number_of(const char *name)
{
    const char *text = getenv(name);
    char *end;
    if (!text)
        return 0;
    errno = 0;
    unsigned long long k = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || !k)
        sim_bad_setting(name, text, "give a whole number from 1");
    return k;
}

void sim_inject_start(void)
{
    const char *text = getenv("SIM_FAIL_RATE");
    char *end;
    fail_alloc = number_of("SIM_FAIL_ALLOC");
    fail_sync = number_of("SIM_FAIL_SYNC");
    if (!text)
        return;
    fail_rate = strtod(text, &end);
    if (end == text || *end || !(fail_rate >= 0 && fail_rate <= 1))
        sim_bad_setting("SIM_FAIL_RATE", text, "give a probability from 0 to 1");
}

/* In [0, 1): a function of SIM_SEED and the number of the allocation (splitmix64). */
static double draw(unsigned long long n)
{
    unsigned long long x = sim_settings.seed + n * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static void say(const char *setting, unsigned long long n, const char *what, cudaError_t e)
{
    struct sim_report r = sim_note(setting, "note: %s lets %s number %llu fail: %s answers %s", setting, what,
                                   n, sim_call.api, cudaGetErrorName(e));
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_end(r);
}

cudaError_t sim_inject_alloc(void)
{
    bool by_rate = draw(++allocations) < fail_rate;
    if (allocations != fail_alloc && !by_rate)
        return cudaSuccess;
    say(by_rate ? "SIM_FAIL_RATE" : "SIM_FAIL_ALLOC", allocations, "allocation", cudaErrorMemoryAllocation);
    return cudaErrorMemoryAllocation;
}

cudaError_t sim_inject_sync(void)
{
    if (++syncs != fail_sync)
        return cudaSuccess;
    say("SIM_FAIL_SYNC", syncs, "wait", cudaErrorUnknown);
    sim_set_sticky(cudaErrorUnknown);
    return cudaErrorUnknown;
}
