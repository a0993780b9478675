/* SPDX-License-Identifier: MIT */
/*
 * Reports and findings. A report is a block of lines on stderr; a finding is what stays of one: where, what
 * memory, what was wrong, how often. A note is a report that is no finding.
 *
 * The first of a kind at a place is shown, the others are counted. In the checked build, where each thread of
 * a launch may repeat a mistake, the block is held back until the launch has ended and says how many did.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "sim/check.h"

enum { SHOWN = 24, KEPT = 128, PLACES = 512, TEXT = 512, BLOCK = 3072 };

static struct finding {
    char kind[48];
    char file[256], allocation[TEXT], message[2 * TEXT];
    int line;
    bool is_note, is_shown, has_at, has_thread;
    bool held;            /* its block is in `block`, not yet on the screen */
    unsigned count, told; /* how often; how many of them the screen knows of */
    unsigned latest;      /* total when it was made last */
    unsigned threads;     /* while held: how many did it */
    unsigned long long grid_block;
    uint64_t thread_seen[16]; /* those of grid_block */
    int block_bytes;
    char block[BLOCK];
} found[KEPT];
static int found_count, shown_count;
static unsigned total, not_shown;

/* Which finding a kind is at a place of the code. */
static struct place {
    char kind[48];
    const void *caller;
    int line, finding;
} places[PLACES];
static int place_count, last_place;

static enum { GO_ON, STOP, IGNORE } on_finding;
static const char *json_file;
static pid_t owner; /* a child made by fork writes nothing */
static bool kept;   /* somebody wants the findings */
static bool stopped, exiting;

/* ---- the screen ---- */

static bool colour(void)
{
    static int answer = -1;
    if (answer < 0)
        answer = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    return answer;
}

static void say(struct finding *f, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    if (f->held) {
        int room = BLOCK - f->block_bytes, n = vsnprintf(f->block + f->block_bytes, (size_t)room, text, list);
        f->block_bytes += n < room ? n : room - 1;
    } else if (f->is_shown) {
        sim_progress_clear();
        vfprintf(stderr, text, list);
    }
    va_end(list);
}

static void say_line(struct finding *f, const char *label, const char *text)
{
    say(f, "      %-7s %s\n", label, text);
}

/* How many have done it; the block shows the first. */
static void say_count(struct finding *f)
{
    char text[96], times[32] = "";
    if (f->has_thread && f->threads > 1) {
        if (f->count > f->threads)
            snprintf(times, sizeof times, ", %u times", f->count);
        snprintf(text, sizeof text, "%u threads did this: the one above and %u more%s", f->threads,
                 f->threads - 1, times);
        say_line(f, "threads", text);
    } else if (f->count > 1) {
        snprintf(text, sizeof text, "this and %u more at the same line", f->count - 1);
        say_line(f, "times", text);
    }
}

void sim_findings_show(void)
{
    for (int i = 0; i < found_count; i++) {
        struct finding *f = &found[i];
        if (!f->held)
            continue;
        say_count(f);
        f->held = false;
        f->told = f->count;
        fflush(stdout);
        say(f, "%s", f->block);
    }
}

/* ---- where ---- */

/* "lab.cu:17 in main", "cudaMalloc at lab.cu:12": the file and the line. */
static bool parse_place(const char *text, struct finding *f)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        size_t digits = strspn(colon + 1, "0123456789");
        if (!digits || (colon[1 + digits] && !strchr(" ,;)", colon[1 + digits])))
            continue;
        const char *first = text;
        for (const char *at = strstr(text, " at "); at && at < colon; at = strstr(at + 1, " at "))
            first = at + 4;
        snprintf(f->file, sizeof f->file, "%.*s", (int)(colon - first), first);
        f->line = atoi(colon + 1);
        return true;
    }
    return false;
}

/* The lines that say where the mistake is; "at" counts before the others. */
static void note_place(struct finding *f, const char *label, const char *text)
{
    static const char *const labels[] = {"leak", "from", "found", "waiting"};
    if (!strcmp(label, "at")) {
        f->has_at |= !f->has_at && parse_place(text, f);
        return;
    }
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (!f->line && !strcmp(label, labels[i]))
            parse_place(text, f);
}

/* ---- reports ---- */

