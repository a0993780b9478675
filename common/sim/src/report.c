/* SPDX-License-Identifier: MIT */
/*
 * What a report can say: the source line behind an address, what lies at another, what was never freed.
 *
 *   [sim] HOST code read device memory
 *         at     lab.cu:17 in main
 *         is     byte 12 of the 400-byte block made by cudaMalloc at lab.cu:14 in main
 *         why    an address from cudaMalloc means something to the device only ...
 */
#define _GNU_SOURCE
#include <backtrace.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "sim.h"

enum { TEXTS = 8, TEXT = 512, NEARBY = 16 /* bytes of code */ };

/* ---- from addresses to source lines ---- */

static struct backtrace_state *symbols;

static void on_error(void *data, const char *message, int number)
{
    (void)data, (void)message, (void)number;
}

static bool is_ours(const char *file)
{
    return strstr(file, "common/sim/include/") || strstr(file, "common/sim/src/") ||
           strstr(file, "/include/c++/");
}

struct place {
    const char *file, *function;
    int line;
};

static int on_line(void *data, uintptr_t pc, const char *file, int line, const char *function)
{
    struct place *place = data;
    (void)pc;
    if (!file || is_ours(file))
        return 0; /* inlined from our headers: the frame around it is the learner's */
    *place = (struct place){file, function, line};
    return 1;
}

static void on_name(void *data, uintptr_t pc, const char *name, uintptr_t value, uintptr_t bytes)
{
    (void)pc, (void)value, (void)bytes;
    *(const char **)data = name;
}

char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status) __attribute__((weak));

/* Room for a text that lives until the next TEXTS calls. */
static char *room(void)
{
    static char texts[TEXTS][TEXT];
    static unsigned next;
    return texts[next++ % TEXTS];
}

static const char *plain_name(const char *mangled, bool arguments)
{
    char *text = room(), *plain = NULL;
    int status = -1;
    if (mangled && __cxa_demangle)
        plain = __cxa_demangle(mangled, NULL, NULL, &status);
    snprintf(text, TEXT, "%s", plain ? plain : mangled ? mangled : "?");
    free(plain);
    char *open = arguments ? NULL : strchr(text, '(');
    if (open && open != text)
        *open = 0;
    return text;
}

static void start(void)
{
    if (!symbols)
        symbols = backtrace_create_state(NULL, 1, on_error, NULL);
}

/* As the learner sees the file: relative to the working directory. */
static const char *short_path(const char *file)
{
    char here[TEXT];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length > 1 && !strncmp(file, here, length) && file[length] == '/')
        file += length + 1;
    return strncmp(file, "./", 2) ? file : file + 2;
}

/* The system's libraries may have line numbers too; nobody wants to be sent there. */
static bool in_system_library(const void *pc)
{
    Dl_info info;
    return dladdr(pc, &info) && info.dli_fname &&
           (!strncmp(info.dli_fname, "/lib", 4) || !strncmp(info.dli_fname, "/usr/lib", 8));
}

bool sim_is_learner_code(const void *return_address)
{
    struct place place = {0};
    start();
    if (symbols && return_address && !in_system_library(return_address))
        backtrace_pcinfo(symbols, (uintptr_t)return_address - 1, on_line, on_error, &place);
    return place.file != NULL;
}

/*
 * Binutils knows lines that libbacktrace before 2025 does not: those of templates in a file, some of which
 * another file of the program has too.
 */
static struct place ask_addr2line(const char *pc)
{
    static char function[TEXT], file[TEXT];
    struct place place = {0};
    char command[160];
    Dl_info info, program;
    if (!dladdr(pc, &info) || !dladdr((void *)getauxval(AT_ENTRY), &program) ||
        info.dli_fbase != program.dli_fbase)
        return place;
    const ElfW(Ehdr) *elf = info.dli_fbase;
    size_t at = elf->e_type == ET_EXEC ? (size_t)pc : (size_t)(pc - (const char *)info.dli_fbase);
    snprintf(command, sizeof command, "addr2line -i -f -e /proc/%d/exe %zx 2>/dev/null", (int)getpid(), at);
    FILE *f = popen(command, "re");
    while (f && !place.file && fscanf(f, "%511s %511[^:]:%d%*[^\n]", function, file, &place.line) == 3)
        if (*file != '?' && !is_ours(file))
            place = (struct place){file, function, place.line};
    if (f)
        pclose(f);
    return place;
}

/* The optimiser may leave the learner's access to a line of our headers: then it is the next in the code. */
static struct place place_of(const void *return_address)
{
    struct place place = {0};
    start();
    for (uintptr_t i = 0; symbols && return_address && !place.file && i < NEARBY; i++)
        backtrace_pcinfo(symbols, (uintptr_t)return_address - 1 + i, on_line, on_error, &place);
    return place.file ? place : ask_addr2line((const char *)return_address - 1);
}

static int on_innermost(void *data, uintptr_t pc, const char *file, int line, const char *function)
{
    (void)pc, (void)line, (void)function;
    *(bool *)data = file && is_ours(file);
    return 1;
}

bool sim_is_header_code(const void *return_address)
{
    bool ours = false;
    start();
    if (symbols && return_address)
        backtrace_pcinfo(symbols, (uintptr_t)return_address - 1, on_innermost, on_error, &ours);
    return ours;
}

bool sim_place(const void *return_address, const char **file, int *line)
{
    struct place place = place_of(return_address);
    *file = place.file ? short_path(place.file) : NULL;
    *line = place.line;
    return place.file != NULL;
}

