/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Arrays for the labs' checks: inputs that give mistakes away, fenced outputs, comparison, time.
 *
 *     lab_device(from, n):   | LAB_FENCE poison | n elements | LAB_FENCE poison |
 *                                               ^ returned      who writes here is found out
 */
#ifndef LAB_DATA_H
#define LAB_DATA_H

#include "lab.h"
#include <math.h>

/** @brief What outputs hold before anybody writes them; exact in every floating type down to 16 bits. */
static const int LAB_POISON = -7776;
#ifdef SIM_CHECKED // whoever writes outside is found where he does it
static const size_t LAB_FENCE = 0;
#else
static const size_t LAB_FENCE = 2048;
#endif
static const long long LAB_INTACT = LLONG_MIN;

/** @brief The next number in (-1, 1), never 0: a function of the seed, the task and the calls before it. */
static inline double lab_random(void)
{
    static unsigned long long state;
    static int task;
    if (task != lab_run.tasks)
        state = (lab_run.seed << 8) + (unsigned)(task = lab_run.tasks);
    unsigned long long x = state += 0x9e3779b97f4a7c15ull; // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return ((double)((x ^ (x >> 31)) >> 44) + 0.5) / 524288 - 1;
}

/** @brief Every array that lab_host() and lab_device() gave since the last lab_release(). */
static struct lab_arrays {
    void *host[64], *device[64];
    int hosts, devices;
} lab_arrays;

/** @brief Free them all. */
static inline void lab_release(void)
{
    while (lab_arrays.hosts)
        free(lab_arrays.host[--lab_arrays.hosts]);
    while (lab_arrays.devices) {
        cudaError_t freed = cudaFree(lab_arrays.device[--lab_arrays.devices]);
        if (lab_run.status == LAB_PASS) // else a failure here follows from what has been said
            CUDA_CHECK(freed);
    }
}

/** @brief A host array of n elements, all poison, and one more behind them as a sentinel. */
template <class T> static T *lab_host(size_t n)
{
    T *h = (T *)malloc((n + 1) * sizeof(T));
    if (!h || lab_arrays.hosts == 64) {
        fprintf(stderr, "%s: no host memory for another array\n", lab_run.name);
        exit(1);
    }
    for (size_t i = 0; i <= n; i++)
        h[i] = (T)LAB_POISON;
    lab_arrays.host[lab_arrays.hosts++] = h;
    lab_run.release = lab_release;
    return h;
}

/** @brief The same, with n random numbers before the sentinel. */
template <class T> static T *lab_host_random(size_t n)
{
    T *h = lab_host<T>(n);
    for (size_t i = 0; i < n; i++)
        h[i] = (T)lab_random();
    return h;
}

/** @brief A fenced device array with a copy of `from`, or with poison where that is NULL. */
template <class T> static T *lab_device(const T *from, size_t n)
{
    size_t all = n + 2 * LAB_FENCE;
    T *d, *h = lab_host<T>(all);
    for (size_t i = 0; from && i < all; i++) // another fence around inputs: copying it must show as well
        h[i] = i - LAB_FENCE < n ? from[i - LAB_FENCE] : (T)(2 * LAB_POISON);
    CUDA_CHECK(cudaMalloc(&d, all * sizeof(T)));
    CUDA_CHECK(cudaMemcpy(d, h, all * sizeof(T), cudaMemcpyHostToDevice));
    lab_arrays.device[lab_arrays.devices++] = d;
    return d + LAB_FENCE;
}

/** @brief Copy an array of lab_device(NULL, n) to `to`. @return LAB_INTACT, or the index of a damaged element
 * outside of it */