static struct place *find_place(const char *kind, const void *caller, int line)
{
    for (int n = 0, i = last_place; n < place_count; n++, i = (i + 1) % place_count)
        if (places[i].caller == caller && places[i].line == line &&
            !strncmp(places[i].kind, kind, sizeof places[i].kind - 1))
            return &places[last_place = i];
    return NULL;
}

/* The same line has many addresses: loops are unrolled, functions inlined, templates made. */
static int same_line(const char *kind, const char *where)
{
    struct finding here = {0};
    if (parse_place(where, &here))
        for (int i = 0; i < found_count; i++)
            if (found[i].line == here.line && !strcmp(found[i].file, here.file) &&
                !strncmp(found[i].kind, kind, sizeof found[i].kind - 1))
                return i;
    return -1;
}

static int new_finding(const char *kind, bool is_note)
{
    struct finding *f = &found[found_count];
    *f = (struct finding){.is_note = is_note};
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    f->is_shown = shown_count < SHOWN;
    shown_count += f->is_shown;
    return found_count++;
}

static void count_thread(struct finding *f)
{
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned long long rows = blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z;
    unsigned long long block = blockIdx.x + gridDim.x * rows;
    if (block != f->grid_block || !f->threads)
        memset(f->thread_seen, 0, sizeof f->thread_seen);
    f->grid_block = block;
    uint64_t *word = &f->thread_seen[thread / 64 % 16], bit = 1ull << thread % 64;
    f->threads += !(*word & bit);
    *word |= bit;
}

/* `pc`: the place where the report names its own, else the host's call is the place. */
static struct sim_report begin(const char *kind, const void *pc, bool is_note, const char *title,
                               va_list list)
{
    const void *caller = pc ? pc : sim_call.caller;
    int line = pc ? 0 : sim_call.site.line;
    struct place *place = find_place(kind, caller, line);
    const char *where = place || !sim_checked ? "" : pc ? sim_where(pc) : sim_where_call(&sim_call);
    int i = place ? place->finding : same_line(kind, where);
    bool is_new = i < 0;
    total += !is_note;
    if (is_new && found_count < KEPT)
        i = new_finding(kind, is_note);
    if (i < 0) {
        not_shown++;
        return (struct sim_report){false, -1};
    }
    if (!place && place_count < PLACES) {
        places[place_count] = (struct place){"", caller, line, i};
        snprintf(places[place_count++].kind, sizeof place->kind, "%s", kind);
    }
    struct finding *f = &found[i];
    f->count++;
    f->latest = total;
    not_shown += !f->is_shown;
    if (f->held)
        count_thread(f);
    if (!is_new)
        return (struct sim_report){false, i};
    f->held = f->is_shown && sim_checked && sim_running() && on_finding != STOP;
    f->told = !f->held;
    if (f->held)
        count_thread(f);
    else
        fflush(stdout); /* keep the order in which things happened */
    vsnprintf(f->message, sizeof f->message, title, list);
    say(f, colour() ? "\033[1;31m[sim]\033[0m \033[1m%s\033[0m\n" : "[sim] %s\n", f->message);
    return (struct sim_report){true, i};
}

struct sim_report sim_report(const char *kind, const char *title, ...)
{
    va_list list;
    va_start(list, title);
    struct sim_report r = begin(kind, NULL, false, title, list);
    va_end(list);
    return r;
}

struct sim_report sim_report_at(const char *kind, const void *pc, const char *title, ...)
{
    va_list list;
    va_start(list, title);
    struct sim_report r = begin(kind, pc, false, title, list);
    va_end(list);
    return r;
}

struct sim_report sim_note(const char *kind, const char *title, ...)
{
    va_list list;
    va_start(list, title);
    struct sim_report r = begin(kind, NULL, true, title, list);
    va_end(list);
    return r;
}

void sim_report_line(struct sim_report r, const char *label, const char *text, ...)
{
    char line[2 * TEXT];
    if (!r.shown)
        return;
    struct finding *f = &found[r.finding];
    va_list list;
    va_start(list, text);
    vsnprintf(line, sizeof line, text, list);
    va_end(list);
    say_line(f, label, line);
    note_place(f, label, line);
    f->has_thread |= !strcmp(label, "thread");
    if (!strcmp(label, "is") || (!f->allocation[0] && strstr(line, " made by ")))
        snprintf(f->allocation, sizeof f->allocation, "%.*s", TEXT - 1, line);
    size_t n = strlen(f->message);
    if (!strcmp(label, "why"))
        snprintf(f->message + n, sizeof f->message - n, ": %s", line);
}

