/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What the simulated device has found wrong with the program, for a program that asks: a test harness.
 *
 *     struct sim_finding f;
 *     unsigned before = sim_finding_total();
 *     work();
 *     for (unsigned i = 0; sim_finding_at(i, &f) == 0; i++)
 *         if (f.latest > before)
 *             printf("%s:%d: %s\n", f.file, f.line, f.message);
 *
 * Work that is still queued has found nothing yet: synchronise first. Nothing here prints. All may be called
 * in both builds of a program; without --check less is found.
 */
#ifndef SIM_FINDINGS_H
#define SIM_FINDINGS_H

#include <stddef.h>

/* A program for a GPU may include this too; there the functions are null. */
#if defined(__CUSIM__) || defined(SIM_RUNTIME)
#define SIM_PUBLIC
#else
#define SIM_PUBLIC __attribute__((weak))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @brief One mistake at one place, however often it was made. */
struct sim_finding {
    const char *kind;       /**< "out of bounds", "leak", ...: docs/sim.md lists them */
    const char *file;       /**< of the line that is at fault; NULL when no line is known */
    int line;               /**< from 1; 0 when no line is known */
    const char *allocation; /**< the memory it is about and where that was allocated; NULL for none */
    const char *message;    /**< what happened, and the mistake behind it */
    unsigned count;         /**< how often */
    unsigned latest;        /**< what sim_finding_total() answered after the last time */
};

/** @brief 1 in a program that was built with `simcc --check`, else 0. */
SIM_PUBLIC int sim_is_checked(void);

/** @brief How many findings there are: kinds and places. */
SIM_PUBLIC unsigned sim_finding_count(void);

/** @brief How often something was found so far: grows whenever a finding is made, new or again. */
SIM_PUBLIC unsigned sim_finding_total(void);

/**
 * @brief One of the findings.
 * @param[in] i 0 for the oldest
 * @param[out] f its texts belong to the device, and stay until it is forgotten
 * @retval 0 *f is set
 * @retval -1 there are no more than i
 */
SIM_PUBLIC int sim_finding_at(unsigned i, struct sim_finding *f);

/**
 * @brief What was found so far was provoked: drop it from all lists and from the exit status.
 * @param[in] kind only findings of this kind; NULL for all
 * @return how many were dropped
 */
SIM_PUBLIC unsigned sim_findings_forget(const char *kind);

/**
 * @brief The memory that the program holds: allocations of all kinds that have not been freed.
 * @param[out] bytes their sizes, as asked for; may be NULL
 * @return how many they are
 */
SIM_PUBLIC size_t sim_live_allocations(size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