const char *sim_where(const void *return_address)
{
    struct place place = place_of(return_address);
    char *text = room();
    if (!place.file)
        return snprintf(text, TEXT, "%p (compile with -g to see the line)", return_address), text;
    if (!place.function)
        return snprintf(text, TEXT, "%s:%d", short_path(place.file), place.line), text;
    snprintf(text, TEXT, "%s:%d in %s", short_path(place.file), place.line,
             plain_name(place.function, false));
    return text;
}

const char *sim_where_call(const struct sim_call *call)
{
    if (!call->site.file)
        return call->caller ? sim_where(call->caller) : call->api ? call->api : "unknown";
    char *text = room();
    snprintf(text, TEXT, "%s:%d", short_path(call->site.file), call->site.line);
    return text;
}

const char *sim_function_name(const void *entry)
{
    const char *name = NULL;
    start();
    if (symbols)
        backtrace_syminfo(symbols, (uintptr_t)entry, on_name, on_error, &name);
    return plain_name(name, false);
}

/* ---- what is at an address ---- */

static const char *noun(enum sim_kind kind)
{
    static const char *const nouns[] = {[SIM_DEVICE] = "device block",
                                        [SIM_PINNED] = "block of pinned host memory",
                                        [SIM_MANAGED] = "managed block",
                                        [SIM_ARRAY] = "array",
                                        [SIM_SEGMENT] = "segment",
                                        [SIM_POOL] = "device block from a pool",
                                        [SIM_HEAP] = "block of the device's heap",
                                        [SIM_REGISTERED] = "registered host range",
                                        [SIM_SYMBOL] = "device variable",
                                        [SIM_RESERVED] = "reserved range",
                                        [SIM_MAPPED] = "mapping"};
    return nouns[kind];
}

const char *sim_what(const void *p)
{
    const struct sim_block *b = sim_find(p);
    char *text = room();
    if (!p)
        return "NULL";
    if (!b && sim_shared_what(p))
        return sim_shared_what(p);
    const struct sim_block *around = b ? NULL : sim_reservation(p);
    if (around)
        return snprintf(text, TEXT, "in the %zu bytes reserved by %s at %s, where no memory is mapped",
                        around->bytes, around->api, sim_where_call(&around->made)),
               text;
    if (!b)
        return sim_in_device_range(p) ? "a device address that no allocation holds"
                                      : "plain host memory (stack, heap or a global)";
    long offset = (long)((const char *)p - b->base);
    if (b->kind == SIM_SYMBOL)
        return snprintf(text, TEXT, "byte %ld of the %zu-byte device variable %s", offset, b->bytes, b->api),
               text;
    int n = (size_t)offset < b->bytes
                ? snprintf(text, TEXT, "byte %ld of the %zu-byte %s", offset, b->bytes, noun(b->kind))
                : snprintf(text, TEXT, "%ld bytes past the end of the %zu-byte %s", offset - (long)b->bytes,
                           b->bytes, noun(b->kind));
    n += snprintf(text + n, TEXT - (size_t)n, " made by %s at %s", b->api, sim_where_call(&b->made));
    if (b->live && b->kind == SIM_MAPPED && b->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        snprintf(text + n, TEXT - (size_t)n, ", to which cuMemSetAccess gives %s",
                 b->flags ? "read access only" : "no access");
    if (b->pitch && (size_t)offset < b->bytes)
        n += snprintf(text + n, TEXT - (size_t)n, ", byte %zu of row %zu%s", offset % b->pitch,
                      offset / b->pitch, offset % b->pitch < b->row ? "" : ", in the padding behind it");
    if (!b->live)
        snprintf(text + n, TEXT - (size_t)n, ", %s by %s at %s", b->kind == SIM_MAPPED ? "unmapped" : "freed",
                 b->freed.api, sim_where_call(&b->freed));
    return text;
}

/* ---- at exit ---- */

static int by_site(const void *a, const void *b)
{
    const struct sim_block *x = *(struct sim_block *const *)a, *y = *(struct sim_block *const *)b;
    return x->made.caller != y->made.caller
               ? (x->made.caller > y->made.caller) - (x->made.caller < y->made.caller)
               : strcmp(x->api, y->api);
}

size_t sim_live_allocations(size_t *bytes)
{
    size_t count = 0, total = 0;
    struct sim_block *first = sim_live_first();
    for (struct sim_block *b = first; b->base; b = b->next) {
        count += b->kind != SIM_SEGMENT;
        total += b->kind != SIM_SEGMENT && b->kind != SIM_RESERVED ? b->bytes : 0;
    }
    if (bytes)
        *bytes = total;
    return count;
}

void sim_leaks_at_exit(void)
{
    size_t bytes, count = sim_live_allocations(&bytes), i = 0;
    struct sim_block **list = count ? malloc(count * sizeof *list) : NULL;
    if (!list)
        return;
    for (struct sim_block *b = sim_live_first(); b->base; b = b->next)
        if (b->kind != SIM_SEGMENT)
            list[i++] = b;
    qsort(list, count, sizeof *list, by_site);
    struct sim_report r =
        sim_note("leaks", "%zu allocation%s never freed: %zu bytes", count, count == 1 ? "" : "s", bytes);
    for (size_t from = 0, to; from < count; from = to) {
        size_t sum = 0;
        for (to = from; to < count && !by_site(&list[from], &list[to]); to++)
            sum += list[to]->bytes;
        const char *where = sim_where_call(&list[from]->made), *api = list[from]->api;
        sim_report_line(r, "leak", "%zu x %s at %s: %zu bytes", to - from, api, where, sum);
        sim_finding_add("leak", where, (unsigned)(to - from), "%zu x %s at %s never freed: %zu bytes",
                        to - from, api, where, sum);
    }
    sim_report_line(r, "why", "each allocation needs its free, also on the way out after an error");
    sim_report_end(r);
    free(list);
}