/* The process ends here, wherever that is; the program's exit handlers meet a device that refuses all. */
static void stop(void)
{
    fflush(stdout);
    stopped = true;
    check_on_device = false;
    sim_fault_device_thread(false);
    sim_set_sticky(cudaErrorLaunchFailure);
    exit(1);
}

void sim_report_end(struct sim_report r)
{
    if (!r.shown)
        return;
    struct finding *f = &found[r.finding];
    if (!f->line && !f->has_at)
        parse_place(sim_where_call(&sim_call), f);
    fflush(stderr);
    if (on_finding == STOP && !f->is_note && !exiting)
        stop();
}

void sim_finding_add(const char *kind, const char *where, unsigned count, const char *message, ...)
{
    if (found_count == KEPT)
        return;
    struct finding *f = &found[new_finding(kind, false)];
    va_list list;
    va_start(list, message);
    vsnprintf(f->message, sizeof f->message, message, list);
    va_end(list);
    parse_place(where, f);
    f->is_shown = true;
    f->count = f->told = count;
    f->latest = total += count;
}

static unsigned finding_count(void)
{
    unsigned count = 0;
    for (int i = 0; i < found_count; i++)
        count += !found[i].is_note;
    return count;
}

/* ---- the file: written with no more than write(), since the process may be dying ---- */

static struct {
    int fd;
    size_t bytes;
    bool failed;
    char text[4096];
} out;

static void flush(void)
{
    for (size_t at = 0; at < out.bytes && !out.failed;) {
        ssize_t n = write(out.fd, out.text + at, out.bytes - at);
        out.failed = n < 0 && errno != EINTR;
        at += n > 0 ? (size_t)n : 0;
    }
    out.bytes = 0;
}

/* At most 64 bytes. */
static void put(const char *text, ...)
{
    va_list list;
    if (out.bytes + 64 > sizeof out.text)
        flush();
    va_start(list, text);
    out.bytes += (size_t)vsnprintf(out.text + out.bytes, 64, text, list);
    va_end(list);
}

int sim_utf8(const unsigned char *c)
{
    int n = *c < 0x80                 ? 1
            : *c >= 0xC2 && *c < 0xE0 ? 2
            : (*c & 0xF0) == 0xE0     ? 3
            : *c >= 0xF0 && *c < 0xF5 ? 4
                                      : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (*c == 0xE0 && c[1] < 0xA0) || (*c == 0xF0 && c[1] < 0x90);
    bool beyond = (*c == 0xED && c[1] > 0x9F) || (*c == 0xF4 && c[1] > 0x8F);
    return overlong || beyond ? 0 : n;
}

static void put_text(const char *key, const char *text)
{
    put(",\n  \"%s\": %s", key, *text ? "\"" : "null");
    if (!*text)
        return;
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int n = sim_utf8(c);
        if (n && (*c < 0x20 || *c == 0x7f))
            put("\\u%04x", *c);
        else if (n)
            put(*c == '"' || *c == '\\' ? "\\%.*s" : "%.*s", n, (const char *)c);
        else
            put("\\ufffd");
        c += n ? n : 1;
    }
    put("\"");
}

