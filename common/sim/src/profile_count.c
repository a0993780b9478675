/* SPDX-License-Identifier: MIT */
/*
 * What one request of a warp costs, as an H200 counts it:
 *
 *   global    sectors: how many different aligned 32 bytes its lanes touch
 *   local     the same, 4 bytes at a time; word w of lane l lies at 128 w + 4 l, so that lanes at one
 *             variable share sectors
 *   shared    passes: 32 banks of 4 bytes, and a bank gives one word in a pass, to any number of lanes;
 *             elements of 8 bytes go in two halves of the warp, of 16 in four quarters
 *   constant  passes: one for each different word
 *
 * Of an atomic operation's lanes those that share an address take turns: the second turn moves its sectors
 * again, and in shared memory a bank serves one lane in a pass.
 *
 * A struct is asked for in pieces, each a request of its own.
 */
#include "profile.h"
#include "shadow.h"

/* Sorting is not needed where addresses rise or fall with the lanes, which is nearly always. */
static unsigned count_different(const uintptr_t *value, unsigned n)
{
    unsigned different = 1;
    bool rising = true, falling = true;
    for (unsigned i = 1; i < n; i++) {
        different += value[i] != value[i - 1];
        rising = rising && value[i] >= value[i - 1];
        falling = falling && value[i] <= value[i - 1];
    }
    if (rising || falling)
        return different;
    uintptr_t seen[64];
    uint64_t used = 0;
    different = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = (unsigned)(value[i] * 0x9e3779b97f4a7c15u >> 58);
        while (used >> at & 1 && seen[at] != value[i])
            at = (at + 1) % 64;
        different += !(used >> at & 1);
        used |= (uint64_t)1 << at;
        seen[at] = value[i];
    }
    return different;
}

static unsigned count_sectors(const uintptr_t *at, unsigned n)
{
    uintptr_t sector[32];
    for (unsigned i = 0; i < n; i++)
        sector[i] = at[i] / 32;
    return count_different(sector, n);
}

static unsigned count_atomic_sectors(const uintptr_t *at, unsigned n)
{
    uintptr_t moved[32]; /* sector and turn */
    for (unsigned i = 0; i < n; i++) {
        moved[i] = at[i] / 32 * 32;
        for (unsigned k = 0; k < i; k++)
            moved[i] += at[k] == at[i];
    }
    return count_different(moved, n);
}

/* Words of one number lie side by side, lane by lane. */
static unsigned count_local_sectors(const uintptr_t *at, const unsigned char *lane, unsigned n)
{
    uintptr_t moved[32];
    for (unsigned i = 0; i < n; i++)
        moved[i] = at[i] / 4 * 128 + lane[i] * 4u;
    return count_sectors(moved, n);
}

static unsigned count_words(const uintptr_t *at, unsigned n)
{
    uintptr_t word[32];
    for (unsigned i = 0; i < n; i++)
        word[i] = at[i] / 4;
    return count_different(word, n);
}

/* The most words that these lanes want of one bank, or the most lanes. */
static unsigned count_passes(const uintptr_t *at, unsigned n, size_t bytes, bool atomic)
{
    uintptr_t word[32]; /* the different ones, those of a bank chained */
    signed char head[32], next[32];
    unsigned char depth[32] = {0};
    uint32_t used = 0;
    unsigned words = 0, most = 1, step = bytes < 4 ? 4 : (unsigned)bytes;
    for (unsigned i = 0; i < n; i++) {
        /* the words of a wide element lie in banks side by side, so its first tells of all */
        uintptr_t w = at[i] / step;
        unsigned bank = (unsigned)(w % (128 / step));
        signed char k = used >> bank & 1 ? head[bank] : -1;
        while (k >= 0 && (atomic || word[k] != w))
            k = next[k];
        if (k >= 0)
            continue;
        word[words] = w;
        next[words] = used >> bank & 1 ? head[bank] : -1;
        head[bank] = (signed char)words++;
        used |= 1u << bank;
        if (++depth[bank] > most)
            most = depth[bank];
    }
    return most;
}

static unsigned count_conflicts(const uintptr_t *at, const unsigned char *lane, unsigned n, size_t bytes,
                                bool atomic)
{
    unsigned group = bytes <= 4 ? 32 : 128 / (unsigned)bytes, conflicts = 0;
    for (unsigned from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && lane[to] / group == lane[from] / group;)
            to++;
        conflicts += count_passes(at + from, to - from, bytes, atomic) - 1;
    }
    return conflicts;
}

