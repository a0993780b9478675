/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The harness of every lab: checks that say what went wrong, points, the device's books.
 *
 *     int main(int argc, char **argv)
 *     {
 *         lab_begin(argc, argv, "02_copy");
 *         lab_task(60, "copy both ways", check_copy); // a function that calls LAB_CHECK()
 *         return lab_end();                           // 0 all pass, 1 a task fails, 2 only TODOs left
 *     }
 *
 * A task that meets a LAB_TODO() is "not done", never "wrong": its failed checks stay silent.
 * Header only, for programs of one .cu file; simcc and nvcc compile it alike. Arrays: lab_data.h.
 */
#ifndef LAB_H
#define LAB_H

#include "sim/include/sim/check.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" // of stubs: the learner needs their names

#ifdef __CUSIM__
static const bool lab_on_sim = true;
#define LAB_UNSEEN __attribute__((no_sanitize("thread"))) // what the harness itself reads is no finding
#else
static const bool lab_on_sim = false;
#define LAB_UNSEEN
#endif

enum lab_status { LAB_PASS, LAB_FAIL, LAB_LEFT };

/** @brief All that the harness knows. From `title` on: about the task that runs. */
static struct lab_state {
    const char *name;
    unsigned long long seed;
    FILE *json;
    bool color, device_lost; ///< device_lost: a kernel has faulted, by mistake or for a check
    bool is_open;            ///< open() has run since the device was reset
    void (*open)(void), (*close)(void);
    void (*release)(void);   ///< frees the arrays of lab_data.h, when that is in use
    int tasks, count[3], points, max_points, todos;
    const char *todo_seen[64];
    const char *title, *file, *provoked; ///< provoked: the kind of finding that is no failure
    int task_points, line;
    unsigned found; ///< what sim_finding_total() said before the task
    lab_status status;
    char expected[80], got[80], message[640];
} lab_run;

static __device__ int lab_gpu_todo; // line of the LAB_TODO that a kernel on a GPU met last, 0 for none

/* ---- the report ---- */