static bool write_json(void)
{
    const char *comma = "";
    if (!json_file || owner != getpid())
        return true;
    out.fd = open(json_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    out.failed = out.fd < 0;
    if (out.fd >= 0) {
        put("[");
        for (int i = 0; i < found_count; i++) {
            const struct finding *f = &found[i];
            if (f->is_note)
                continue;
            put("%s\n{ \"line\": %d, \"count\": %u", comma, f->line, f->count);
            put_text("kind", f->kind);
            put_text("file", f->file);
            put_text("allocation", f->allocation);
            put_text("message", f->message);
            put(" }");
            comma = ",";
        }
        put("\n]\n");
        flush();
        out.failed |= close(out.fd) != 0;
    }
    if (out.failed)
        fprintf(stderr, "[sim] SIM_FINDINGS=%s cannot be written: %s\n", json_file, strerror(errno));
    return !out.failed;
}

/* ---- the end of the process ---- */

void sim_findings_died(void)
{
    sim_findings_show();
    write_json();
    signal(SIGALRM, SIG_DFL);
    alarm(10); /* the heap may be what is broken, or held: rather no page than a process that hangs */
    page_write();
    profile_write();
    alarm(0);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    if (sim_fault_interrupted(number, context))
        return;
    sim_findings_died();
    signal(number, SIG_DFL);
    raise(number); /* delivered once this has returned */
}

static void sum_up(void)
{
    for (int i = 0; i < found_count; i++) {
        const struct finding *f = &found[i];
        if (!f->is_shown || f->count == f->told)
            continue;
        fprintf(stderr, "[sim] and %u more of the kind \"%s\" at %s", f->count - f->told, f->kind,
                f->line ? f->file : "the same place");
        if (f->line)
            fprintf(stderr, ":%d", f->line);
        fputc('\n', stderr);
    }
    if (not_shown)
        fprintf(stderr, "[sim] and %u more reports at other places\n", not_shown);
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    exiting = true;
    if (sim_checked && !status)
        sim_streams_exit();
    sim_findings_show();
    fflush(stdout);
    if (!stopped)
        sim_errors_at_exit(status || finding_count());
    if (!sim_sticky()) /* after it nothing can be freed */
        sim_leaks_at_exit();
    sum_up();
    bool written = page_write() & write_json();
    if (!status && (!written || (on_finding != IGNORE && finding_count())))
        exit(1); /* the handlers that are left run, and this is the status now */
}

static void at_exit_plain(void)
{
    at_exit(1, NULL);
}

void sim_findings_start(void)
{
    if (!kept)
        atexit(at_exit_plain);
}

/*
 * Before all that the program registers, so that its own handlers and destructors run first. Without --check
 * and without a wish nothing is kept, and the exit status is the program's own.
 */
__attribute__((constructor(101))) static void start(void)
{
    static const int deadly[] = {SIGABRT, SIGHUP, SIGINT, SIGTERM};
    const char *wish = getenv("SIM_ON_FINDING");
    json_file = getenv("SIM_FINDINGS");
    kept = sim_checked || wish || json_file || getenv("SIM_REPORT");
    on_finding = !wish ? (sim_checked ? GO_ON : IGNORE) : !strcmp(wish, "stop") ? STOP : GO_ON;
    if (wish && !strcmp(wish, "ignore"))
        on_finding = IGNORE;
    else if (wish && strcmp(wish, "stop") && strcmp(wish, "continue"))
        sim_bad_setting("SIM_ON_FINDING", wish, "give stop, continue or ignore");
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction was, now = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
        if (sigaction(deadly[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
            sigaction(deadly[i], &now, NULL);
    }
    if (!kept)
        return;
    owner = getpid();
    on_exit(at_exit, NULL);
}

/* ---- for programs: sim/check.h ---- */

int sim_is_checked(void)
{
    return sim_checked;
}

unsigned sim_finding_count(void)
{
    return finding_count();
}

unsigned sim_finding_total(void)
{
    return total;
}

int sim_finding_at(unsigned i, struct sim_finding *to)
{
    for (int j = 0; j < found_count; j++) {
        const struct finding *f = &found[j];
        if (f->is_note || i--)
            continue;
        *to = (struct sim_finding){.kind = f->kind,
                                   .file = f->line ? f->file : NULL,
                                   .line = f->line,
                                   .allocation = f->allocation[0] ? f->allocation : NULL,
                                   .message = f->message,
                                   .count = f->count,
                                   .latest = f->latest};
        return 0;
    }
    return -1;
}

unsigned sim_findings_forget(const char *kind)
{
    unsigned dropped = 0;
    for (int i = found_count; i-- > 0;) {
        if (found[i].is_note || (kind && strcmp(found[i].kind, kind)))
            continue;
        shown_count -= found[i].is_shown;
        memmove(&found[i], &found[i + 1], (size_t)(--found_count - i) * sizeof *found);
        int left = 0;
        for (int j = 0; j < place_count; j++) {
            places[left] = places[j];
            places[left].finding -= places[j].finding > i;
            left += places[j].finding != i;
        }
        place_count = left;
        dropped++;
    }
    last_place = 0;
    return dropped;
}
