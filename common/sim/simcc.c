/* SPDX-License-Identifier: MIT */
/* simcc: what nvcc is to a GPU, for the simulated device. Translates each .cu, pipes it to g++ or clang++,
 * links the simulated device. No shell; temporary files live in one private folder that goes with us. */
#define _GNU_SOURCE /* realpath, mkdtemp, strsignal */
#include "simcc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[4096]; /* temporary folder, "" until needed */
static list leftovers;    /* files in it */
static volatile sig_atomic_t stopped;
static volatile pid_t child;

static void clean_up(void)
{
    for (int i = 0; i < leftovers.n; i++)
        unlink(leftovers.at[i]);
    if (folder[0])
        rmdir(folder);
    folder[0] = 0;
}

void die(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simcc: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    clean_up();
    exit(code);
}

static void on_signal(int signal)
{
    stopped = signal;
    if (child > 0)
        kill(child, signal);
}

static void stop_if_asked(void)
{
    if (!stopped)
        return;
    clean_up();
    signal(stopped, SIG_DFL);
    raise(stopped);
}

static const char *temporary(const char *name)
{
    const char *parent = getenv("TMPDIR");
    static int count;
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/simcc-XXXXXX", parent && *parent ? parent : "/tmp");
        if (!mkdtemp(folder)) {
            char *where = text("%s", folder);
            folder[0] = 0;
            die(1, "cannot make a temporary folder %s: %s (set TMPDIR to a folder with room)", where,
                strerror(errno));
        }
    }
    char *path = text("%s/%d-%s", folder, count++, name);
    add(&leftovers, path);
    return path;
}

static void write_all(int fd, const char *bytes, size_t n, const char *path)
{
    while (n) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EPIPE)
            return; /* the compiler stopped early and has said why */
        if (done < 0)
            die(1, "%s: %s", path, strerror(errno));
        bytes += done;
        n -= (size_t)done;
    }
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        die(1, "%s: %s", path, strerror(errno));
    write_all(fd, bytes, n, path);
    if (close(fd))
        die(1, "%s: %s", path, strerror(errno));
}

/* Runs a command with `bytes` as its input; the result is its exit status. */
static int run(const list *command, const char *bytes, size_t n)
{
    int ends[2];
    if (o.verbose)
        for (int i = 0; i < command->n; i++)
            fprintf(stderr, "%s%c", command->at[i], i + 1 < command->n ? ' ' : '\n');
    if (pipe(ends))
        die(1, "pipe: %s", strerror(errno));
    fflush(NULL);
    child = fork();
    if (child < 0)
        die(1, "cannot start %s: %s", command->at[0], strerror(errno));
    if (!child) {
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        signal(SIGPIPE, SIG_DFL);
        execvp(command->at[0], (char *const *)command->at);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[0]);
    write_all(ends[1], bytes, n, command->at[0]);
    close(ends[1]);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    stop_if_asked();
    if (WIFSIGNALED(status))
        die(1, "%s was ended by signal %d (%s)", command->at[0], WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status);
}

static int on_path(const char *program)
{
    if (strchr(program, '/'))
        return !access(program, X_OK);
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *full = text("%.*s/%s", (int)n, p, program);
        if (!access(full, X_OK))
            return 1;
        p += n + (p[n] == ':');
    }
    return 0;
}

static void choose_compiler(void)
{
    const char *asked = o.compiler ? o.compiler : getenv("SIMCC_CXX");
    if (asked && *asked) {
        if (!on_path(asked))
            die(1, "the compiler %s is not there (asked for by %s)", asked,
                o.compiler ? "-ccbin" : "SIMCC_CXX");
        o.compiler = asked;
    } else if (on_path("g++")) {
        o.compiler = "g++";
    } else if (on_path("clang++")) {
        o.compiler = "clang++";
    } else {
        die(1, "there is no C++ compiler; install one with: sudo apt-get install g++");
    }
    const char *name = strrchr(o.compiler, '/');
    o.is_clang = strstr(name ? name : o.compiler, "clang") != NULL;
}

