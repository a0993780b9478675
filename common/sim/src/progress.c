/* SPDX-License-Identifier: MIT */
/* How far a long launch is: one line that overwrites itself, on a terminal only. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "exec.h"

enum { FIRST_MS = 2000, EVERY_MS = 500 };
static const char LEAVE[] = "\r\033[K"; /* to the line's start, and clear it */

static struct {
    bool shown;
    long long begun, look, step; /* ms; ms; blocks between two looks at the clock */
} now;

static long long milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

unsigned long long exec_progress_begin(void)
{
    static int terminal = -1;
    if (terminal < 0)
        terminal = isatty(STDERR_FILENO);
    now.shown = false;
    now.begun = milliseconds();
    now.look = now.begun;
    now.step = 1;
    return terminal ? 1 : ~0ull;
}

unsigned long long exec_progress(unsigned long long done, unsigned long long all)
{
    long long time = milliseconds();
    if (time - now.look < EVERY_MS / 2)
        now.step *= 2;
    else if (now.step > 1)
        now.step /= 2;
    now.look = time;
    if (time - now.begun >= FIRST_MS) {
        now.shown = true;
        fprintf(stderr, "%s[sim] %s: block %llu of %llu, %.0f %%, %lld s", LEAVE, sim_running()->name, done,
                all, 100.0 * (double)done / (double)all, (time - now.begun) / 1000);
    }
    return done + (unsigned long long)now.step;
}

void sim_progress_clear(void)
{
    if (now.shown)
        fputs(LEAVE, stderr);
    now.shown = false;
}
