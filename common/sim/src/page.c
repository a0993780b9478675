/* SPDX-License-Identifier: MIT */
/*
 * Writes the page that SIM_REPORT asks for: one file that a browser shows without a network.
 *
 *   page.html  with @STYLE@, @DATA@, @TABLE@ and @SCRIPT@ in it
 *                    page.css  |       |         page_*.js, which draw what is in the data
 *                       JSON: all that timeline.c has kept, findings, profile, source files
 *                                      for browsers without scripts: the essential as text
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "check.h"
#include "profile.h"
#include "sim/check.h"
#include "timeline.h"

extern const char page_html[], page_css[], page_js[];

static FILE *out;
static const struct timeline *t;

/* ---- JSON, inside of an HTML file ---- */

static bool fresh = true; /* the object or list that is open has nothing in it yet, or its key no value */

static void separate(void)
{
    if (!fresh)
        putc(',', out);
    fresh = false;
}

static void begin(char bracket)
{
    separate();
    putc(bracket, out);
    fresh = true;
}

static void end(char bracket)
{
    putc(bracket, out);
    fresh = false;
}

static void put_string(const char *s, size_t bytes)
{
    separate();
    putc('"', out);
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c < 32 || c == '<' || c == 127) /* "<" could begin the end of the script element */
            fprintf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void put_key(const char *key)
{
    put_string(key, strlen(key));
    putc(':', out);
    fresh = true;
}

static void put_text(const char *key, const char *text)
{
    if (!text)
        return;
    put_key(key);
    put_string(text, strlen(text));
}

static void put_number(const char *key, double number)
{
    put_key(key);
    separate();
    fprintf(out, "%.0f", number);
}

static void put_dim(const char *key, dim3 d)
{
    put_key(key);
    separate();
    fprintf(out, "[%u,%u,%u]", d.x, d.y, d.z);
}

/* ---- source files ---- */

enum { FILES = 24, FILE_BYTES = 1 << 20 };
static struct file {
    char *path;
    char *text; /* NULL when it cannot be read */
    size_t bytes;
    int error;
} files[FILES];
static int file_count;

static void read_file(struct file *f)
{
    FILE *in = fopen(f->path, "re");
    f->text = in ? malloc(FILE_BYTES) : NULL;
    f->bytes = f->text ? fread(f->text, 1, FILE_BYTES, in) : 0;
    f->error = f->text ? 0 : errno;
    if (in)
        fclose(in);
}

/* A launch knows its file as the compiler was given it, a call by its full path. */
static bool is_tail(const char *path, const char *tail)
{
    size_t a = strlen(path), b = strlen(tail);
    return a == b ? !strcmp(path, tail) : a > b && path[a - b - 1] == '/' && !strcmp(path + a - b, tail);
}

/* Its number in the page; -1 when it is not in it. */
static int file_of(const char *path)
{
    for (int i = 0; path && i < file_count; i++)
        if (is_tail(files[i].path, path) || is_tail(path, files[i].path)) {
            if (!files[i].text && strcmp(files[i].path, path)) {
                struct file other = {.path = (char *)path};
                read_file(&other);
                if (other.text && (other.path = strdup(path)))
                    files[i] = other;
            }
            return i;
        }
    if (!path || file_count == FILES)
        return -1;
    files[file_count] = (struct file){.path = strdup(path)};
    if (!files[file_count].path)
        return -1;
    read_file(&files[file_count]);
    return file_count++;
}

static void put_files(void)
{
    put_key("files");
    begin('[');
    for (int i = 0; i < file_count; i++) {
        begin('{');
        put_text("path", files[i].path);
        if (files[i].text) {
            put_key("text");
            put_string(files[i].text, files[i].bytes);
        } else {
            put_text("missing", strerror(files[i].error));
        }
        end('}');
    }
    end(']');
}

/* ---- places of calls ---- */

static struct site {
    const void *caller;
    sim_site site;
    char *text; /* "lab.cu:14 in main" */
    char *path; /* NULL when no line is known */
    int line;
} * sites;
static int site_count;
static size_t site_room;

/* "lab.cu:14 in main" -> "lab.cu", 14 */
static char *split_place(const char *text, int *line)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        char *stop;
        *line = (int)strtol(colon + 1, &stop, 10);
        if (stop != colon + 1 && (!*stop || *stop == ' '))
            return strndup(text, (size_t)(colon - text));
    }
    return NULL;
}

static int site_of(const struct sim_call *call)
{
    for (int i = site_count; i-- > 0;)
        if (sites[i].caller == call->caller && sites[i].site.file == call->site.file &&
            sites[i].site.line == call->site.line)
            return i;
    struct site *longer = sim_room(sites, (size_t)site_count, &site_room, sizeof *sites);
    if (!longer)
        return -1;
    sites = longer;
    struct site *s = &sites[site_count];
    *s = (struct site){.caller = call->caller, .site = call->site, .text = strdup(sim_where_call(call))};
    s->path = s->text ? split_place(s->text, &s->line) : NULL;
    return site_count++;
}