/* build/bin/simcc knows its headers and its library by where it stands. */
static void find_home(void)
{
    static char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 32);
    if (n <= 0)
        die(1, "cannot read /proc/self/exe: %s", strerror(errno));
    self[n] = 0;
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
        if (up == 1)
            o.archive = text("%s/lib/libsim.a", self);
    }
    o.root = self;
    o.include = text("%s/common/sim/include", self);
    if (access(o.include, R_OK))
        die(1, "the CUDA headers are not at %s: run simcc from where `make` built it", o.include);
}

/* The headers need C++17: an older standard that a Makefile written for nvcc asks for is raised to it. */
static const char *standard(void)
{
    static const char *const older[] = {"03", "98", "0x", "11", "1y", "14"};
    const char *wanted = o.standard ? o.standard : "c++17";
    const char *year = strstr(wanted, "++");
    for (size_t i = 0; year && i < sizeof older / sizeof *older; i++)
        if (!strcmp(year + 2, older[i]))
            return *wanted == 'g' ? "gnu++17" : "c++17";
    return wanted;
}

static void add_all(list *c, const char *const *flags)
{
    while (*flags)
        add(c, *flags++);
}

/* The calls that -fsanitize=thread makes are ours, in libsim, not the sanitizer's library. */
static void check_flags(list *c, const input *in)
{
    static const char *const both[] = {"-fsanitize=thread",
                                       "-fdata-sections", /* for the gaps between variables, sim/launch.h */
                                       "-fno-builtin-memcpy", /* or short ones would be made unseen */
                                       "-fno-builtin-memmove", "-fno-builtin-memset", NULL};
    /* -fsanitize-coverage: the profile sees loops, in which lanes wait for each other */
    static const char *const gcc[] = {
        "-O1", "-fsanitize=bounds", "-fsanitize-coverage=trace-pc",
        "-fno-tree-sra",       /* or a float4 would be read as four floats */
        "-fno-reorder-blocks", /* the order of the source, which says where lanes meet again */
        "-Wno-tsan",           /* of fences, which that library does not know */
        NULL};
    /* clang looks for accesses last, when its optimiser would have split vectors and merged lines */
    static const char *const clang[] = {
        "-O0", "-fsanitize=array-bounds", /* `bounds` has more, which traps */
        "-fsanitize-coverage=trace-pc,no-prune", "-mllvm",
        "-tsan-instrument-read-before-write=1", /* of `x += 1` */
        NULL};
    add_all(c, both);
    add_all(c, o.is_clang ? clang : gcc);
    if (in->kind == K_C || in->kind == K_CXX) { /* a .cu has it from cuda_runtime.h */
        add(c, "-include");
        add(c, "sim/checked.h");
    }
}

static void common_flags(list *c, const input *in)
{
    static const char *const flags[] = {"-O2",
                                        "-g",
                                        "-fno-optimize-sibling-calls", /* the caller's line is told */
                                        "-fno-builtin-malloc", /* no malloc of a kernel is left out */
                                        "-fno-builtin-free",
                                        "-fno-strict-aliasing",
                                        "-fwrapv",
                                        "-ffp-contract=off",
                                        "-U_FORTIFY_SOURCE",
                                        "-Werror=vla",
                                        "-Wno-unknown-pragmas"};
    add(c, o.compiler);
    if (in->kind != K_C)
        add(c, text("-std=%s", standard()));
    else if (o.standard && !strchr(o.standard, '+'))
        add(c, text("-std=%s", o.standard));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add(c, flags[i]);
    if (!o.is_clang)
        add(c, "-fno-allocation-dce"); /* nor new and delete */
    if (o.is_clang) /* not for every processor */
        add(c, "--start-no-unused-arguments");
    add(c, "-fstack-clash-protection"); /* a large frame must not step over the guard into the next stack */
    if (o.is_clang)
        add(c, "--end-no-unused-arguments");
    if (o.asan)
        add(c, "-fsanitize=address,undefined");
    for (int i = 0; i < o.flags.n; i++)
        add(c, o.flags.at[i]);
    if (o.check)
        check_flags(c, in);
    add(c, "-isystem");
    add(c, o.include);
}