static void count_piece(struct profile_site *site, enum profile_space space, const uintptr_t *at,
                        const unsigned char *lane, unsigned n, size_t bytes)
{
    struct profile_sum *sum = &site->sum[space];
    bool atomic = site->how & CHECK_ATOMIC;
    sum->requests++;
    sum->bytes += n * bytes;
    if (space == PROFILE_SHARED)
        sum->conflicts += count_conflicts(at, lane, n, bytes, atomic);
    else if (space == PROFILE_CONSTANT)
        sum->conflicts += count_words(at, n) - 1;
    else if (space == PROFILE_LOCAL)
        sum->sectors += count_local_sectors(at, lane, n);
    else
        sum->sectors += atomic ? count_atomic_sectors(at, n) : count_sectors(at, n);
}

/* Of the classes that the program declares, by size: the least alignment, which limits how they are copied.
 */
static unsigned char alignment[257];

void sim_register_type(size_t bytes, size_t align)
{
    if (bytes <= 256 && align <= 16 && (!alignment[bytes] || align < alignment[bytes]))
        alignment[bytes] = (unsigned char)align;
}

size_t check_type_alignment(size_t bytes)
{
    return bytes <= 256 ? alignment[bytes] : 0;
}

/*
 * The widest access that every lane's address and the type allow. The compiler tells no types: what it does
 * not call aligned is a struct of 4-byte members, unless the program declares another of its size.
 */
static size_t widest_piece(const struct profile_site *site, const uintptr_t *at, unsigned n)
{
    size_t bytes = site->bytes, known = check_type_alignment(bytes), limit;
    bool is_scalar = bytes <= 16 && !(bytes & (bytes - 1)) && !(site->how & CHECK_ANYWHERE);
    if (is_scalar)
        limit = bytes == 16 && known == 8 ? 8 : 16;
    else
        limit = known && !(bytes <= 16 && known > 4) ? known : 4;
    uintptr_t all = bytes | limit | (site->how & OF_STACK ? 4 : 0);
    for (unsigned i = 0; i < n; i++)
        all |= at[i];
    return all & -all;
}

static void count_lanes(struct profile_site *site, enum profile_space space, const uintptr_t *at,
                        const unsigned char *lane, unsigned n)
{
    size_t piece = widest_piece(site, at, n);
    uintptr_t moved[32];
    if (piece == site->bytes) {
        count_piece(site, space, at, lane, n, piece);
        return;
    }
    for (size_t done = 0; done < site->bytes; done += piece) {
        for (unsigned i = 0; i < n; i++)
            moved[i] = at[i] + done;
        count_piece(site, space, moved, lane, n, piece);
    }
}

static enum profile_space space_of(const struct profile_site *site, uintptr_t p)
{
    if (site->how & OF_STACK)
        return PROFILE_LOCAL;
    if (has_home(p))
        return p >= SHARED_HOMES && p < DEVICE_HOMES ? PROFILE_SHARED : PROFILE_GLOBAL;
    const struct sim_block *b = sim_host_registered((const void *)p);
    return b && b->kind == SIM_SYMBOL && b->flags == SIM_SPACE_CONSTANT ? PROFILE_CONSTANT : PROFILE_GLOBAL;
}

/* Lanes whose pointers lead to different memories are so many requests. */
static void count_apart(struct profile_site *site, const uintptr_t *at, const unsigned char *lane, unsigned n)
{
    for (enum profile_space space = PROFILE_GLOBAL; space < PROFILE_SPACES; space++) {
        uintptr_t there[32];
        unsigned char who[32];
        unsigned count = 0;
        for (unsigned i = 0; i < n; i++)
            if (space_of(site, at[i]) == space) {
                there[count] = at[i];
                who[count++] = lane[i];
            }
        if (count)
            count_lanes(site, space, there, who, count);
    }
}

void profile_request(struct profile_site *site, const uintptr_t *at, const unsigned char *lane, unsigned n)
{
    uintptr_t low = at[0], high = at[0];
    if (site->uncounted)
        return;
    for (unsigned i = 1; i < n; i++) {
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    bool shared = low >= SHARED_HOMES && high < DEVICE_HOMES;
    bool device = low >= DEVICE_HOMES && high < HOME_FIRST + HOME_BYTES;
    if (site->how & OF_STACK)
        count_lanes(site, PROFILE_LOCAL, at, lane, n);
    else if (shared || device)
        count_lanes(site, shared ? PROFILE_SHARED : PROFILE_GLOBAL, at, lane, n);
    else
        count_apart(site, at, lane, n);
}
