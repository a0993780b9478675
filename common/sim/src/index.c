/* SPDX-License-Identifier: MIT */
/*
 * Indices that the type of an array forbids, found by the compiler's -fsanitize=bounds.
 *
 * Its handler is given the type and where the expression ends (g++) or its name begins (clang++); the source
 * has the name.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

struct array_place {
    const char *file;
    uint32_t line, column;
    const struct type_name {
        uint16_t kind, info;
        char text[];
    } * array, *index;
};

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_:.", p[n])))
        n++;
    return n;
}

/* The first column of the array's name, for an expression that ends with the `]` at `end`: `x`, `n::x`. */
static char *name_before(char *line, char *end)
{
    char *c = end, *name = end;
    while (c > line && *c == ']') {
        for (int depth = 0; c > line && (depth += (*c == ']') - (*c == '[')) > 0;)
            c--;
        for (name = c; name > line && (isalnum((unsigned char)name[-1]) || strchr("_:.", name[-1]));)
            name--;
        *c = 0;
        c = name - (name > line);
    }
    return name;
}

/* The name of the array, "" when the source does not tell. */
static void find_name(const struct array_place *place, char name[80])
{
    char *line = NULL;
    size_t room = 0;
    FILE *f = place->file ? fopen(place->file, "re") : NULL;
    bool there = f;
    *name = 0;
    for (uint32_t i = 0; there && i < place->line; i++)
        there = getline(&line, &room, f) >= 0;
    if (there && place->column && place->column <= strlen(line)) {
        char *at = line + place->column - 1;
        if (*at == ']')
            at = name_before(line, at);
        snprintf(name, 80, "%.*s", (int)name_length(at), at);
    }
    free(line);
    if (f)
        fclose(f);
}

void __ubsan_handle_out_of_bounds(const struct array_place *place, uintptr_t index)
{
    const void *pc = __builtin_return_address(0);
    bool wide = place->index->info >> 1 > 6; /* 64 bits; narrower ones come zero-extended */
    long value = wide || !(place->index->info & 1) ? (long)index : (long)(int32_t)index;
    const char *quote = *place->array->text == '\'' ? "" : "'"; /* clang's has them */
    char name[80];
    find_name(place, name);
    const struct sim_block *b = *name ? sim_symbol_named(name) : NULL;
    sim_enter_always("host code", (void *)pc);
    struct sim_report r = sim_report_at("out of bounds", pc, "%s%s: index %ld is outside of %s%s%s%s%s",
                                        check_on_device ? "KERNEL " : "HOST",
                                        check_on_device ? sim_running()->name : " code", value, name,
                                        *name ? ", a " : "", quote, place->array->text, quote);
    sim_report_line(r, "at", "%s", sim_where(pc));
    if (check_on_device)
        check_say_thread(r, blockIdx, threadIdx);
    if (b)
        sim_report_line(r, "is", "the %zu-byte device variable %s", b->bytes, b->api);
    else
        sim_report_line(r, "is", "an array whose type gives its length");
    sim_report_line(r, "why", "an index outside 0 to n - 1 reaches into what lies beside the array");
    sim_report_end(r);
    sim_leave(cudaSuccess);
    if (check_on_device)
        sim_thread_kill(cudaErrorIllegalAddress);
}
