/* SPDX-License-Identifier: MIT */
/*
 * The memory profile inside: what a warp asks of memory, and from which line.
 *
 *   profile_access --> profile.c       events of each thread since its block's last barrier
 *                         | at a barrier, a warp's meeting, the block's end
 *                         v
 *                      profile_warp.c  which lanes run which instruction together: requests
 *                         v
 *                      profile_count.c bytes, sectors and conflicts of a request, summed up for its site
 *                         v
 *                      profile_rows.c  sums for each line: what the harness reads, JSON, the table
 *                      profile_svg.c   the picture
 */
#ifndef SIM_PROFILE_INSIDE_H
#define SIM_PROFILE_INSIDE_H

#include <sim/profile.h>
#include "check.h"
#include "exec.h"

enum profile_space { PROFILE_GLOBAL, PROFILE_SHARED, PROFILE_CONSTANT, PROFILE_LOCAL, PROFILE_SPACES };

struct profile_sum {
    unsigned long long requests, bytes, sectors, conflicts;
};

/* A kernel, and its functions by the way they were called: a tree. */
struct profile_kernel {
    struct profile_kernel *next;
    struct profile_context *root;
    unsigned *sites, count; /* of it, in call order once `ordered` */
    size_t room;
    bool ordered;
    bool incomplete; /* a launch of it had more accesses than there was room for */
    char name[];
};
struct profile_context {
    struct profile_kernel *kernel;
    struct profile_context *parent, *child, *sibling, *last; /* `last`: the child entered last */
    const void *caller;
    unsigned depth, number;
};

/*
 * An instruction that accesses memory, for each way of calling its function. Or, with LOOP, the way back to
 * where a loop begins: `pc` is its beginning, `end` the last place that has led back there.
 */
struct profile_site {
    const void *pc, *end;
    const struct profile_context *context;
    size_t bytes;
    unsigned how;   /* enum check_how, and OF_STACK or LOOP */
    bool uncounted; /* a local of our headers: of what is one instruction, or none, on a GPU */
    struct profile_sum sum[PROFILE_SPACES];
    struct profile_sum before[PROFILE_SPACES]; /* when the harness started counting */
};
enum { OF_STACK = 1 << 8, LOOP = 1 << 9 };
/* A lane's place in a warp's meeting, where not all lanes take part; its address is the meeting's number. */
enum { MEETING = 0 };
extern struct profile_site *profile_sites; /* from 1 */
extern unsigned profile_site_count;
extern struct profile_kernel *profile_kernels;

/*
 * What a thread has done since its warp's events were last merged. An event is 16 bits of site and 48 of
 * address; of the stack's, an address relative to where the kernel's frame begins, as lanes' stacks differ.
 */
struct profile_lane {
    uint64_t *next, *end, *first;
    const struct profile_context *context;
    uintptr_t stack;
    unsigned deeper;     /* calls below the deepest context that is kept */
    const void **passed; /* by depth of context: the last place passed there */
};

static inline unsigned event_site(uint64_t event)
{
    return (unsigned)(event >> 48);
}
static inline uintptr_t event_address(uint64_t event)
{
    return (uintptr_t)(event << 16 >> 16);
}

/* ---- profile_warp.c ---- */

/* Run the events of 32 lanes as a warp would, and empty their lists. */
void profile_merge(struct profile_lane *lanes, struct profile_kernel *kernel);

/* ---- profile_count.c ---- */

/* `count` lanes access `at`, each from its lane number in `lane`, by one instruction. */
void profile_request(struct profile_site *site, const uintptr_t *at, const unsigned char *lane,
                     unsigned count);

/* ---- profile_rows.c ---- */

extern bool profile_wanted; /* by SIM_PROFILE, by SIM_REPORT or by the harness */
/* Count all launches, whatever the harness starts and stops. */
void profile_want_all(void);

struct profile_rows {
    sim_profile_row *row;
    size_t count;
};
/* All that was counted, sorted by kernel, file and line; since sim_profile_start(), or since the beginning.
 */
struct profile_rows profile_rows(bool since_start);

/* ---- profile_svg.c ---- */

void profile_draw(FILE *f, struct profile_rows rows);

#endif
