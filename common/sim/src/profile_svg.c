/* SPDX-License-Identifier: MIT */
/*
 * The memory profile as a picture: each source line with what it moved, the part that was asked for and the
 * part that was not.
 *
 *   14  out[i] = in[2 * i];   global load   [=======|.......]  256 KiB asked, 512 KiB moved: 50 %
 */
#include <stdlib.h>
#include <string.h>
#include "profile.h"

enum {
    WIDTH = 1120,
    ROW = 22,
    HEAD = 40,
    TOP = 84,
    TEXT_X = 64,
    OP_X = 560,
    BAR_X = 668,
    BAR = 230,
    SAY_X = 910
};
enum { COLUMNS = 62 }; /* of source text that fit */

/* ---- text ---- */

/* At most `columns` characters, the rest as dots. */
static void put_text(FILE *f, const char *text, int columns)
{
    for (const unsigned char *c = (const unsigned char *)text; *c && *c != '\n' && *c != '\r'; columns--) {
        int n = sim_utf8(c);
        if (columns == 0) {
            fputs("&#8230;", f);
            return;
        }
        if (!n || (*c < 0x20 && *c != '\t') || *c == 0x7f)
            fputs(n ? " " : "&#65533;", f);
        else if (strchr("<>&\"'", *c))
            fprintf(f, "&#%d;", *c);
        else
            fprintf(f, "%.*s", n, *c == '\t' ? " " : (const char *)c);
        c += n ? n : 1;
    }
}

/* The file's text, kept for the next line of it; NULL when it cannot be read. */
static const char *source(const char *name)
{
    static char *text;
    static const char *of;
    if (of == name)
        return text;
    free(text);
    text = NULL;
    of = name;
    FILE *f = fopen(name, "r");
    long bytes = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    if (bytes >= 0 && bytes < 1 << 24 && (text = calloc(1, (size_t)bytes + 1))) {
        rewind(f);
        text[fread(text, 1, (size_t)bytes, f)] = 0;
    }
    if (f)
        fclose(f);
    return text;
}

static const char *source_line(const sim_profile_row *r)
{
    const char *at = r->file ? source(r->file) : NULL;
    for (int i = 1; at && i < r->line; i++)
        if ((at = strchr(at, '\n')))
            at++;
    return at ? at + strspn(at, " \t") : "";
}

/* ---- bars ---- */

/* Bytes moved: sectors; of shared memory 128 a pass, of constant memory a word a pass. */
static double moved(const sim_profile_row *r)
{
    double passes = (double)(r->requests + r->conflicts);
    return *r->space == 's' ? 128 * passes : *r->space == 'c' ? 4 * passes : 32 * (double)r->sectors;
}

static double useful(const sim_profile_row *r)
{
    double share = sim_profile_efficiency(r);
    return moved(r) * (share < 1 ? share : 1);
}

static const char *size_text(double bytes, char text[24])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++)
        bytes /= 1024;
    snprintf(text, 24, bytes < 10 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

static void draw_row(FILE *f, const sim_profile_row *r, double most, int y, bool first_of_line)
{
    char asked[24], all[24];
    double scale = BAR / most, good = useful(r) * scale, whole = moved(r) * scale;
    if (first_of_line) {
        fprintf(f, "<text class='n' x='%d' y='%d'>%d</text><text class='c' x='%d' y='%d'>", TEXT_X - 14,
                y + 15, r->line, TEXT_X, y + 15);
        put_text(f, source_line(r), COLUMNS);
        fputs("</text>\n", f);
    }
    fprintf(f, "<text x='%d' y='%d'>%s %s</text>", OP_X, y + 15, r->space, r->op);
    fprintf(f, "<rect class='w' x='%d' y='%d' width='%.1f' height='14'/>", BAR_X, y + 4,
            whole < 1 ? 1 : whole);
    fprintf(f, "<rect class='u' x='%d' y='%d' width='%.1f' height='14'/>", BAR_X, y + 4, good);
    if (*r->space == 's' || *r->space == 'c')
        fprintf(f, "<text x='%d' y='%d'>%llu conflicts in %llu requests", SAY_X, y + 15, r->conflicts,
                r->requests);
    else
        fprintf(f, "<text x='%d' y='%d'>%s asked, %s moved: %.0f %%", SAY_X, y + 15,
                size_text((double)r->bytes, asked), size_text(moved(r), all),
                100 * sim_profile_efficiency(r));
    fprintf(f, "%s</text>\n", r->incomplete ? " (incomplete)" : "");
}

static bool same_kernel(const sim_profile_row *a, const sim_profile_row *b)
{
    return a->kernel == b->kernel;
}

static bool same_file(const sim_profile_row *a, const sim_profile_row *b)
{
    return same_kernel(a, b) && (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

static void draw_head(FILE *f, const sim_profile_row *r, int y)
{
    fprintf(f, "<text class='k' x='16' y='%d'>", y + 28);
    put_text(f, r->kernel, 60);
    fputs("<tspan class='f' dx='12'>", f);
    put_text(f, r->file ? r->file : "compiled without -g", 60);
    fprintf(f, "</tspan></text><path d='M16 %d.5H%d'/>\n", y + HEAD - 5, WIDTH - 16);
}

/* The longest bar of the kernel that begins here; others are drawn to its scale. */
static double most_moved(const sim_profile_row *first, const sim_profile_row *end)
{
    double most = 1;
    for (const sim_profile_row *r = first; r < end && same_kernel(r, first); r++)
        most = moved(r) > most ? moved(r) : most;
    return most;
}

void profile_draw(FILE *f, struct profile_rows rows)
{
    const sim_profile_row *r = rows.row;
    int height = TOP + 16;
    double most = 1;
    for (size_t i = 0; i < rows.count; i++)
        height += ROW + (i == 0 || !same_file(&r[i], &r[i - 1]) ? HEAD : 0);
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n", WIDTH,
            height, WIDTH, height);
    fputs("<title>What warps asked of memory</title>\n<style>\n"
          "text { font: 13px sans-serif; fill: #333; white-space: pre }\n"
          ".c { font-family: monospace } .n { text-anchor: end; fill: #888; font-family: monospace }\n"
          ".h { font-size: 20px } .k { font-weight: bold; font-size: 15px } .f { font-weight: normal; fill: "
          "#888 }\n"
          ".u { fill: #2b78b5 } .w { fill: #f0b35a } path { stroke: #ddd }\n</style>\n"
          "<rect width='100%' height='100%' fill='#fff'/>\n"
          "<text class='h' x='16' y='36'>What warps asked of memory</text>\n",
          f);
    fprintf(
        f,
        "<rect class='u' x='16' y='54' width='14' height='14'/><text x='36' y='66'>asked for</text>"
        "<rect class='w' x='120' y='54' width='14' height='14'/><text x='140' y='66'>moved in vain: the rest "
        "of a sector, passes repeated for bank conflicts</text>\n");
    if (!rows.count)
        fprintf(f, "<text x='16' y='%d'>nothing was counted</text>\n", TOP + 10);
    for (size_t i = 0, y = TOP; i < rows.count; i++, y += ROW) {
        bool head = i == 0 || !same_file(&r[i], &r[i - 1]);
        if (i == 0 || !same_kernel(&r[i], &r[i - 1]))
            most = most_moved(&r[i], &r[rows.count]);
        if (head)
            draw_head(f, &r[i], (int)y);
        y += head ? HEAD : 0;
        draw_row(f, &r[i], most, (int)y, head || r[i].line != r[i - 1].line);
    }
    fputs("</svg>\n", f);
}