static inline void lab_json_string(const char *key, const char *text)
{
    fprintf(lab_run.json, ",\"%s\":\"", key);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(lab_run.json, *c < 0x20 ? "\\u%04x" : *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fputc('"', lab_run.json);
}

/** @brief The running task makes findings of this kind (sim/check.h) on purpose. */
static inline void lab_expect_finding(const char *kind)
{
    lab_run.provoked = kind;
}

/** @brief List what the checked build found in this task, ": KIND at FILE:LINE, ...": it fails for that. */
static inline void lab_judge_findings(char *list, size_t room)
{
    lab_state *l = &lab_run;
    struct sim_finding f;
    if (l->provoked)
        sim_findings_forget(l->provoked);
    for (unsigned i = 0; l->status != LAB_LEFT && sim_is_checked() && !sim_finding_at(i, &f); i++) {
        if (f.latest <= l->found)
            continue;
        size_t used = strlen(list);
        snprintf(list + used, room - used, "%s%s at %s:%d", used ? ", " : ": ", f.kind, f.file ? f.file : "?",
                 f.line);
        if (l->status == LAB_PASS) {
            l->status = LAB_FAIL, l->file = f.file ? f.file : "", l->line = f.line;
            snprintf(l->message, sizeof l->message, "%s", f.message);
        }
    }
}

/** @brief Settle the running task: its points, its line on the screen and in the --json file. */
static inline void lab_finish_task(void)
{
    static const char *const word[] = {"pass", "fail", "todo"}, *const color[] = {"32", "31", "33"};
    lab_state *l = &lab_run;
    char found[512] = "";
    if (lab_on_sim)
        lab_judge_findings(found, sizeof found);
    int points = l->status == LAB_PASS ? l->task_points : 0;
    l->count[l->status]++;
    l->points += points;
    l->max_points += l->task_points;
    printf(l->color ? "  \033[%sm%s\033[0m, %d of %d points%s\n" : "  %.0s%s, %d of %d points%s\n",
           color[l->status], word[l->status], points, l->task_points, found);
    if (l->json) {
        const char *const texts[][2] = {{"lab", l->name},    {"device", lab_on_sim ? "sim" : "cuda"},
                                        {"title", l->title}, {"status", word[l->status]},
                                        {"file", l->file},   {"expected", l->expected},
                                        {"got", l->got},     {"message", l->message}};
        fprintf(l->json, "{\"task\":%d,\"points\":%d,\"max_points\":%d,\"seed\":%llu,\"line\":%d", l->tasks,
                points, l->task_points, l->seed, l->line);
        for (const auto &text : texts)
            lab_json_string(text[0], text[1]);
        lab_json_string("findings", *found ? found + 2 : "");
        fputs("}\n", l->json);
        fflush(l->json);
    }
    l->title = NULL;
}

/** @brief Print the totals. @return the program's exit code: 0 all pass, 1 a task fails, 2 only TODOs left */
static inline int lab_end(void)
{
    lab_state *l = &lab_run;
    if (l->is_open && l->close && !l->device_lost)
        l->close();
    printf("%s: %d of %d points, %d passed, %d failed, %d to do\n", l->name, l->points, l->max_points,
           l->count[LAB_PASS], l->count[LAB_FAIL], l->count[LAB_LEFT]);
    if (l->json && (ferror(l->json) | fclose(l->json))) {
        fprintf(stderr, "%s: cannot write the --json file\n", l->name);
        return 1;
    }
    return l->count[LAB_FAIL] ? 1 : l->count[LAB_LEFT] ? 2 : 0;
}

/* ---- holes ---- */

/** @brief `LAB_TODO("what to do")`: an expression, 0, for a hole in the learner's part, kernels too. */
#define LAB_TODO(what) lab_todo(__FILE__, __LINE__, what)

LAB_UNSEEN static inline __host__ __device__ int lab_todo(const char *file, int line, const char *what)
{
#ifdef __CUDA_ARCH__
    if (atomicExch(&lab_gpu_todo, line) != line)
        printf("%s:%d: TODO: %s\n", file, line, what);
#else
    lab_state *l = &lab_run;
    if (l->status == LAB_PASS) {
        l->status = LAB_LEFT, l->file = file, l->line = line;
        snprintf(l->message, sizeof l->message, "TODO: %s", what);
    }
    for (int i = 0; i < l->todos; i++)
        if (l->todo_seen[i] == what)
            return 0;
    if (l->todos < 64)
        l->todo_seen[l->todos++] = what;
    printf("%s:%d: TODO: %s\n", file, line, what);
#endif
    return 0;
}

/** @brief Whether the running task has met a TODO, in host code or in a kernel. */
static inline bool lab_is_todo(void)
{
    lab_state *l = &lab_run;
    int line = 0;
    if (!lab_on_sim && !l->device_lost && l->status == LAB_PASS)
        cudaMemcpyFromSymbol(&line, lab_gpu_todo, sizeof line);
    if (line) {
        l->status = LAB_LEFT, l->line = line;
        snprintf(l->message, sizeof l->message, "TODO: a kernel");
    }
    return l->status == LAB_LEFT;
}

/* ---- checks ---- */

/** @brief Report a failed check, unless the task is not done yet; the first of a task goes into the JSON. */
static inline void lab_fail(const char *file, int line, const char *what, const char *expected,
                            const char *got, const char *cause, va_list more)
{
    lab_state *l = &lab_run;
    char text[512];
    if (lab_is_todo())
        return;
    vsnprintf(text, sizeof text, cause, more);
    printf("%s:%d: FAIL: %s: expected %s, got %s\n    %s\n", file, line, what, expected, got, text);
    if (l->status == LAB_PASS) {
        l->status = LAB_FAIL, l->file = file, l->line = line;
        snprintf(l->expected, sizeof l->expected, "%s", expected);
        snprintf(l->got, sizeof l->got, "%s", got);
        snprintf(l->message, sizeof l->message, "%.120s: %s", what, text);
    }
}

template <class T> static void lab_show(char (&to)[80], T value)
{
    if constexpr (std::is_same<T, cudaError_t>::value)
        snprintf(to, sizeof to, "%s", cudaGetErrorName(value));
    else if constexpr (std::is_same<T, const char *>::value)
        snprintf(to, sizeof to, "%s", value);
    else if constexpr (std::is_same<T, bool>::value)
        snprintf(to, sizeof to, "%s", value ? "true" : "false");
    else if constexpr (std::is_pointer<T>::value)
        snprintf(to, sizeof to, "%p", (const void *)value);
    else if constexpr (std::is_unsigned<T>::value)
        snprintf(to, sizeof to, "%llu", (unsigned long long)value);
    else if constexpr (std::is_integral<T>::value || std::is_enum<T>::value)
        snprintf(to, sizeof to, "%lld", (long long)value);
    else
        snprintf(to, sizeof to, "%.9g", (double)value);
}

/**
 * @brief `LAB_CHECK(expected, got, cause, ...)`: cause is printf's format for the likely mistake.
 * @return whether they are equal, so that a check can stop where going on makes no sense
 */
#define LAB_CHECK(expected, got, ...) lab_check(__FILE__, __LINE__, #got, expected, got, __VA_ARGS__)

template <class T>
static bool lab_check(const char *file, int line, const char *what,
                      typename std::common_type<T>::type expected, T got, const char *cause, ...)
{
    char e[80], g[80];
    va_list more;
    if (expected == got)
        return true;
    lab_show(e, expected);
    lab_show(g, got);
    va_start(more, cause);
    lab_fail(file, line, what, e, g, cause, more);
    va_end(more);
    return false;
}

/** @brief `LAB_PREDICT(name, LAB_UNKNOWN);`: what the learner expects to measure, a number in its place. */
#define LAB_PREDICT(name, number) static const lab_prediction name = {number, __FILE__, __LINE__}
#define LAB_UNKNOWN LLONG_MIN

struct lab_prediction {
    long long number;
    const char *file;
    int line;
};

/** @brief Show prediction beside measurement; a wrong one fails the task, at the line of the prediction. */
static inline void lab_measured(lab_prediction p, long long measured, const char *what, const char *why)
{
    if (p.number == LAB_UNKNOWN) {
        lab_todo(p.file, p.line, what);
        return;
    }
    printf("    %s: predicted %lld, measured %lld\n", what, p.number, measured);
    lab_check(p.file, p.line, "the prediction", measured, p.number, "%s", why);
}

/* ---- the device ---- */

/** @brief For calls that must succeed: name the call, its place and its error when it fails, end the task. */
#define CUDA_CHECK(call) lab_cuda(call, #call, __FILE__, __LINE__)

struct lab_task_ends {}; // thrown from CUDA_CHECK() to lab_task()

/** @brief Whether an error is there to stay: only work tells, and cudaFree(NULL) is the least. */
static inline bool lab_is_device_lost(void)
{
    return lab_run.device_lost = cudaFree(NULL) != cudaSuccess;
}

static inline void lab_cuda(cudaError_t error, const char *call, const char *file, int line)
{
    lab_state *l = &lab_run;
    if (error == cudaSuccess)
        return;
    if (!l->title) {
        fprintf(stderr, "%s:%d: %s answered %s, stop\n", file, line, call, cudaGetErrorName(error));
        lab_end();
        exit(1);
    }
    if (l->status == LAB_FAIL && lab_is_device_lost()) // what went wrong has been said
        printf("%s:%d: the device answers %s: the task ends here\n", file, line, cudaGetErrorName(error));
    else
        lab_check(file, line, call, cudaSuccess, error, "%s%s", cudaGetErrorString(error),
                  lab_is_device_lost() ? ": a kernel before this call faulted" : "");
    throw lab_task_ends();
}

/** @brief Bytes of device memory in use: live allocations on the simulated device, else cudaMemGetInfo(). */
static inline cudaError_t lab_in_use(size_t *bytes)
{
    size_t free_bytes = 0, total = 0;
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&free_bytes, &total);
    *bytes = total - free_bytes;
    if (lab_on_sim)
        sim_live_allocations(bytes);
    return error;
}

