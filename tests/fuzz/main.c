/* SPDX-License-Identifier: MIT */
/*
 * Runs a libFuzzer harness without it: inputs by chance, or files changed by chance, in child processes.
 *
 *     PROGRAM [--seed N] [--runs N] [--calls N] [--seconds N] [--jobs N] [--bytes N] [--shorten SECONDS]
 *             [FILE or FOLDER]...
 *     PROGRAM --input FILE             try it, telling what is tried
 *     PROGRAM --seed N --jobs N --only J ...   of those jobs only J: the same runs in the same order
 *
 *     parent --fork--> child: make input k, note it in shared memory, try it, next
 *        '------------ dead? shorten its input, while a child dies of it; keep it, show it
 *
 * Input k depends on the seed, k and the files only. The last line counts runs, calls and seconds.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 16, JOBS = 256, FILES = 4096, RUN_SECONDS = 10, MOST_MIB = 3072 };

static struct options {
    unsigned long long seed, runs, calls, seconds, jobs, bytes, shorten, only;
} options = {1, ~0ull, ~0ull, ~0ull, 1, 1024, 60, ~0ull};

struct job {
    volatile unsigned long long runs, calls;
    size_t bytes;
    unsigned char input[MOST];
};

static struct file {
    unsigned char *text;
    size_t bytes;
} files[FILES];
static int file_count;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct file *file = &files[file_count];
    if (!f) {
        perror(path);
        exit(2);
    }
    file->text = malloc(1 << 20);
    file->bytes = fread(file->text, 1, 1 << 20, f);
    fclose(f);
    if (file->bytes && file_count < FILES - 1)
        file_count++;
    else
        free(file->text);
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)where;
    if (kind == FTW_F && S_ISREG(status->st_mode))
        read_file(path);
    return 0;
}

/* ---- inputs ---- */

static unsigned long long state;

static unsigned long long chance(unsigned long long below)
{
    unsigned long long v = state += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return (v ^ v >> 31) % below;
}

/* Replace `drop` bytes at `at` by others, as far as there is room. */
static size_t splice(unsigned char *input, size_t n, size_t at, size_t drop, const unsigned char *by,
                     size_t bytes)
{
    if (n - drop + bytes > options.bytes)
        bytes = drop < bytes ? drop : bytes;
    memmove(input + at + bytes, input + at + drop, n - at - drop);
    memcpy(input + at, by, bytes);
    return n - drop + bytes;
}

static size_t change(unsigned char *input, size_t n)
{
    static const char marks[] = "<>(){}[];,:.#\"'\\/*%&$R@\n\r ";
    size_t at = chance(n + 1), rest = n - at, span = 1 + chance(32);
    size_t drop = chance(2) ? 0 : span < rest ? span : rest;
    const struct file *other = &files[chance((unsigned)file_count)];
    size_t from = chance(other->bytes), left = other->bytes - from;
    unsigned char mark = (unsigned char)(chance(8) ? marks[chance(sizeof marks - 1)] : (int)chance(256));
    if (chance(2))
        return splice(input, n, at, drop, &mark, chance(3) != 0);
    return splice(input, n, at, drop, other->text + from, span < left ? span : left);
}

static size_t make_input(unsigned long long k, unsigned char *input)
{
    state = options.seed * 0x9e3779b97f4a7c15 + k;
    if (!file_count) {
        size_t n = (1 + chance(options.bytes / fuzz_step)) * fuzz_step;
        for (size_t i = 0; i < n; i++)
            input[i] = (unsigned char)chance(256);
        return n;
    }
    const struct file *file = &files[chance((unsigned)file_count)];
    size_t n = 1 + chance(options.bytes);
    n = n < file->bytes ? n : file->bytes;
    memcpy(input, file->text + chance(file->bytes - n + 1), n);
    for (unsigned long long times = chance(10); times; times--)
        n = change(input, n);
    return n;
}

/* ---- children ---- */

/* Runs that leave memory behind end here, before the machine is full. */
static void check_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (usage.ru_maxrss >> 10 <= MOST_MIB)
        return;
    printf("// more than %d MiB of memory are in use\n", MOST_MIB);
    fflush(stdout);
    abort();
}

static void work(struct job *job, unsigned long long number)
{
    double end = now() + (double)options.seconds;
    for (unsigned long long k = number; job->runs < options.runs && job->calls < options.calls;
         k += options.jobs) {
        job->bytes = make_input(k, job->input);
        alarm(RUN_SECONDS);
        LLVMFuzzerTestOneInput(job->input, job->bytes);
        check_memory();
        job->runs++;
        job->calls = fuzz_calls;
        if (now() > end)
            break;
    }
    _exit(0);
}