static void put_site(const char *key, const struct sim_call *call)
{
    int i = site_of(call);
    if (i >= 0)
        put_number(key, i);
}

/* Each with the file it is in, if its text is on the page. */
static void put_sites(void)
{
    put_key("sites");
    begin('[');
    for (int i = 0; i < site_count; i++) {
        begin('{');
        put_text("text", sites[i].text);
        put_number("line", sites[i].line);
        put_number("file", file_of(sites[i].path));
        end('}');
    }
    end(']');
}

/* ---- what happened ---- */

static void put_blocks(void)
{
    static const char *const kinds[] = {
        [SIM_DEVICE] = "device", [SIM_PINNED] = "pinned",   [SIM_MANAGED] = "managed",
        [SIM_ARRAY] = "array",   [SIM_SEGMENT] = "segment", [SIM_POOL] = "pool",
        [SIM_MAPPED] = "device"};
    put_key("blocks");
    begin('[');
    for (unsigned i = 0; i < t->block_count; i++) {
        const struct timeline_block *b = &t->blocks[i];
        begin('{');
        put_text("kind", kinds[b->kind]);
        put_number("base", (double)b->base);
        put_number("bytes", (double)b->bytes);
        put_number("born", b->born);
        put_text("api", b->made.api);
        put_site("made", &b->made);
        if (b->died != TIMELINE_LIVES) {
            put_number("died", b->died);
            put_text("freeApi", b->freed.api);
            put_site("freed", &b->freed);
        }
        end('}');
    }
    end(']');
}

static void put_ops(void)
{
    static const char *const whats[] = {
        [TIMELINE_KERNEL] = "kernel", [TIMELINE_COPY] = "copy", [TIMELINE_FILL] = "fill",
        [TIMELINE_ALLOC] = "alloc",   [TIMELINE_FREE] = "free", [TIMELINE_MARK] = "event",
        [TIMELINE_WAIT] = "wait",     [TIMELINE_CALL] = "call", [TIMELINE_HOST] = "host"};
    put_key("ops");
    begin('[');
    for (unsigned i = 0; i < t->op_count; i++) {
        const struct timeline_op *op = &t->ops[i];
        begin('{');
        put_text("what", whats[op->what]);
        put_number("lane", op->lane);
        put_number("seq", (double)op->seq);
        put_number("step", op->step);
        put_number("start", op->start_ns);
        put_number("end", op->end_ns);
        put_text("api", op->call.api);
        put_text("name", op->name);
        put_site("at", &op->call);
        if (op->bytes)
            put_number("bytes", (double)op->bytes);
        if (op->what == TIMELINE_KERNEL) {
            put_dim("grid", op->grid);
            put_dim("block", op->block);
        }
        put_text("from", op->from);
        put_text("to", op->to);
        if (op->failed)
            put_number("failed", 1);
        end('}');
    }
    end(']');
    put_key("deps");
    begin('[');
    for (unsigned i = 0; i < t->dep_count; i++) {
        separate();
        fprintf(out, "[%u,%llu,%u,%llu]", t->deps[i].lane, t->deps[i].for_seq, t->deps[i].on, t->deps[i].seq);
    }
    end(']');
}

static void put_levels(void)
{
    put_key("levels");
    begin('[');
    for (unsigned i = 0; i < t->level_count; i++) {
        separate();
        fprintf(out, "[%u,%zu,%u]", t->levels[i].step, t->levels[i].bytes, t->levels[i].pages);
    }
    end(']');
}

static void put_lanes(void)
{
    put_key("lanes");
    begin('[');
    for (unsigned i = 0; i < t->lane_count; i++) {
        const struct timeline_lane *lane = &t->lanes[i];
        char name[40] = "host";
        if (lane->is_default)
            strcpy(name, "default stream");
        else if (i == TIMELINE_LANES - 1)
            strcpy(name, "other streams");
        else if (i != TIMELINE_HOST_LANE)
            snprintf(name, sizeof name,
                     lane->of_graph    ? "branch of a graph, %llu"
                     : lane->of_thread ? "per-thread stream %llu"
                                       : "stream %llu",
                     lane->id - 1);
        begin('{');
        put_text("name", name);
        if (lane->flags & cudaStreamNonBlocking)
            put_number("nonBlocking", 1);
        put_number("priority", lane->priority);
        end('}');
    }
    end(']');
}

static void put_findings(void)
{
    struct sim_finding f;
    put_key("findings");
    begin('[');
    for (unsigned i = 0; sim_finding_at(i, &f) == 0; i++) {
        begin('{');
        put_text("kind", f.kind);
        put_text("place", f.file);
        put_number("file", file_of(f.file));
        put_number("line", f.line);
        put_text("allocation", f.allocation);
        put_text("message", f.message);
        put_number("count", f.count);
        end('}');
    }
    end(']');
}