/** @brief Run one task: its check, then the device's books; no task pays for the errors of another. */
static inline void lab_task(int points, const char *title, void (*check)(void),
                            const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    lab_state *l = &lab_run;
    const int none = 0;
    size_t before = 0, after = 0;
    l->title = title, l->task_points = points, l->status = LAB_PASS;
    l->provoked = NULL, l->found = lab_on_sim ? sim_finding_total() : 0;
    l->file = "", l->line = 0, l->expected[0] = l->got[0] = l->message[0] = 0;
    printf("task %d: %s\n", ++l->tasks, title);
    if (l->device_lost) {
        l->status = LAB_FAIL, l->file = file, l->line = line;
        snprintf(l->message, sizeof l->message,
                 "not run: a kernel of an earlier task faulted, and the device does nothing more");
        printf("    %s\n", l->message);
        lab_finish_task();
        return;
    }
    try {
        if (!lab_on_sim)
            CUDA_CHECK(cudaMemcpyToSymbol(lab_gpu_todo, &none, sizeof none));
        if (!l->is_open && l->open)
            l->open();
        l->is_open = true;
        CUDA_CHECK(lab_in_use(&before));
        check();
        if (!l->device_lost && !lab_is_todo() && l->status == LAB_PASS) {
            cudaError_t device_answers = lab_in_use(&after);
            size_t leaked =
                after > before ? after - before : 0; // on a GPU that others use too, their growth shows
            if (lab_check(file, line, "the device's answer", cudaSuccess, device_answers,
                          "a kernel of this task faulted, and such an error stays"))
                lab_check(
                    file, line, "leaked", 0, leaked,
                    "bytes still allocated: every cudaMalloc needs its cudaFree, on the error paths too");
        }
    } catch (const lab_task_ends &) {
        if (l->release)
            l->release();
        if (!lab_is_device_lost()) {
            cudaDeviceReset(); // what the check still held must not be missing from the next task
            l->is_open = false;
        }
    }
    cudaDeviceSynchronize(); // a kernel that faults now is this task's
    l->device_lost = l->device_lost || lab_is_device_lost();
    cudaGetLastError();
    lab_finish_task();
}

