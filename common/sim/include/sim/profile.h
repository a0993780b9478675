/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The memory profile, for programs: what their kernels asked of memory.
 *
 *     sim_profile_start();
 *     kernel<<<grid, block>>>(x);
 *     cudaDeviceSynchronize();
 *     sim_profile_row sum = sim_profile_sum("kernel", "global", "load");
 *     printf("%.0f %% of the bytes moved were asked for\n", 100 * sim_profile_efficiency(&sum));
 *
 * Only programs compiled with `simcc --check` are profiled, and only on the simulated device: guard with
 * `#ifdef __CUSIM__`. Counted is what runs between start and stop: a launch runs when something waits for it.
 * What the counts mean: docs/profile.md.
 */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What one source line of a kernel, or several of them, asked of one memory space. */
typedef struct sim_profile_row {
    const char *kernel, *file;    ///< of a sum over several: NULL
    int line;                     ///< 0 where the program was compiled without -g, and of a sum
    const char *space;            ///< "global", "shared", "constant" or "local"; of a sum over several: NULL
    const char *op;               ///< "load", "store" or "atomic"; of a sum over several: NULL
    unsigned long long requests;  ///< instructions of a warp, whatever the number of its lanes
    unsigned long long bytes;     ///< asked for by all lanes
    unsigned long long sectors;   ///< of 32 bytes, moved for them; global and local memory only
    unsigned long long conflicts; ///< passes more than without bank conflicts (shared memory), or than with
                                  ///< one address for the warp (constant memory)
    int incomplete; ///< not 0: a launch made more accesses between two barriers than can be kept
} sim_profile_row;

/**
 * @brief Count from here on, from zero.
 *
 * @retval 1 launches are counted
 * @retval 0 the program was not compiled with `simcc --check`; nothing will be
 */
int sim_profile_start(void);

/** @brief Count no more; what was counted can still be read. */
void sim_profile_stop(void);

/**
 * @brief Read the row number `i`, sorted by kernel, file, line, space and operation.
 *
 * @param[in]  i    from 0
 * @param[out] row  its strings live until the next call of sim_profile_start(); may not be NULL
 * @retval 1 it is in `row`
 * @retval 0 there are not so many; `row` is left alone
 */
int sim_profile_at(size_t i, sim_profile_row *row);

/**
 * @brief Sum up rows.
 *
 * @param[in] kernel  name of the kernel; NULL: all
 * @param[in] space   "global", "shared", "constant" or "local"; NULL: all
 * @param[in] op      "load", "store" or "atomic"; NULL: all
 * @return their sum; all counts 0 when there is none
 */
sim_profile_row sim_profile_sum(const char *kernel, const char *space, const char *op);

/**
 * @brief How well a row used what was moved or repeated for it.
 *
 * @return global and local memory: bytes asked for over bytes moved, more than 1 where lanes share bytes;
 *         shared and constant memory: requests over passes, 1 without conflicts; 0 for an empty row
 */
double sim_profile_efficiency(const sim_profile_row *row);

#ifdef __cplusplus
}
#endif
#endif