static void print_findings(const xlate *unit)
{
    int n, errors = 0;
    const xlate_finding *f = xlate_findings(unit, &n);
    for (int i = 0; i < n; i++) {
        errors += !f[i].is_warning;
        if (!f[i].is_warning || !o.no_warnings)
            fprintf(stderr, "%s:%d:%d: %s: %s\n", f[i].path, f[i].line, f[i].column,
                    f[i].is_warning ? "warning" : "error", f[i].text);
    }
    if (!errors)
        return;
    clean_up();
    exit(1);
}

static xlate *translate(const char *path, const char **out, size_t *bytes)
{
    char *source = xlate_slurp(path, bytes);
    if (!source)
        die(1, "%s: %s", path, strerror(errno));
    xlate *unit = xlate_create(xlate_find, &o.folders, o.xlate_flags);
    if (!unit)
        die(1, "out of memory");
    for (int i = 0; i < o.macro_count; i++)
        xlate_define(unit, o.macros[i].name, o.macros[i].value);
    xlate_read(unit, path, source, *bytes);
    free(source);
    print_findings(unit);
    int files = xlate_file_count(unit);
    for (int i = 1; i < files; i++) {
        const char *header = xlate_file_path(unit, i), *slash = strrchr(header, '/');
        char absolute[4096];
        if (o.mode != M_TRANSLATE && xlate_file_changed(unit, i))
            xlate_file_place(unit, i, temporary(slash ? slash + 1 : header));
        else
            xlate_file_place(unit, i, realpath(header, absolute) ? absolute : header);
    }
    for (int i = 1; i < files && o.mode != M_TRANSLATE; i++)
        if (xlate_file_changed(unit, i)) {
            size_t n;
            const char *translation = xlate_file_write(unit, i, &n);
            write_file(xlate_file_placed(unit, i), translation, n);
        }
    *out = xlate_file_write(unit, 0, bytes);
    return unit;
}

/* Copies one word of a dependency file, a translated header's path as the header's own. */
static size_t copy_word(FILE *f, const char *p, size_t n, const xlate *unit)
{
    for (int k = 1; k < xlate_file_count(unit); k++) {
        size_t length = strlen(xlate_file_placed(unit, k));
        if (n >= length && !memcmp(p, xlate_file_placed(unit, k), length)) {
            fputs(xlate_file_path(unit, k), f);
            p += length;
            n -= length;
            break;
        }
    }
    return fwrite(p, 1, n, f);
}

/* The compiler read a pipe: put the source's name in, and give the first header, which it takes for the main
 * file, the empty rule that -MP asks for. */
static void fix_dependencies(const char *object, const char *source, const xlate *unit)
{
    const char *dot = strrchr(object, '.');
    const char *path = o.dependency_file
                           ? o.dependency_file
                           : text("%.*s.d", (int)(dot ? dot - object : (int)strlen(object)), object);
    size_t bytes;
    char *rules = xlate_slurp(path, &bytes);
    FILE *f = rules ? fopen(path, "w") : NULL;
    if (!f)
        die(1, "%s: %s", path, strerror(errno));
    const char *end = rules + bytes, *first = NULL;
    for (const char *p = rules; p < end;) {
        const char *word = p;
        while (p < end && !strchr(" \n", *p))
            p++;
        if (p > word && *word != '\\') {
            copy_word(f, word, (size_t)(p - word), unit);
            if (!first && p[-1] == ':')
                fprintf(f, " %s", first = source);
            else if (first == source)
                first = text("%.*s", (int)(p - word), word);
        } else {
            fwrite(word, 1, (size_t)(p - word), f);
        }
        if (p < end)
            fputc(*p++, f);
    }
    if (o.phony_rules && first && first != source) {
        copy_word(f, first, strlen(first), unit);
        fputs(":\n", f);
    }
    if (fclose(f))
        die(1, "%s: %s", path, strerror(errno));
    free(rules);
}