/* Does a child die of this input? */
static int dies(const unsigned char *input, size_t bytes, int tell)
{
    fflush(stdout);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        fuzz_tell = tell;
        alarm(RUN_SECONDS);
        if (!tell && (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)))
            _exit(0);
        LLVMFuzzerTestOneInput(input, bytes);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status != 0;
}

/* Leave parts out, halves first, then make bytes 0, as long as it still dies. */
static size_t shorten(unsigned char *input, size_t n)
{
    static unsigned char less[MOST];
    double end = now() + (double)options.shorten;
    for (size_t part = n / fuzz_step / 2 * fuzz_step; part; part = part / fuzz_step / 2 * fuzz_step)
        for (size_t at = 0; at + part <= n && now() < end;) {
            memcpy(less, input, at);
            memcpy(less + at, input + at + part, n - at - part);
            if (dies(less, n - part, 0))
                memcpy(input, less, n -= part);
            else
                at += part;
        }
    for (size_t i = 0; i < n && fuzz_step > 1 && now() < end; i++) {
        unsigned char byte = input[i];
        input[i] = 0;
        if (byte && !dies(input, n, 0))
            input[i] = byte;
    }
    return n;
}

static void show(const struct job *job, unsigned number, int status)
{
    static unsigned char input[MOST];
    char path[64];
    memcpy(input, job->input, job->bytes);
    size_t n = dies(input, job->bytes, 0) ? shorten(input, job->bytes) : job->bytes;
    snprintf(path, sizeof path, "/tmp/fuzz-%d.input", (int)getpid());
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(input, 1, n, f);
        fclose(f);
    }
    printf("run %llu of --seed %llu --jobs %llu --only %u went wrong, %s %d;\n"
           "%zu bytes of it are left in %s:\n",
           job->runs, options.seed, options.jobs, number, WIFSIGNALED(status) ? "signal" : "exit",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), n, path);
    if (!dies(input, n, 1))
        printf("\n(by itself it runs well: what it needs was made by runs before it)\n");
}

static void count(const struct job *jobs, double start, const char *what)
{
    unsigned long long runs = 0, calls = 0;
    for (unsigned i = 0; i < options.jobs; i++) {
        runs += jobs[i].runs;
        calls += jobs[i].calls;
    }
    printf("%s%llu runs, %llu calls, %.1f s\n", what, runs, calls, now() - start);
    fflush(stdout);
}

static int run_all(void)
{
    struct job *jobs =
        mmap(NULL, JOBS * sizeof *jobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child[JOBS];
    double start = now(), told = start;
    unsigned left = 0;
    if (jobs == MAP_FAILED || (options.only != ~0ull && options.only >= options.jobs))
        return 2;
    for (unsigned i = 0; i < options.jobs; i++)
        if (options.only != ~0ull && i != options.only)
            child[i] = 0;
        else if (++left && (child[i] = fork()) == 0)
            work(&jobs[i], i);
    while (left) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0)
            usleep(20000);
        if (now() - told > 60) {
            told = now();
            count(jobs, start, "  so far ");
        }
        for (unsigned i = 0; ended > 0 && i < options.jobs; i++) {
            if (child[i] != ended)
                continue;
            child[i] = 0;
            left--;
            if (!status)
                continue;
            for (unsigned k = 0; k < options.jobs; k++)
                if (child[k])
                    kill(child[k], SIGKILL);
            show(&jobs[i], i, status);
            count(jobs, start, "");
            return 1;
        }
    }
    count(jobs, start, "");
    return 0;
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        unsigned long long *value;
    } numbers[] = {{"--seed", &options.seed},       {"--runs", &options.runs}, {"--calls", &options.calls},
                   {"--seconds", &options.seconds}, {"--jobs", &options.jobs}, {"--bytes", &options.bytes},
                   {"--shorten", &options.shorten}, {"--only", &options.only}};
    for (int i = 1; i < argc; i++) {
        unsigned long long *value = NULL;
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!strcmp(argv[i], numbers[k].name) && i + 1 < argc)
                value = numbers[k].value;
        if (value) {
            *value = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--input") && i + 1 < argc) {
            read_file(argv[i + 1]);
            return file_count && dies(files[0].text, files[0].bytes, 1);
        } else {
            nftw(argv[i], visit, 16, FTW_PHYS);
        }
    }
    options.jobs = options.jobs < 1 ? 1 : options.jobs > JOBS ? JOBS : options.jobs;
    options.bytes = options.bytes < fuzz_step ? fuzz_step : options.bytes > MOST ? MOST : options.bytes;
    options.runs = options.runs == ~0ull ? ~0ull : options.runs / options.jobs;
    options.calls = options.calls == ~0ull ? ~0ull : options.calls / options.jobs;
    return run_all();
}
