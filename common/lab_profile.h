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

/**
 * @brief Run `kernel` by `run()`, and count the 32-byte sectors that a warp moved when it read, on average.
 * @return a GPU tells that to Nsight Compute only; there it is `computed`
 */
template <class F> static int lab_sectors(const char *kernel, int computed, F run)
{
#ifdef __CUSIM__
    bool counts = sim_profile_start();
    run();
    CUDA_CHECK(cudaDeviceSynchronize());
    sim_profile_stop();
    sim_profile_row loads = sim_profile_sum(kernel, "global", "load");
    return counts && loads.requests ? (int)((loads.sectors + loads.requests - 1) / loads.requests) : computed;
#else
    run();
    return computed;
#endif
}

#endif