/* Compiles one file to `out` (NULL: where the compiler puts it); the result is the exit status. */
static int compile(const input *in, const char *out)
{
    static const char *const cuda[] = {
        "-D__CUDACC__=1",           "-D__NVCC__=1", "-D__CUSIM__=1", "-D__CUDACC_VER_MAJOR__=13",
        "-D__CUDACC_VER_MINOR__=0", "-include",     "cuda_runtime.h"};
    list c = {0};
    common_flags(&c, in);
    const char *translation = NULL;
    xlate *unit = NULL;
    size_t bytes = 0;
    if (in->kind == K_CU) {
        unit = translate(in->path, &translation, &bytes);
        const char *slash = strrchr(in->path, '/');
        for (size_t i = 0; i < sizeof cuda / sizeof *cuda; i++)
            add(&c, cuda[i]);
        for (int i = 0; xlate_needed_header(unit, i); i++) {
            add(&c, "-include");
            add(&c, text("%s", xlate_needed_header(unit, i)));
        }
        if (slash) {
            add(&c, "-iquote");
            add(&c, slash == in->path ? "/" : text("%.*s", (int)(slash - in->path), in->path));
        }
        add(&c, text("-ffile-prefix-map=<stdin>=%s", in->path));
        if (o.is_clang) {
            add(&c, "-Xclang");
            add(&c, "-main-file-name");
            add(&c, "-Xclang");
            add(&c, in->path);
        }
    }
    if (o.dependencies && o.dependency_file) {
        add(&c, "-MF");
        add(&c, o.dependency_file);
    }
    add(&c, o.mode == M_ASSEMBLY ? "-S" : o.mode == M_PREPROCESS ? "-E" : "-c");
    if (out) {
        add(&c, "-o");
        add(&c, out);
    }
    if (in->kind != K_ASM) {
        add(&c, "-x");
        add(&c, in->kind == K_C ? "c" : "c++");
    }
    add(&c, in->kind == K_CU ? "-" : in->path);
    int status = run(&c, translation, bytes);
    if (!status && o.dependencies && unit && out && o.mode != M_PREPROCESS)
        fix_dependencies(out, in->path, unit);
    xlate_destroy(unit);
    free(c.at);
    return status;
}

static const char *backtrace_library(void)
{
    static char path[4096];
    if (!o.is_clang)
        return "-lbacktrace";
    FILE *f = popen("gcc -print-file-name=libbacktrace.a 2>/dev/null", "r");
    size_t n = f ? fread(path, 1, sizeof path - 1, f) : 0;
    if (f)
        pclose(f);
    path[n] = 0;
    path[strcspn(path, "\n")] = 0;
    return path[0] == '/' ? path : "-lbacktrace";
}

static int link_all(const list *objects, const char *out)
{
    static const char *const last[] = {
        "-Wl,--wrap=malloc,--wrap=free,--wrap=fread,--wrap=fwrite,--wrap=read,--wrap=write,--wrap=printf",
        "-Wl,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZdlPv,--wrap=_ZdlPvm,--wrap=_ZdaPv,--wrap=_ZdaPvm",
        "-Wl,--wrap=_ZnwmSt11align_val_t,--wrap=_ZdlPvmSt11align_val_t",
        "-Wl,--wrap=_ZnamSt11align_val_t,--wrap=_ZdaPvmSt11align_val_t"};
    /* nodelete: a shared object holds a device, which has something to say when the process ends */
    static const char *const system[] = {"-Wl,-z,nodelete,-z,separate-code", "-lpthread", "-ldl", "-lm"};
    list c = {0};
    if (access(o.archive, R_OK))
        die(1, "%s is missing: run `make build/lib/libsim.a` in %s", o.archive, o.root);
    add(&c, o.compiler);
    if (o.asan)
        add(&c, "-fsanitize=address,undefined");
    for (int i = 0; i < o.flags.n; i++)
        add(&c, o.flags.at[i]);
    for (int i = 0; i < objects->n; i++)
        add(&c, objects->at[i]);
    for (int i = 0; i < o.link.n; i++)
        add(&c, o.link.at[i]);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        add(&c, last[i]);
    add(&c, o.archive);
    add(&c, backtrace_library());
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        add(&c, system[i]);
    add(&c, "-o");
    add(&c, out);
    int status = run(&c, NULL, 0);
    free(c.at);
    return status;
}

