/* SPDX-License-Identifier: MIT */
/* libFuzzer harness: no input makes the translator crash, and what it accepts keeps its lines.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined tests/simcc/fuzz_xlate.c common/sim/xlate*.c -o
 * build/fuzz_xlate build/fuzz_xlate -max_total_time=300 build/corpus tests/simcc/accept */
#include "../../common/sim/xlate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int count_lines(const char *text, size_t n)
{
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Every include finds the second half of the input, once. */
static int load(void *user, const char *from, const char *name, int quoted, char **path, char **text,
                size_t *bytes)
{
    const char **half = user;
    (void)from;
    if (!quoted || strlen(name) > 1)
        return 0;
    *bytes = (size_t)(half[1] - half[0]);
    *path = strdup(name);
    *text = malloc(*bytes + 1);
    memcpy(*text, half[0], *bytes);
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *half[2] = {text + size / 2, text + size};
    xlate *unit = xlate_create(load, half, size & 1 ? XLATE_DEVICE_LAMBDAS : 0);
    xlate_define(unit, "CASE", "1");
    xlate_define(unit, "GONE", NULL);
    xlate_read(unit, "f.cu", text, size);
    int findings;
    const xlate_finding *f = xlate_findings(unit, &findings);
    for (int i = 0; i < findings; i++)
        if (f[i].line < 1 || f[i].column < 1 || f[i].line > count_lines(text, size) + 1 + (int)size)
            abort();
    for (int i = 0; i < xlate_file_count(unit) && !findings; i++) {
        size_t n, bytes = i ? (size_t)(half[1] - half[0]) : size;
        xlate_file_place(unit, i, "placed");
        const char *out = xlate_file_write(unit, i, &n), *end = memchr(out, '\n', n);
        const char *path = xlate_file_path(unit, i);
        if (!end || strchr(path, '\n'))
            continue;
        if (count_lines(out, n) != count_lines(i ? half[0] : text, bytes) + 1)
            abort();
    }
    xlate_destroy(unit);
    return 0;
}