/**
 * @brief Read the flags (--help lists them) and find the device; exits with 77 when none answers.
 * @param[in] open,close make and end what all tasks use, a stream say; open runs again after a device reset
 */
static inline void lab_begin(int argc, char **argv, const char *name, void (*open)(void) = NULL,
                             void (*close)(void) = NULL)
{
    lab_state *l = &lab_run;
    cudaDeviceProp device;
    int devices = 0;
    char *end = NULL;
    l->open = open, l->close = close;
    l->name = name, l->seed = 1, l->color = isatty(1) && !getenv("NO_COLOR");
    for (int i = 1; i < argc; i += 2) {
        const char *flag = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        const char *wrong = NULL;
        if (!strcmp(flag, "--help")) {
            printf("%s: check this lab.\n  --seed N     other inputs (default 1)\n"
                   "  --json FILE  one JSON object a task, one a line\n"
                   "Exit code: 0 all tasks pass, 1 one fails, 2 only TODOs are left, 77 no device.\n",
                   name);
            exit(0);
        } else if (!strcmp(flag, "--seed")) {
            l->seed = strtoull(value, &end, 10);
            wrong = *value && !*end ? NULL : "a number must follow";
        } else if (!strcmp(flag, "--json")) {
            l->json = fopen(value, "w");
            wrong = l->json ? NULL : strerror(errno);
        } else {
            wrong = "unknown option, see --help";
        }
        if (wrong) {
            fprintf(stderr, "%s: %s %s: %s\n", name, flag, value, wrong);
            exit(1);
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); // a kernel loaded at its first launch would look like a leak
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || !devices) {
        printf("%s: skipped, no device answers (%s)\n", name, cudaGetErrorName(error));
        exit(77);
    }
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    printf("%s on %s, seed %llu\n", name, device.name, l->seed);
}

#endif
