/* SPDX-License-Identifier: MIT */
/*
 * From the lists of 32 lanes to the requests of a warp.
 *
 * A warp runs one instruction at a time, for those of its lanes that are there. Which comes first when lanes
 * are at different ones? The lowest: lanes in a branch run before those behind it, lanes in a loop before
 * those that have left it, and so all meet again where the code comes together. An instruction's place is the
 * path of calls to it, compared call by call, so that a function runs where it is called.
 */
#include <stdlib.h>
#include "profile.h"

static unsigned short rank[1 << 16]; /* of each site among those of its kernel; MEETING's is the last */

/* The call path of a site, from the kernel down to the access. */
static unsigned path_of(const struct profile_site *s, const void **path)
{
    unsigned depth = s->context->depth;
    path[depth] = s->how & LOOP ? s->end : s->pc;
    for (const struct profile_context *c = s->context; c->parent; c = c->parent)
        path[c->depth - 1] = c->caller;
    return depth + 1;
}

static int by_path(const void *x, const void *y)
{
    const struct profile_site *a = &profile_sites[*(const unsigned *)x],
                              *b = &profile_sites[*(const unsigned *)y];
    const void *path[2][128];
    unsigned na = path_of(a, path[0]), nb = path_of(b, path[1]);
    for (unsigned i = 0; i < na && i < nb; i++)
        if (path[0][i] != path[1][i])
            return path[0][i] < path[1][i] ? -1 : 1;
    return na != nb ? (na > nb) - (na < nb) : (a > b) - (a < b);
}

static void order_sites(struct profile_kernel *k)
{
    qsort(k->sites, k->count, sizeof *k->sites, by_path);
    for (unsigned i = 0; i < k->count; i++)
        rank[k->sites[i]] = (unsigned short)i;
    rank[MEETING] = 0xffff;
    k->ordered = true;
}

/* All 32 lanes go the same way, as long as they do. */
static void run_together(const uint64_t **at, const uint64_t *const *end)
{
    static const unsigned char every_lane[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    uintptr_t address[32];
    size_t n = (size_t)(end[0] - at[0]), i = 0;
    for (unsigned l = 1; l < 32; l++)
        if ((size_t)(end[l] - at[l]) < n)
            n = (size_t)(end[l] - at[l]);
    for (; i < n; i++) {
        uint64_t first = at[0][i], differ = 0;
        for (unsigned l = 0; l < 32; l++) {
            uint64_t event = at[l][i];
            differ |= event ^ first;
            address[l] = event_address(event);
        }
        if (differ >> 48 || event_site(first) == MEETING)
            break;
        if (!(profile_sites[event_site(first)].how & LOOP))
            profile_request(&profile_sites[event_site(first)], address, every_lane, 32);
    }
    for (unsigned l = 0; l < 32; l++)
        at[l] += i;
}

/* Of lanes that have nothing to do but to meet, those of the meeting that came first go on. */
static unsigned first_meeting(const uint64_t *const *at, unsigned live)
{
    uint64_t first = ~(uint64_t)0;
    unsigned those = 0;
    for (unsigned left = live; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        if (*at[l] < first) {
            first = *at[l];
            those = 0;
        }
        those |= (*at[l] == first) << l;
    }
    return those;
}

/* The lanes that are at the site of the lowest rank make one request. */
static unsigned run_lowest(const uint64_t **at, unsigned live)
{
    uintptr_t address[32];
    unsigned char lane[32];
    unsigned count = 0, those = 0, lowest = ~0u, site = MEETING;
    for (unsigned left = live; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left), s = event_site(*at[l]);
        if (rank[s] < lowest) {
            lowest = rank[s];
            site = s;
            count = those = 0;
        }
        if (s == site) {
            address[count] = event_address(*at[l]);
            lane[count++] = (unsigned char)l;
            those |= 1u << l;
        }
    }
    if (site == MEETING)
        return first_meeting(at, live);
    if (!(profile_sites[site].how & LOOP))
        profile_request(&profile_sites[site], address, lane, count);
    return those;
}

void profile_merge(struct profile_lane *lanes, struct profile_kernel *kernel)
{
    const uint64_t *at[32], *end[32];
    unsigned live = 0;
    if (!kernel->ordered)
        order_sites(kernel);
    for (unsigned l = 0; l < 32; l++) {
        at[l] = lanes[l].first;
        end[l] = lanes[l].next;
        live |= (unsigned)(at[l] < end[l]) << l;
    }
    bool together = live == ~0u;
    while (live) {
        unsigned those = live;
        if (together) {
            run_together(at, end);
            together = false;
        } else {
            those = run_lowest(at, live);
            for (unsigned left = those; left; left &= left - 1)
                at[__builtin_ctz(left)]++;
            together = those == ~0u;
        }
        for (unsigned left = those; left; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctz(left);
            live &= ~((unsigned)(at[l] == end[l]) << l);
        }
        together = together && live == ~0u;
    }
    for (unsigned l = 0; l < 32; l++)
        lanes[l].next = lanes[l].first;
}