/* Removes what a failed step may have left, but never a device such as /dev/null. */
static void remove_output(const char *out)
{
    struct stat st;
    if (!lstat(out, &st) && S_ISREG(st.st_mode))
        unlink(out);
}

/* Says before the work, in one line, what would stop the output from being written. */
static void check_output(const char *out)
{
    struct stat st, in;
    const char *slash = strrchr(out, '/');
    const char *parent = !slash ? "." : slash == out ? "/" : text("%.*s", (int)(slash - out), out);
    if (!stat(out, &st) && S_ISDIR(st.st_mode))
        die(1, "%s: is a directory", out);
    for (int i = 0; i < o.input_count; i++)
        if (!stat(out, &st) && !stat(o.inputs[i].path, &in) && st.st_ino == in.st_ino &&
            st.st_dev == in.st_dev && S_ISREG(st.st_mode))
            die(1, "%s: is an input file and would be overwritten", out);
    if (stat(parent, &st) || access(!stat(out, &st) ? out : parent, W_OK))
        die(1, "%s: cannot be written: %s", out, strerror(errno));
}

/* Compiles or translates one source; adds the object it made for linking to `objects`. */
static int make_one(const input *in, list *objects)
{
    const char *slash = strrchr(in->path, '/'), *base = slash ? slash + 1 : in->path,
               *dot = strrchr(base, '.');
    const char *out = o.out;
    if (o.mode == M_TRANSLATE) {
        const char *translation;
        size_t bytes;
        if (in->kind != K_CU)
            die(1, "%s: only .cu files are translated", in->path);
        xlate *unit = translate(in->path, &translation, &bytes);
        if (out)
            check_output(out), write_file(out, translation, bytes);
        else
            write_all(1, translation, bytes, "standard output");
        xlate_destroy(unit);
        return 0;
    }
    if (o.mode == M_LINK)
        out = temporary(text("%.*s.o", (int)(dot ? dot - base : (int)strlen(base)), base));
    else if (!out && o.mode != M_PREPROCESS)
        out = text("%.*s.%s", (int)(dot ? dot - base : (int)strlen(base)), base,
                   o.mode == M_ASSEMBLY ? "s" : "o");
    if (o.mode == M_LINK)
        add(objects, out);
    else if (out)
        check_output(out);
    int status = compile(in, out);
    if (status && out && o.mode != M_LINK)
        remove_output(out);
    return status;
}

int main(int argc, char **argv)
{
    struct sigaction handler = {.sa_handler = on_signal};
    sigaction(SIGINT, &handler, NULL);
    sigaction(SIGTERM, &handler, NULL);
    sigaction(SIGHUP, &handler, NULL);
    signal(SIGPIPE, SIG_IGN);
    parse(argc, argv);
    if (!o.input_count)
        die(1, "no input file (simcc --help)");
    find_home();
    choose_compiler();
    int sources = 0, status = 0;
    for (int i = 0; i < o.input_count; i++)
        sources += o.inputs[i].kind != K_LINK;
    if (o.out && o.mode != M_LINK && sources > 1)
        die(1, "-o names one output, but there are %d files to compile", sources);
    const char *out = o.out ? o.out : "a.out";
    if (o.mode == M_LINK)
        check_output(out);
    static list objects;
    for (int i = 0; i < o.input_count; i++) {
        if (o.inputs[i].kind == K_LINK)
            continue;
        status |= make_one(&o.inputs[i], &objects);
        stop_if_asked();
    }
    if (o.mode == M_LINK && !status) {
        status = link_all(&objects, out);
        if (status)
            remove_output(out);
    }
    clean_up();
    return status ? 1 : 0;
}
