// SPDX-License-Identifier: MIT
// Shared by the benchmarks: a failed call ends them; the shortest time of some runs.
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != cudaSuccess) {                                                                         \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));       \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static double now_ns()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

// Shortest of `runs`, in ns.
template <class Work> static double best(int runs, Work work)
{
    double shortest = 1e30;
    for (int i = 0; i < runs; i++) {
        double start = now_ns();
        work();
        double took = now_ns() - start;
        if (took < shortest)
            shortest = took;
    }
    return shortest;
}

#endif
