/* SPDX-License-Identifier: MIT */
/*
 * Any text through the translator. Whatever it is:
 *   - nothing crashes, and it does not take long
 *   - a finding names a place that there is
 *   - what is accepted keeps its lines, a plain launch in it is translated, and a file without a change is
 *     written as it is
 *   - the same text again gives the same translation, and so (but for kernels, which are declared twice then)
 *     does a translation that is translated
 */
#include "../../common/sim/xlate.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const size_t fuzz_step = 1;
unsigned long long fuzz_calls;
int fuzz_tell;

/* In front of every text, on a line of its own. */
static const char launch[] = "__global__ void fuzz_kernel(int *); void fuzz_launch(int *p) "
                             "{ fuzz_kernel<<<dim3(1, 2), 3, 4>>>(p); }\n";
static const char launched[] = "__global__ void fuzz_kernel(int *); void fuzz_launch(int *p) "
                               "{ fuzz_kernel%$(dim3(1, 2), 3, 4)  (p); }\n";
/* The same, where the text has other functions of that name: the compiler chooses. */
static const char chosen[] = "__global__ void fuzz_kernel(int *); void fuzz_launch(int *p) "
                             "{ $K(fuzz_kernel)%$(dim3(1, 2), 3, 4)  (p); }\n";

static void demand(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "xlate: %s\n", what);
    abort();
}

static int begins(const char *text, size_t n, const char *with)
{
    return n >= strlen(with) && !memcmp(text, with, strlen(with));
}

static int count_lines(const char *text, size_t n)
{
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

struct half {
    const char *text;
    size_t bytes;
};

/* Every include finds the second half of the input, by a name of one letter. */
static int load(void *user, const char *from, const char *name, int quoted, char **path, char **text,
                size_t *bytes)
{
    const struct half *half = user;
    (void)from;
    if (!quoted || strlen(name) > 1)
        return 0;
    *bytes = half->bytes;
    *path = strdup(name);
    *text = malloc(half->bytes + 1);
    memcpy(*text, half->text, half->bytes);
    return 1;
}

static xlate *translate(const char *text, size_t bytes, struct half *half)
{
    xlate *unit = xlate_create(load, half, bytes & 1 ? XLATE_DEVICE_LAMBDAS : 0);
    xlate_define(unit, "CASE", "1");
    xlate_define(unit, "GONE", NULL);
    xlate_read(unit, "f.cu", text, bytes);
    return unit;
}

/* Past the #line. */
static const char *written(xlate *unit, int file, size_t *bytes)
{
    xlate_file_place(unit, file, "placed");
    const char *out = xlate_file_write(unit, file, bytes), *end = memchr(out, '\n', *bytes);
    demand(end != NULL, "no #line");
    *bytes -= (size_t)(end + 1 - out);
    return end + 1;
}

static int errors_of(xlate *unit, const char *text, size_t bytes, const struct half *half)
{
    int count, errors = 0;
    const xlate_finding *f = xlate_findings(unit, &count);
    for (int i = 0; i < count; i++) {
        int lines =
            1 + (strcmp(f[i].path, "f.cu") ? count_lines(half->text, half->bytes) : count_lines(text, bytes));
        demand(f[i].line >= 1 && f[i].line <= lines && f[i].column >= 1, "a finding at no place");
        errors += !f[i].is_warning;
    }
    return errors;
}

static void check_text(const char *text, size_t bytes, struct half *half)
{
    xlate *unit = translate(text, bytes, half), *again = translate(text, bytes, half);
    int errors = errors_of(unit, text, bytes, half);
    for (int i = 0; i < xlate_file_count(unit) && !errors; i++) {
        struct half in = i ? *half : (struct half){text, bytes};
        int changed = xlate_file_changed(unit, i), bom = in.bytes > 2 && !memcmp(in.text, "\xef\xbb\xbf", 3);
        if (strchr(xlate_file_path(unit, i), '\n'))
            continue;
        size_t n, m;
        const char *out = written(unit, i, &n), *same = written(again, i, &m);
        demand(count_lines(out, n) == count_lines(in.text, in.bytes), "lines lost or won");
        demand(n == m && !memcmp(out, same, n), "the same text, another translation");
        if (!changed)
            demand(n == in.bytes - 3 * bom && !memcmp(out, in.text + 3 * bom, n), "changed, but not said so");
        if (i == 0)
            demand(begins(out, n, launched) || begins(out, n, chosen), "the plain launch is not translated");
        if (i == 0)
            xlate_destroy(translate(out, n, half));
    }
    xlate_destroy(unit);
    xlate_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double seconds = 2, seconds_a_byte = 1e-4; /* of the processor, with a sanitizer's help */
    if (fuzz_tell)
        fwrite(data, 1, size, stdout);
    clock_t start = clock();
    struct half half = {(const char *)data + size / 2, size - size / 2};
    size_t head = sizeof launch - 1;
    char *text = malloc(head + size + 1);
    memcpy(text, launch, head);
    memcpy(text + head, data, size);
    check_text(text, head + size, &half);
    free(text);
    fuzz_calls++;
    demand((double)(clock() - start) / CLOCKS_PER_SEC < seconds + seconds_a_byte * (double)size, "too slow");
    return 0;
}
