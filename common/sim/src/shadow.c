/* SPDX-License-Identifier: MIT */
/*
 * What is known of every byte that simulated threads share, beside the memory itself:
 *
 *   state   2 bits a byte: nothing there, there but unwritten, written
 *   cell    16 bytes for each aligned 4: who wrote them last, who read them since (race.c)
 *
 *   0x1c0000000000  managed | pinned | variables | shared | device  0x220000000000   home addresses
 *          |  / 4                                           |  * 4
 *   0x300000000000  states                            0x380000000000  cells
 *
 * Both lie at fixed distances, so that to find them takes a shift and no look-up; pages of them come when
 * they are touched. Memory that is the program's own, a device variable or a registered range, gets a home
 * address in that span when it is first met.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "race.h"
#include "shadow.h"

bool shadow_open(void)
{
    static bool open;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (open)
        return true;
    char *states = mmap(SHADOW_STATES, HOME_BYTES / 4, PROT_READ | PROT_WRITE, flags, -1, 0);
    char *cells = mmap(SHADOW_CELLS, HOME_BYTES * 4, PROT_READ | PROT_WRITE, flags, -1, 0);
    open = states == (char *)SHADOW_STATES && cells == (char *)SHADOW_CELLS;
    if (open) {
        madvise(states, HOME_BYTES / 4, MADV_DONTDUMP);
        madvise(cells, HOME_BYTES * 4, MADV_DONTDUMP);
    }
    return open;
}

/* ---- homes ---- */

enum { HOME_STEP = 4 * 4096, SPARES = 64 }; /* a page of states */

static uintptr_t next_home = VARIABLE_HOMES;
static struct {
    uintptr_t at;
    size_t room;
} spares[SPARES]; /* given back, below `next_home` */

/* With bytes of nothing behind it; what is on its page before it is kept, for alignment. */
static size_t home_room(const struct sim_block *b)
{
    return (((uintptr_t)b->base & 4095) + b->bytes + 4096 + HOME_STEP - 1) & ~(size_t)(HOME_STEP - 1);
}

static uintptr_t take_home(size_t room)
{
    uintptr_t at = next_home;
    for (int i = 0; i < SPARES; i++)
        if (spares[i].room >= room) {
            at = spares[i].at;
            spares[i].at += room;
            spares[i].room -= room;
            return at;
        }
    if (SHARED_HOMES - next_home < room)
        return 0;
    next_home += room;
    return at;
}

static void give_home(uintptr_t at, size_t room)
{
    int empty = 0;
    for (int i = 0; i < SPARES; i++) {
        bool before = spares[i].at + spares[i].room == at, after = at + room == spares[i].at;
        if (spares[i].room && (before || after)) {
            at = before ? spares[i].at : at;
            room += spares[i].room;
            spares[i].room = 0;
            i = -1; /* it may have met another */
        } else if (spares[i].room < spares[empty].room) {
            empty = i;
        }
    }
    if (at + room == next_home) {
        next_home = at;
    } else if (spares[empty].room < room) {
        spares[empty].at = at;
        spares[empty].room = room;
    }
}

uintptr_t shadow_home(struct sim_block *b, const void *p)
{
    if (!b->home) {
        uintptr_t at = take_home(home_room(b));
        if (!at)
            return 0;
        b->home = at + ((uintptr_t)b->base & 4095);
        shadow_set(b->home, b->bytes, CHECK_WRITTEN);
    }
    return b->home + (uintptr_t)((const char *)p - b->base);
}

void shadow_leave_home(struct sim_block *b)
{
    uintptr_t at = b->home - ((uintptr_t)b->base & 4095);
    if (!b->home)
        return;
    shadow_release(at, home_room(b));
    give_home(at, home_room(b));
    b->home = 0;
}

/* ---- states ---- */

static void set_one(uintptr_t p, enum check_state state)
{
    uint8_t *at = shadow_state(p);
    unsigned shift = 2 * (p & 3);
    *at = (uint8_t)((*at & ~(3u << shift)) | (unsigned)state << shift);
}

static enum check_state get_one(uintptr_t p)
{
    return (enum check_state)(*shadow_state(p) >> 2 * (p & 3) & 3);
}

void shadow_set(uintptr_t p, size_t bytes, enum check_state state)
{
    for (; bytes && p & 3; bytes--)
        set_one(p++, state);
    memset(shadow_state(p), state * 0x55, bytes / 4);
    for (p += bytes & ~(size_t)3, bytes &= 3; bytes; bytes--)
        set_one(p++, state);
}

static void copy_states(uintptr_t dst, uintptr_t src, size_t bytes)
{
    if ((dst ^ src) & 3) {
        for (size_t i = 0; i < bytes; i++)
            set_one(dst + i, get_one(src + i));
        return;
    }
    for (; bytes && dst & 3; bytes--)
        set_one(dst++, get_one(src++));
    memmove(shadow_state(dst), shadow_state(src), bytes / 4);
    for (size_t i = bytes & ~(size_t)3; i < bytes; i++)
        set_one(dst + i, get_one(src + i));
}

