/* SPDX-License-Identifier: MIT */
/*
 * Cells of 4 bytes that threads share by parts: a cell for each byte. They stay until the memory they are of
 * is freed, when its cells are cleared and name them no more; that is looked for when there is no room. Cells
 * of memory that can have several addresses, of which any may go, say so themselves.
 */
#include "race.h"

struct race_split *race_splits;
static size_t count, room;
static size_t spare; /* one more than the number of the first that is free, 0: none */

static uint64_t name_of(size_t number)
{
    return SPLIT | (uint64_t)number << 8;
}

static void put_back(size_t number)
{
    race_splits[number].of = NULL;
    race_splits[number].part[0].write = spare;
    spare = number + 1;
}

/* How many are free now. */
static size_t collect(void)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shadow_cell *of = race_splits[i].of;
        if (!of || of->write == name_of(i))
            continue;
        put_back(i);
        found++;
    }
    return found;
}

static size_t take(void)
{
    if (!spare && count == room && collect() <= room / 4) /* looking again must be worth it */
        race_splits = sim_room_or_end(race_splits, count, &room, sizeof *race_splits);
    if (!spare)
        return count++;
    size_t number = spare - 1;
    spare = race_splits[number].part[0].write;
    return number;
}

void race_split(struct shadow_cell *c, uintptr_t home)
{
    size_t number = take();
    struct race_split *s = &race_splits[number];
    for (unsigned i = 0; i < 4; i++) {
        s->part[i].write = c->write >> i & 1 ? c->write : 0;
        s->part[i].read = c->read >> i & 1 ? c->read : 0;
    }
    s->of = sim_reservation((const void *)home) ? NULL : c;
    *c = (struct shadow_cell){name_of(number), 0};
}

void race_forget_cell(const struct shadow_cell *c)
{
    if (c->write & SPLIT)
        put_back(c->write >> 8);
}

void race_forget_splits(void)
{
    count = spare = 0;
}