template <class T> LAB_UNSEEN static long long lab_fetch(T *to, const T *d, size_t n)
{
    size_t all = n + 2 * LAB_FENCE;
    long long hit = LAB_INTACT;
    T *h = lab_host<T>(all);
    CUDA_CHECK(cudaMemcpy(h, d - LAB_FENCE, all * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) // not memcpy(), which is watched
        to[i] = h[LAB_FENCE + i];
    for (size_t i = 0; i < LAB_FENCE; i++)
        if (h[i] != (T)LAB_POISON)
            hit = (long long)i - (long long)LAB_FENCE;
    for (size_t i = LAB_FENCE; i-- > 0;)
        if (h[LAB_FENCE + n + i] != (T)LAB_POISON)
            hit = (long long)(n + i);
    return hit;
}

/** @brief How two arrays differ: the first wrong index, how many are wrong, the largest error, its index. */
struct lab_diff {
    size_t first, wrong, worst;
    double error;
};

/** @brief Right is |e - g| <= tolerance * (1 + |e|); NaN and infinity only where they are expected. */
template <class T>
LAB_UNSEEN static lab_diff lab_compare(const T *expected, const T *got, size_t n, double tolerance)
{
    lab_diff d = {n, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        double e = (double)expected[i], g = (double)got[i], error = fabs(e - g);
        if (expected[i] == got[i] || (isnan(e) && isnan(g)))
            continue;
        if (!isfinite(error))
            error = HUGE_VAL;
        if (!(error <= d.error))
            d.error = error, d.worst = i;
        if (tolerance > 0 && error < HUGE_VAL && error <= tolerance * (1 + fabs(e)))
            continue;
        if (!d.wrong++)
            d.first = i;
    }
    return d;
}

/** @brief `LAB_CHECK_ARRAY(expected, got, n, tolerance, cause, ...)`: LAB_CHECK() for two host arrays. */
#define LAB_CHECK_ARRAY(expected, got, n, tolerance, ...)                                                    \
    lab_check_array(__FILE__, __LINE__, #got, expected, got, n, tolerance, __VA_ARGS__)

template <class T>
LAB_UNSEEN static bool lab_check_array(const char *file, int line, const char *name, const T *expected,
                                       const T *got, size_t n, double tolerance, const char *cause, ...)
{
    lab_diff d = lab_compare(expected, got, n, tolerance);
    char what[200], e[80], g[80];
    va_list more;
    if (!d.wrong)
        return true;
    snprintf(what, sizeof what,
             "%s[%zu], first of %zu wrong of %zu, largest error %.3g at [%zu] (allowed %.1g)", name, d.first,
             d.wrong, n, d.error, d.worst, tolerance);
    lab_show(e, expected[d.first]);
    lab_show(g, got[d.first]);
    if (got[d.first] == (T)LAB_POISON)
        snprintf(g, sizeof g, "the poison: nobody wrote it");
    else if (got[d.first] == (T)(2 * LAB_POISON))
        snprintf(g, sizeof g, "what lies outside of the input");
    va_start(more, cause);
    lab_fail(file, line, what, e, g, cause, more);
    va_end(more);
    return false;
}

/** @brief On a GPU, after all checks passed: time `run()` and print effective GB/s beside cudaMemcpy()'s. */
template <class F> static void lab_time(const char *what, size_t bytes, F run)
{
    void *a, *b;
    cudaEvent_t start, stop;
    float ms[2] = {HUGE_VALF, HUGE_VALF}; // of run(), of a device-to-device copy that moves as many bytes
    CUDA_CHECK(cudaMalloc(&a, bytes / 2));
    CUDA_CHECK(cudaMalloc(&b, bytes / 2));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (int repeat = 0; repeat < 22; repeat++) { // the first of each kind warms up
        float one;
        CUDA_CHECK(cudaEventRecord(start));
        if (repeat % 2)
            CUDA_CHECK(cudaMemcpyAsync(a, b, bytes / 2, cudaMemcpyDeviceToDevice));
        else
            run();
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaEventSynchronize(stop));
        CUDA_CHECK(cudaEventElapsedTime(&one, start, stop));
        ms[repeat % 2] = repeat > 1 ? fminf(one, ms[repeat % 2]) : ms[repeat % 2];
    }
    printf("    %-24s %8.3f ms %7.0f GB/s (cudaMemcpy: %.0f GB/s)\n", what, ms[0], bytes / 1e6 / ms[0],
           bytes / 1e6 / ms[1]);
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(a));
}

/** @brief Whether time may be shown: on a GPU, and only once everything is right. */
static inline bool lab_may_time(void)
{
    return !lab_on_sim && lab_run.count[LAB_PASS] == lab_run.tasks;
}

#endif
