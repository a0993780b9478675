/* SPDX-License-Identifier: MIT */
/* What the memory profile came to: sums for each line, for the harness and at exit. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "profile.h"

static const char *const space_names[] = {"global", "shared", "constant", "local"};
static const char *const op_names[] = {"load", "store", "atomic"};

bool profile_wanted;
static bool wanted_at_exit;

static const char *op_of(const struct profile_site *s)
{
    return op_names[s->how & CHECK_ATOMIC ? 2 : s->how & CHECK_WRITE ? 1 : 0];
}

static void add(sim_profile_row *row, const struct profile_sum *more, const struct profile_sum *less)
{
    row->requests += more->requests - less->requests;
    row->bytes += more->bytes - less->bytes;
    row->sectors += more->sectors - less->sectors;
    row->conflicts += more->conflicts - less->conflicts;
}

static int compare_texts(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static int by_place(const void *x, const void *y)
{
    const sim_profile_row *a = x, *b = y;
    int order = strcmp(a->kernel, b->kernel);
    order = order ? order : compare_texts(a->file, b->file);
    order = order ? order : (a->line > b->line) - (a->line < b->line);
    order = order ? order : strcmp(a->space, b->space);
    return order ? order : strcmp(a->op, b->op);
}

struct profile_rows profile_rows(bool since_start)
{
    static const struct profile_sum nothing;
    struct profile_rows rows = {malloc(profile_site_count * PROFILE_SPACES * sizeof *rows.row), 0};
    if (!rows.row)
        return rows;
    for (struct profile_kernel *k = profile_kernels; k; k = k->next)
        for (unsigned i = 0; i < k->count; i++) {
            const struct profile_site *s = &profile_sites[k->sites[i]];
            sim_profile_row row = {.kernel = k->name, .op = op_of(s), .incomplete = k->incomplete};
            if (s->how & LOOP)
                continue;
            sim_place(s->pc, &row.file, &row.line);
            for (int space = 0; space < PROFILE_SPACES; space++) {
                const struct profile_sum *before = since_start ? &s->before[space] : &nothing;
                if (s->sum[space].requests == before->requests)
                    continue;
                rows.row[rows.count] = row;
                rows.row[rows.count].space = space_names[space];
                add(&rows.row[rows.count++], &s->sum[space], before);
            }
        }
    qsort(rows.row, rows.count, sizeof *rows.row, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < rows.count; i++) {
        sim_profile_row *last = &rows.row[kept - 1], *r = &rows.row[i];
        struct profile_sum more = {r->requests, r->bytes, r->sectors, r->conflicts};
        if (kept && !by_place(last, r))
            add(last, &more, &nothing);
        else
            rows.row[kept++] = *r;
    }
    rows.count = kept;
    return rows;
}

/* ---- for programs: sim/profile.h ---- */

void profile_want_all(void)
{
    profile_wanted = wanted_at_exit = true;
}

int sim_profile_start(void)
{
    sim_enter_always(SIM_CALL);
    for (unsigned i = 1; i < profile_site_count; i++)
        memcpy(profile_sites[i].before, profile_sites[i].sum, sizeof profile_sites[i].sum);
    profile_wanted = true;
    sim_leave(cudaSuccess);
    return sim_checked;
}

void sim_profile_stop(void)
{
    sim_enter_always(SIM_CALL);
    profile_wanted = wanted_at_exit;
    sim_leave(cudaSuccess);
}

int sim_profile_at(size_t i, sim_profile_row *row)
{
    static struct profile_rows rows;
    sim_enter_always(SIM_CALL);
    if (i == 0) {
        free(rows.row);
        rows = profile_rows(true);
    }
    bool there = i < rows.count;
    if (there)
        *row = rows.row[i];
    sim_leave(cudaSuccess);
    return there;
}

/* A template's name stands for all its instances. */
static bool is_kernel(const struct profile_kernel *k, const char *name)
{
    size_t n = name ? strlen(name) : 0;
    return !name || (!strncmp(k->name, name, n) && (!k->name[n] || k->name[n] == '<'));
}

sim_profile_row sim_profile_sum(const char *kernel, const char *space, const char *op)
{
    sim_profile_row sum = {.kernel = kernel, .space = space, .op = op};
    sim_enter_always(SIM_CALL);
    for (struct profile_kernel *k = profile_kernels; k; k = k->next) {
        if (!is_kernel(k, kernel))
            continue;
        sum.incomplete |= k->incomplete;
        for (unsigned i = 0; i < k->count; i++) {
            const struct profile_site *s = &profile_sites[k->sites[i]];
            for (int n = 0; n < PROFILE_SPACES; n++)
                if ((!space || !strcmp(space, space_names[n])) && (!op || !strcmp(op, op_of(s))))
                    add(&sum, &s->sum[n], &s->before[n]);
        }
    }
    sim_leave(cudaSuccess);
    return sum;
}

double sim_profile_efficiency(const sim_profile_row *row)
{
    if (row->sectors)
        return (double)row->bytes / (32.0 * (double)row->sectors);
    return row->requests ? (double)row->requests / (double)(row->requests + row->conflicts) : 0;
}

/* ---- at exit ---- */

