/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The memory profile for the labs' checks: what a warp moved.
 */
#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include "lab.h"
#ifdef __CUSIM__
#include <sim/profile.h>
#endif

/** @brief What warps asked of global memory when they read: instructions, and 32-byte sectors for them. */
struct lab_loads {
    unsigned long long requests, sectors;
};

/** @brief Run `kernel` by `run()`, and count its loads. A GPU tells that to Nsight Compute only: all 0 there.
 */
template <class F> static lab_loads lab_count_loads(const char *kernel, F run)
{
    lab_loads counted = {0, 0};
#ifdef __CUSIM__
    bool counts = sim_profile_start();
    run();
    CUDA_CHECK(cudaDeviceSynchronize());
    sim_profile_stop();
    sim_profile_row loads = sim_profile_sum(kernel, "global", "load");
    if (counts)
        counted = {loads.requests, loads.sectors};
#else
    run();
#endif
    return counted;
}

/** @brief The sectors that a warp moved when it read, on average; `computed` where nothing counts them. */
template <class F> static int lab_sectors(const char *kernel, int computed, F run)
{
    lab_loads l = lab_count_loads(kernel, run);
    return l.requests ? (int)((l.sectors + l.requests - 1) / l.requests) : computed;
}

#endif
