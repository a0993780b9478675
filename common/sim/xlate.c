/* SPDX-License-Identifier: MIT */
/* The unit: its memory, names, findings and edits, and the order of the passes. */
#include "xlate_unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk {
    struct chunk *next;
    size_t bytes;
    max_align_t at[];
} chunk;

void *unit_alloc(xlate *x, size_t bytes)
{
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!x->chunks || x->chunk_used + bytes > x->chunks->bytes) {
        size_t room = bytes > 65536 ? bytes : 65536;
        chunk *c = calloc(1, sizeof *c + room);
        if (!c) {
            fputs("simcc: out of memory\n", stderr);
            exit(1);
        }
        c->next = x->chunks;
        c->bytes = room;
        x->chunks = c;
        x->chunk_used = 0;
    }
    void *p = (char *)x->chunks->at + x->chunk_used;
    x->chunk_used += bytes;
    return p;
}

void *unit_more(xlate *x, void *at, int n, int *room, size_t size)
{
    if (n < *room)
        return at;
    *room = *room ? *room * 2 : 16;
    void *wider = unit_alloc(x, (size_t)*room * size);
    if (n)
        memcpy(wider, at, (size_t)n * size);
    return wider;
}

char *unit_text(xlate *x, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    char start[1];
    int n = vsnprintf(start, sizeof start, format, list);
    char *text = unit_alloc(x, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

int unit_name(xlate *x, const char *text, size_t bytes)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    int *bucket = &x->buckets[hash % 1024];
    for (int i = *bucket; i >= 0; i = x->names.at[i].next)
        if (x->names.at[i].hash == hash && x->names.at[i].bytes == bytes &&
            !memcmp(x->names.at[i].text, text, bytes))
            return i;
    char *copy = unit_alloc(x, bytes + 1);
    memcpy(copy, text, bytes);
    *PUSH(x, x->names) = (name){copy, (unsigned)bytes, hash, *bucket, -1, -1, -1};
    return *bucket = x->names.n - 1;
}

xlate *xlate_create(xlate_load *load, void *user, unsigned flags)
{
    static const char *const known[] = {
#define KNOWN_TEXT(id, text) text,
        KNOWN_NAMES(KNOWN_TEXT)};
    xlate *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->load = load;
    x->user = user;
    x->flags = flags;
    memset(x->buckets, -1, sizeof x->buckets);
    for (int i = 0; i < ID_COUNT; i++)
        unit_name(x, known[i], strlen(known[i]));
    return x;
}

void xlate_destroy(xlate *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->owned.n; i++)
        free(x->owned.at[i]);
    for (chunk *c = x->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(x);
}

static void say(xlate *x, int at, unsigned pos, int is_warning, const char *format, va_list list)
{
    const file *f = &x->files.at[at];
    char text[1024];
    vsnprintf(text, sizeof text, format, list);
    xlate_finding finding = {f->path, 1, 1, is_warning, unit_text(x, "%s", text)};
    for (unsigned i = f->start; i < pos; i++) {
        finding.column++;
        if (f->text[i] == '\n') {
            finding.line++;
            finding.column = 1;
        }
    }
    *PUSH(x, x->findings) = finding;
}

void unit_refuse(xlate *x, int at, unsigned pos, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(x, at, pos, 0, format, list);
    va_end(list);
}

void unit_warn(xlate *x, int at, unsigned pos, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(x, at, pos, 1, format, list);
    va_end(list);
}

void file_edit(xlate *x, int at, unsigned pos, unsigned drop, const char *text)
{
    file *f = &x->files.at[at];
    *PUSH(x, f->edits) = (edit){pos, drop, f->edits.n, text};
    f->changed = 1;
}

/* The tokens on one line: what is copied to another place must bring no line ends and no comments along. */
const char *stream_text(xlate *x, const stream *s, int first, int last)
{
    if (first > last)
        return "";
    const char *from = x->files.at[s->file].text;
    char *text = unit_alloc(x, s->t[last].pos + s->t[last].bytes - s->t[first].pos + 1), *p = text;
    for (int i = first; i <= last; i++) {
        for (unsigned k = 0; k < s->t[i].bytes; k++)
            *p++ = from[s->t[i].pos + k] == '\n' ? ' ' : from[s->t[i].pos + k];
        if (i < last && !stream_joined(s, i))
            *p++ = ' ';
    }
    return text;
}

int unit_add(xlate *x, const char *path, const char *text, size_t bytes)
{
    file *f = PUSH(x, x->files);
    *f = (file){.path = unit_text(x, "%s", path), .text = text, .bytes = (unsigned)bytes};
    if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        f->start = 3;
    return x->files.n - 1;
}

void xlate_read(xlate *x, const char *path, const char *text, size_t bytes)
{
    char *copy = unit_alloc(x, bytes + 1);
    memcpy(copy, text, bytes);
    pp_file(x, unit_add(x, path, copy, bytes));
    launch_macros(x);
    for (int i = 0; i < x->files.n; i++)
        scan_file(x, i);
    names_members(x);
    text_macros(x);
    for (int i = 0; i < x->macros.n; i++) {
        macro *m = &x->macros.at[i];
        if (m->value)
            continue;
        shared_stream(x, &m->body, m);
        text_noinline(x, &m->body);
    }
    for (int i = 0; i < x->files.n; i++) {
        launch_file(x, i);
        shared_stream(x, &x->files.at[i].live, NULL);
        text_noinline(x, &x->files.at[i].live);
        local_arrays(x, i);
        text_arrays(x, i);
        rules_file(x, i);
        names_file(x, i);
    }
    for (int i = 0; i < x->files.n; i++)
        shared_uses(x, i);
    shared_aliases(x);
    shared_register(x);
    for (int again = 1; again;) { /* a file changes if one that it includes does */
        again = 0;
        for (int i = 0; i < x->files.n; i++)
            for (int k = 0; k < x->files.at[i].includes.n && !x->files.at[i].changed; k++)
                if (x->files.at[x->files.at[i].includes.at[k].target].changed)
                    x->files.at[i].changed = again = 1;
    }
}

static int finding_order(const void *a, const void *b)
{
    const xlate_finding *l = a, *r = b;
    int path = strcmp(l->path, r->path);
    return path ? path : l->line != r->line ? l->line - r->line : l->column - r->column;
}

const xlate_finding *xlate_findings(const xlate *x, int *count)
{
    *count = x->findings.n;
    if (*count)
        qsort(x->findings.at, (size_t)*count, sizeof *x->findings.at, finding_order);
    return x->findings.at;
}

int xlate_file_count(const xlate *x)
{
    return x->files.n;
}

const char *xlate_file_path(const xlate *x, int i)
{
    return x->files.at[i].path;
}

int xlate_file_changed(const xlate *x, int i)
{
    return x->files.at[i].changed;
}

void xlate_file_place(xlate *x, int i, const char *where)
{
    x->files.at[i].place = unit_text(x, "%s", where);
}

const char *xlate_file_placed(const xlate *x, int i)
{
    return x->files.at[i].place;
}

const char *xlate_needed_header(const xlate *x, int i)
{
    const char *needed[3] = {NULL, NULL, NULL};
    int n = 0;
    if (x->uses_quote)
        needed[n++] = "sim/quote.h";
    if (x->uses_aligned)
        needed[n++] = "sim/aligned.h";
    return i < n ? needed[i] : NULL;
}

static int edit_order(const void *a, const void *b)
{
    const edit *l = a, *r = b;
    return l->pos != r->pos ? (l->pos < r->pos ? -1 : 1) : l->order - r->order;
}

/* A changed header lives in another folder, so what it and the main file include must be named so that it is
 * found. */
static void place_includes(xlate *x, int at)
{
    file *f = &x->files.at[at];
    for (int i = 0; i < f->includes.n && f->changed; i++) { /* an unchanged one stays where it is */
        const include *in = &f->includes.at[i];
        const file *target = &x->files.at[in->target];
        const char *where = target->changed || at ? target->place : target->path;
        if (where && (target->changed || in->quoted))
            file_edit(x, at, in->pos, in->bytes, unit_text(x, "\"%s\"", where));
    }
}

const char *xlate_file_write(xlate *x, int at, size_t *bytes)
{
    place_includes(x, at);
    file *f = &x->files.at[at];
    if (f->edits.n)
        qsort(f->edits.at, (size_t)f->edits.n, sizeof *f->edits.at, edit_order);
    size_t room = f->bytes + 2 * strlen(f->path) + 32, n = 0;
    for (int i = 0; i < f->edits.n; i++)
        room += strlen(f->edits.at[i].text);
    char *out = unit_alloc(x, room);
    n += (size_t)sprintf(out, "#line 1 \"");
    for (const char *p = f->path; *p; p++) {
        if (*p == '"' || *p == '\\')
            out[n++] = '\\';
        out[n++] = *p;
    }
    n += (size_t)sprintf(out + n, "\"\n");
    unsigned from = f->start;
    for (int i = 0; i <= f->edits.n; i++) {
        unsigned to = i < f->edits.n ? f->edits.at[i].pos : f->bytes;
        if (to > from) {
            memcpy(out + n, f->text + from, to - from);
            n += to - from;
            from = to;
        }
        if (i < f->edits.n) {
            size_t length = strlen(f->edits.at[i].text);
            memcpy(out + n, f->edits.at[i].text, length);
            n += length;
            if (f->edits.at[i].pos + f->edits.at[i].drop > from)
                from = f->edits.at[i].pos + f->edits.at[i].drop;
        }
    }
    *bytes = n;
    return out;
}
