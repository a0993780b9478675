/* SPDX-License-Identifier: MIT */
/* Device memory is closed to host code, and open while the device works. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim.h"

/* What holds blocks, by address; no two touch. */
static struct run {
    char *first, *end;
} * runs;
static size_t run_count, run_room;
static bool unlocked;

bool sim_memory_map(char *first, char *end)
{
    size_t i = 0;
    while (i < run_count && runs[i].end < first)
        i++;
    if (i < run_count && runs[i].end == first) {
        runs[i].end = end;
        if (i + 1 < run_count && runs[i + 1].first == end) {
            runs[i].end = runs[i + 1].end;
            memmove(&runs[i + 1], &runs[i + 2], (--run_count - (i + 1)) * sizeof *runs);
        }
        return true;
    }
    if (i < run_count && runs[i].first == end) {
        runs[i].first = first;
        return true;
    }
    struct run *longer = sim_room(runs, run_count, &run_room, sizeof *runs);
    if (!longer)
        return false;
    runs = longer;
    memmove(&runs[i + 1], &runs[i], (run_count++ - i) * sizeof *runs);
    runs[i] = (struct run){first, end};
    return true;
}

void sim_memory_unmap(char *first, char *end)
{
    for (size_t i = 0; i < run_count; i++) {
        if (runs[i].end <= first || runs[i].first > first)
            continue;
        struct run whole = runs[i];
        memmove(&runs[i], &runs[i + 1], (--run_count - i) * sizeof *runs);
        if (whole.first < first)
            sim_memory_map(whole.first, first);
        if (end < whole.end)
            sim_memory_map(end, whole.end);
        return;
    }
}

static void protect_runs(int protection)
{
    for (size_t i = 0; i < run_count; i++)
        mprotect(runs[i].first, (size_t)(runs[i].end - runs[i].first), protection);
    sim_vmm_protect(protection != PROT_NONE);
}

void sim_memory_unlock(void)
{
    if (!unlocked)
        protect_runs(PROT_READ | PROT_WRITE);
    unlocked = true;
}

void sim_memory_lock(void)
{
    if (unlocked)
        protect_runs(PROT_NONE);
    unlocked = false;
}

bool sim_memory_unlocked(void)
{
    return unlocked;
}