static void put_profile(void)
{
    struct profile_rows rows = profile_rows(false);
    put_key("profile");
    begin('[');
    for (size_t i = 0; i < rows.count; i++) {
        const sim_profile_row *r = &rows.row[i];
        begin('{');
        put_text("kernel", r->kernel);
        put_number("file", file_of(r->file));
        put_number("line", r->line);
        put_text("space", r->space);
        put_text("op", r->op);
        put_number("requests", (double)r->requests);
        put_number("bytes", (double)r->bytes);
        put_number("sectors", (double)r->sectors);
        put_number("conflicts", (double)r->conflicts);
        if (r->incomplete)
            put_number("incomplete", 1);
        end('}');
    }
    end(']');
    free(rows.row);
}

static void put_totals(void)
{
    static const char *const orders[] = {"forward", "reverse", "random"};
    char date[40] = "";
    time_t now = time(NULL);
    struct tm local;
    struct cudaDeviceProp device = {0};
    if (localtime_r(&now, &local))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
    cudaGetDeviceProperties(&device, 0);
    put_text("program", program_invocation_short_name);
    put_text("date", date);
    put_text("device", device.name[0] ? device.name : "Simulated device (CPU)");
    put_text("order", orders[sim_settings.order]);
    put_number("seed", (double)sim_settings.seed);
    put_text("error", sim_sticky() ? cudaGetErrorName(sim_sticky()) : NULL);
    put_number("checked", sim_checked);
    put_number("memory", (double)sim_settings.memory);
    put_number("page", SIM_PAGE);
    put_number("spread", (double)sim_spread());
    put_number("steps", t->steps);
    put_number("allocations", (double)t->blocks_seen);
    put_number("frees", (double)t->frees);
    put_number("launches", (double)t->launches);
    put_number("copies", (double)t->copies);
    put_number("fills", (double)t->fills);
    put_number("copied", (double)t->copied);
    put_number("neverRan", (double)(t->submitted - t->ran));
    put_number("peak", (double)t->peak);
    put_number("peakStep", t->peak_step);
    put_number("peakPages", t->peak_pages);
    put_number("opsSeen", (double)t->ops_seen);
    put_number("depsSeen", (double)t->deps_seen);
}

static void put_data(void)
{
    begin('{');
    put_totals();
    put_lanes();
    put_blocks();
    put_ops();
    put_levels();
    put_findings();
    put_profile();
    put_sites();
    put_files();
    end('}');
}

/* ---- the same without scripts ---- */

static void put_html(const char *text)
{
    for (; text && *text; text++)
        if (strchr("<>&\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
}

static void put_row(const char *a, const char *b)
{
    fputs("<tr><th>", out);
    put_html(a);
    fputs("</th><td>", out);
    put_html(b);
    fputs("</td></tr>\n", out);
}

static void put_table(void)
{
    char text[200];
    struct sim_finding f;
    put_row("program", program_invocation_short_name);
    snprintf(text, sizeof text, "%lu, of which %lu freed; peak %zu bytes in %u pages of %zu", t->blocks_seen,
             t->frees, t->peak, t->peak_pages, sim_settings.memory / SIM_PAGE);
    put_row("allocations", text);
    snprintf(text, sizeof text, "%lu kernels, %lu copies of %zu bytes, %lu fills", t->launches, t->copies,
             t->copied, t->fills);
    put_row("operations", text);
    for (unsigned i = 0; sim_finding_at(i, &f) == 0; i++) {
        snprintf(text, sizeof text, "%s:%d", f.file ? f.file : "?", f.line);
        put_row(f.file ? text : "finding", f.message);
    }
}

bool page_write(void)
{
    static const struct {
        const char *mark, *text;
        void (*write)(void);
    } parts[] = {{"@STYLE@", page_css, NULL},
                 {"@DATA@", NULL, put_data},
                 {"@TABLE@", NULL, put_table},
                 {"@SCRIPT@", page_js, NULL}};
    const char *path = timeline_path(), *from = page_html;
    if (!path)
        return true;
    timeline_on = false;
    t = timeline_end();
    out = fopen(path, "we");
    for (size_t i = 0; out && i < sizeof parts / sizeof *parts; i++) {
        const char *mark = strstr(from, parts[i].mark);
        fwrite(from, 1, (size_t)(mark - from), out);
        from = mark + strlen(parts[i].mark);
        if (parts[i].text)
            fputs(parts[i].text, out);
        else
            parts[i].write();
    }
    if (out)
        fputs(from, out);
    bool failed = !out || ferror(out);
    failed |= out && fclose(out);
    if (failed)
        fprintf(stderr, "[sim] SIM_REPORT=%s cannot be written: %s\n", path, strerror(errno));
    return !failed;
}
