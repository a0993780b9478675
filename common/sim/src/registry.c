/* SPDX-License-Identifier: MIT */
/* What the program declares: kernels and device variables. Filled before main by what simcc emits. */
#include <stdlib.h>
#include <string.h>
#include "check.h"

/* Kernels by address, in an open hash table. */
static struct sim_kernel **table;
static size_t table_room, table_count;

/* Static shared memory by function number of a translation unit. */
static struct function {
    const void *unit;
    int number;
    size_t bytes;
} * functions;
static size_t function_count, function_room;

/* Which functions a registered kernel reaches; summed up when its size is first asked for. */
struct reach {
    const void *unit;
    int count, numbers[];
};

static struct sim_block **symbols;
static size_t symbol_count, symbol_room;

static size_t slot_of(const void *entry)
{
    size_t i = ((uintptr_t)entry * 0x9e3779b97f4a7c15u) >> 20;
    for (i &= table_room - 1; table[i] && table[i]->entry != entry; i = (i + 1) & (table_room - 1))
        continue;
    return i;
}

struct sim_kernel *sim_kernel(const void *entry)
{
    if (2 * table_count >= table_room) {
        struct sim_kernel **old = table;
        size_t old_room = table_room;
        table_room = old_room ? 2 * old_room : 64;
        table = calloc(table_room, sizeof *table);
        if (!table)
            abort();
        for (size_t i = 0; i < old_room; i++)
            if (old[i])
                table[slot_of(old[i]->entry)] = old[i];
        free(old);
    }
    size_t i = slot_of(entry);
    if (!table[i]) {
        table[i] = calloc(1, sizeof **table);
        if (!table[i])
            abort();
        table[i]->entry = entry;
        table_count++;
    }
    return table[i];
}

void sim_register_kernel(const sim_entry *e)
{
    struct sim_kernel *k = sim_kernel(e->address);
    struct reach *reach = malloc(sizeof *reach + (size_t)e->function_count * sizeof *e->functions);
    if (!reach)
        abort();
    reach->unit = e->unit;
    reach->count = e->function_count;
    memcpy(reach->numbers, e->functions, (size_t)e->function_count * sizeof *e->functions);
    free(k->reach);
    *k = (struct sim_kernel){.entry = e->address,
                             .name = e->name,
                             .run = e->run,
                             .unpack = e->unpack,
                             .reach = reach,
                             .max_threads = e->max_threads,
                             .min_blocks = e->min_blocks,
                             .never_returns = !e->has_return,
                             .registered = true};
}

void sim_register_shared(const void *unit, int number, size_t bytes)
{
    functions = sim_room_or_end(functions, function_count, &function_room, sizeof *functions);
    functions[function_count++] = (struct function){unit, number, bytes};
}

size_t sim_kernel_static_bytes(const struct sim_kernel *k)
{
    size_t bytes = 0;
    const struct reach *reach = k->reach;
    for (size_t f = 0; f < function_count; f++) {
        if (functions[f].unit == k->entry) /* an instance of a template */
            bytes += functions[f].bytes;
        for (int i = 0; reach && i < reach->count; i++)
            if (functions[f].unit == reach->unit && functions[f].number == reach->numbers[i])
                bytes += functions[f].bytes;
    }
    return bytes;
}

void sim_register_symbol(const void *address, size_t bytes, const char *name, int space)
{
    struct sim_block *b = sim_block_adopt(SIM_SYMBOL, (void *)address, bytes);
    if (!b)
        abort();
    b->api = name;
    b->flags = (unsigned)space;
    symbols = sim_room_or_end(symbols, symbol_count, &symbol_room, sizeof *symbols);
    symbols[symbol_count++] = b;
}

/*
 * On a GPU a device variable's name means one thing in kernels and another, unconnected, in host code. Here
 * it is the same bytes, so a copy is kept of what the device knows: a difference is the host's doing, and
 * undone.
 */