size_t shadow_find(uintptr_t p, size_t bytes, enum check_state state)
{
    for (size_t i = 0; i < bytes;) {
        bool four = !((p + i) & 3) && i + 4 <= bytes;
        if (four && state != CHECK_WRITTEN && *shadow_state(p + i) == CHECK_WRITTEN * 0x55)
            i += 4;
        else if (get_one(p + i) == state)
            return i;
        else
            i++;
    }
    return bytes;
}

/* A source that does not exist yet in stream order does not make its target vanish. */
void shadow_copy(uintptr_t dst, uintptr_t src, size_t bytes)
{
    copy_states(dst, src, bytes);
    for (size_t i = 0; (i += shadow_find(dst + i, bytes - i, CHECK_NOTHING)) < bytes; i++)
        set_one(dst + i, CHECK_UNWRITTEN);
}

void shadow_look_again(uintptr_t home, const char *p, size_t bytes)
{
    for (size_t i = 0; (i += shadow_find(home + i, bytes - i, CHECK_UNWRITTEN)) < bytes; i++)
        for (size_t k = 0; k < 4 && !sim_is_fresh(p + i); k++) {
            uintptr_t at = ((home + i) & ~(uintptr_t)3) + k;
            if (get_one(at) == CHECK_UNWRITTEN)
                set_one(at, CHECK_WRITTEN);
        }
}

/* ---- cells ---- */

void shadow_clear_cells(uintptr_t p, size_t bytes)
{
    char *first = (char *)shadow_cell(p), *end = (char *)shadow_cell(p + bytes + 3);
    char *page = (char *)(((uintptr_t)first + 4095) & ~(uintptr_t)4095);
    char *last = (char *)((uintptr_t)end & ~(uintptr_t)4095);
    if (last <= page) {
        memset(first, 0, (size_t)(end - first));
        return;
    }
    memset(first, 0, (size_t)(page - first));
    madvise(page, (size_t)(last - page), MADV_DONTNEED);
    memset(last, 0, (size_t)(end - last));
}

void shadow_release(uintptr_t home, size_t bytes)
{
    madvise(shadow_state(home), bytes / 4, MADV_DONTNEED);
    madvise(shadow_cell(home), bytes * 4, MADV_DONTNEED);
}

/* ---- memory that has several addresses ---- */

static int state_file = -1, cell_file = -1;
static size_t shared_end; /* of the memory that the files are of */

static bool place(void *at, size_t bytes, int file, size_t offset)
{
    int flags = MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, (off_t)offset) == MAP_FAILED)
        return false;
    madvise(at, bytes, MADV_DONTDUMP); /* as what is around it: only then do they become one mapping again */
    return true;
}

bool shadow_share(uintptr_t home, size_t bytes, size_t offset)
{
    if (state_file < 0)
        state_file = memfd_create("states", MFD_CLOEXEC);
    if (cell_file < 0)
        cell_file = memfd_create("cells", MFD_CLOEXEC);
    if (state_file < 0 || cell_file < 0)
        return false;
    if (shared_end < offset + bytes) {
        if (ftruncate(state_file, (off_t)(offset + bytes) / 4) ||
            ftruncate(cell_file, (off_t)(offset + bytes) * 4))
            return false;
        shared_end = offset + bytes;
    }
    return place(shadow_state(home), bytes / 4, state_file, offset / 4) &&
           place(shadow_cell(home), bytes * 4, cell_file, offset * 4);
}

void shadow_unshare(uintptr_t home, size_t bytes)
{
    place(shadow_state(home), bytes / 4, -1, 0);
    place(shadow_cell(home), bytes * 4, -1, 0);
}

static void punch(int file, size_t offset, size_t bytes)
{
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* Those that were touched: what was not is a hole in the file. */
static void forget_cells(off_t at, off_t end)
{
    struct shadow_cell cells[4096 / sizeof(struct shadow_cell)];
    while ((at = lseek(cell_file, at, SEEK_DATA)) >= 0 && at < end) {
        ssize_t got = pread(cell_file, cells, sizeof cells, at);
        for (size_t i = 0; got > 0 && i < (size_t)got / sizeof *cells; i++)
            race_forget_cell(&cells[i]);
        at += sizeof cells;
    }
}

void shadow_drop(size_t offset, size_t bytes)
{
    forget_cells((off_t)offset * 4, (off_t)(offset + bytes) * 4);
    punch(state_file, offset / 4, bytes / 4);
    punch(cell_file, offset * 4, bytes * 4);
}

void shadow_forget_order(void)
{
    madvise(SHADOW_CELLS, HOME_BYTES * 4, MADV_DONTNEED);
    if (cell_file >= 0)
        punch(cell_file, 0, shared_end * 4);
}