static void put_string(FILE *f, const char *text)
{
    fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int n = sim_utf8(c);
        if (n && (*c < 0x20 || *c == 0x7f))
            fprintf(f, "\\u%04x", *c);
        else if (n)
            fprintf(f, *c == '"' || *c == '\\' ? "\\%.*s" : "%.*s", n, (const char *)c);
        else
            fputs("\\ufffd", f);
        c += n ? n : 1;
    }
    fputc('"', f);
}

static void write_json(FILE *f, struct profile_rows rows)
{
    fputc('[', f);
    for (size_t i = 0; i < rows.count; i++) {
        const sim_profile_row *r = &rows.row[i];
        fputs(i ? ",\n{\"kernel\": " : "\n{\"kernel\": ", f);
        put_string(f, r->kernel);
        fputs(", \"file\": ", f);
        if (r->file)
            put_string(f, r->file);
        else
            fputs("null", f);
        fprintf(f,
                ", \"line\": %d, \"space\": \"%s\", \"op\": \"%s\", \"requests\": %llu, \"bytes\": %llu, "
                "\"sectors\": %llu, \"conflicts\": %llu, \"efficiency\": %.4f%s}",
                r->line, r->space, r->op, r->requests, r->bytes, r->sectors, r->conflicts,
                sim_profile_efficiency(r), r->incomplete ? ", \"incomplete\": true" : "");
    }
    fputs("\n]\n", f);
}

static const char *place_of(const sim_profile_row *r)
{
    static char text[300];
    const char *slash = r->file ? strrchr(r->file, '/') : NULL;
    if (r->file)
        snprintf(text, sizeof text, "%s:%d", slash ? slash + 1 : r->file, r->line);
    return r->file ? text : "? (-g)";
}

static void write_table(FILE *f, struct profile_rows rows)
{
    int kernel = 6, place = 4;
    for (size_t i = 0; i < rows.count; i++) {
        int k = (int)strlen(rows.row[i].kernel), p = (int)strlen(place_of(&rows.row[i]));
        kernel = k > kernel ? k : kernel;
        place = p > place ? p : place;
    }
    fprintf(f, "[sim] what warps asked of memory (a sector: 32 bytes; docs/profile.md tells more)\n");
    fprintf(f, "      %-*s %-*s %-8s %-6s %10s %12s %10s %10s %11s\n", kernel, "kernel", place, "line",
            "space", "op", "requests", "bytes", "sectors", "conflicts", "efficiency");
    for (size_t i = 0; i < rows.count; i++) {
        const sim_profile_row *r = &rows.row[i];
        char sectors[24] = "-", conflicts[24] = "-";
        snprintf(*r->space == 's' || *r->space == 'c' ? conflicts : sectors, sizeof sectors, "%llu",
                 *r->space == 's' || *r->space == 'c' ? r->conflicts : r->sectors);
        fprintf(f, "      %-*s %-*s %-8s %-6s %10llu %12llu %10s %10s %9.1f %%%s\n", kernel, r->kernel, place,
                place_of(r), r->space, r->op, r->requests, r->bytes, sectors, conflicts,
                100 * sim_profile_efficiency(r), r->incomplete ? " *" : "");
    }
}

static const char *output;
static void (*write_output)(FILE *f, struct profile_rows rows);
static pid_t owner; /* a child made by fork writes nothing */

static bool write_file(struct profile_rows rows)
{
    FILE *f = fopen(output, "w");
    bool failed = !f;
    if (f) {
        write_output(f, rows);
        failed = ferror(f) != 0;
        failed |= fclose(f) != 0;
    }
    if (failed)
        fprintf(stderr, "[sim] SIM_PROFILE=%s cannot be written: %s\n", output, strerror(errno));
    return !failed;
}

bool profile_write(void)
{
    if (owner != getpid())
        return true;
    owner = 0; /* once */
    struct profile_rows rows = profile_rows(false);
    fflush(stdout);
    if (!sim_checked)
        fprintf(stderr, "[sim] SIM_PROFILE=%s: nothing was counted; compile with simcc --check\n", output);
    for (struct profile_kernel *k = profile_kernels; k; k = k->next)
        if (k->incomplete)
            fprintf(stderr,
                    "[sim] profile: %s made more accesses between two barriers than can be kept; its counts "
                    "are incomplete\n",
                    k->name);
    bool written = true;
    if (write_output != write_table)
        written = write_file(rows);
    else if (sim_checked)
        write_table(stderr, rows);
    free(rows.row);
    return written;
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    if (!profile_write() && !status)
        exit(1); /* the handlers that are left run, and this is the status now */
}

/* After finding.c's, so that this is written first. */
__attribute__((constructor(102))) static void start(void)
{
    output = getenv("SIM_PROFILE");
    if (!output)
        return;
    write_output = !strcmp(output, "1")       ? write_table
                   : sim_ends_in(output, ".json") ? write_json
                   : sim_ends_in(output, ".svg")  ? profile_draw
                                              : NULL;
    if (!write_output)
        sim_bad_setting("SIM_PROFILE", output, "give 1 for a table, or a file: FILE.json, FILE.svg");
    profile_want_all();
    owner = getpid();
    on_exit(at_exit, NULL);
}