enum { MOST_MIRRORED = 65536 };

static bool is_mirrored(const struct sim_block *b)
{
    return b->mirror != NULL;
}

static void mirror(struct sim_block *b)
{
    if (b->bytes > MOST_MIRRORED || b->flags == SIM_SPACE_MANAGED)
        return;
    if (!b->mirror)
        b->mirror = malloc(b->bytes);
    if (b->mirror)
        memcpy(b->mirror, b->base, b->bytes);
}

/* Keep what the variables hold before the program's first call; a reset gives it back, as loading the program
 * anew would. */
void sim_symbols_save(void)
{
    for (size_t i = 0; i < symbol_count; i++) {
        struct sim_block *b = symbols[i];
        size_t used = b->bytes;
        while (used && !b->base[used - 1])
            used--;
        b->extra = used ? malloc(b->bytes) : NULL; /* NULL: all zero */
        if (b->extra)
            memcpy(b->extra, b->base, b->bytes);
        mirror(b);
    }
}

void sim_symbols_restore(void)
{
    for (size_t i = 0; i < symbol_count; i++) {
        struct sim_block *b = symbols[i];
        b->used = false;
        if (!b->extra)
            memset(b->base, 0, b->bytes);
        else if (memcmp(b->base, b->extra, b->bytes)) /* one that is const may be read-only */
            memcpy(b->base, b->extra, b->bytes);
        mirror(b);
    }
}

void sim_symbols_check(void)
{
    for (size_t i = 0; i < symbol_count; i++) {
        struct sim_block *b = symbols[i];
        if (!is_mirrored(b) || !memcmp(b->mirror, b->base, b->bytes))
            continue;
        struct sim_report r = sim_report_at("variable assigned", b->base,
                                            "HOST code changed the device variable %s directly", b->api);
        sim_report_line(r, "found", "before the call at %s", sim_where_call(&sim_call));
        sim_report_line(r, "why",
                        "on a GPU that changes the host's shadow of it only: use cudaMemcpyToSymbol(%s, ...)",
                        b->api);
        sim_report_line(r, "note", "kernels see the old value");
        sim_report_end(r);
        memcpy(b->base, b->mirror, b->bytes);
    }
}

void sim_symbols_keep(void)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (is_mirrored(symbols[i]))
            mirror(symbols[i]);
}

bool sim_symbols_constant_changed(const char *kernel)
{
    bool changed = false;
    for (size_t i = 0; i < symbol_count; i++) {
        struct sim_block *b = symbols[i];
        if (b->flags != SIM_SPACE_CONSTANT || !is_mirrored(b) || !memcmp(b->mirror, b->base, b->bytes))
            continue;
        struct sim_report r = sim_report_at(
            "constant written", b->base, "KERNEL %s wrote to the __constant__ variable %s", kernel, b->api);
        sim_report_line(r, "why",
                        "constant memory is for kernels to read; the host fills it with cudaMemcpyToSymbol");
        sim_report_end(r);
        memcpy(b->base, b->mirror, b->bytes);
        changed = true;
    }
    return changed;
}

struct sim_block *sim_symbol(const void *p)
{
    for (size_t i = 0; i < symbol_count; i++)
        if ((size_t)((const char *)p - symbols[i]->base) < symbols[i]->bytes)
            return symbols[i];
    return NULL;
}

enum sim_state sim_state_space(const void *p)
{
    if (sim_shared_what(p))
        return SIM_STATE_SHARED;
    const struct sim_block *variable = sim_symbol(p);
    if (variable)
        return variable->flags == SIM_SPACE_CONSTANT ? SIM_STATE_CONSTANT : SIM_STATE_GLOBAL;
    return is_own_stack(p) ? SIM_STATE_LOCAL : SIM_STATE_GLOBAL;
}

struct sim_block *sim_symbol_named(const char *name)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (!strcmp(symbols[i]->api, name))
            return symbols[i];
    return NULL;
}
