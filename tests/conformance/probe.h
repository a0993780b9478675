/* SPDX-License-Identifier: MIT */
/* Shared by the conformance programs, which print what the CUDA runtime answers.
 *
 * Each case runs in a process of its own, forked before CUDA wakes up, so that a sticky error ends with
 * its case; the parent never touches CUDA. Nothing printed may depend on addresses, times or the size of
 * the device (print relations instead): then the output of two devices can be compared as text. */
#ifndef PROBE_H
#define PROBE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define ASK(call) probe_answer(#call, call)
/* A launch returns nothing: its answer is the last error, which this also clears. */
#define LAUNCH(text, ...)                                                                                    \
    do {                                                                                                     \
        __VA_ARGS__;                                                                                         \
        probe_answer(text, cudaGetLastError());                                                              \
    } while (0)
#define SAY(...) (printf("  " __VA_ARGS__), putchar('\n'), fflush(stdout))
#define CASE(run) probe_case(#run, run)

static inline cudaError_t probe_answer(const char *text, cudaError_t answer)
{
    printf("  %s -> %s\n", text, cudaGetErrorName(answer));
    fflush(stdout); // a crash in the next call must not take this line along
    return answer;
}

#ifdef CUDA_VERSION /* after cuda.h */
static inline CUresult probe_answer(const char *text, CUresult answer)
{
    const char *name = "no such code";
    cuGetErrorName(answer, &name);
    printf("  %s -> %s\n", text, name);
    fflush(stdout);
    return answer;
}
#endif

/* A number's bits in disarray: inputs that look random and are the same on both devices. */
__host__ __device__ static inline unsigned mixed(unsigned v)
{
    v = (v ^ v >> 16) * 0x7feb352d;
    v = (v ^ v >> 15) * 0x846ca68b;
    return v ^ v >> 16;
}

static inline void probe_case(const char *name, void (*run)())
{
    printf("== %s\n", name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(60); // a hang is an answer too
        run();
        fflush(stdout);
        _exit(0); // no exit handlers: what they would say is not part of the answer
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        SAY("ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        SAY("exit status %d", WEXITSTATUS(status));
}

/* Bytes of device memory in use more than when `before` bytes were free, in KiB. */
static inline long probe_taken_kib(size_t before)
{
    size_t now = 0, total = 0;
    cudaMemGetInfo(&now, &total);
    return ((long)before - (long)now) / 1024;
}

static inline size_t probe_free_bytes()
{
    size_t now = 0, total = 0;
    cudaMemGetInfo(&now, &total);
    return now;
}

/* Run `kernel` on one warp, whose results are `fill` in each byte before, and print what each lane wrote. */
static inline void probe_lanes(const char *what, void (*kernel)(int *), int fill, const char *format)
{
    int *d, back[32];
    cudaMalloc(&d, sizeof back);
    cudaMemset(d, fill, sizeof back);
    kernel<<<1, 32>>>(d);
    cudaError_t error = cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
    printf("  %s -> %s\n   ", what, cudaGetErrorName(error));
    for (int v : back)
        printf(format, v);
    printf("\n");
    cudaFree(d);
}

/* Keeps a stream busy for some 50 ms on a GPU; the count ends it at once where the clock is a model. */
__global__ static void probe_spin()
{
    long long start = clock64();
    for (int i = 0; i < 5000000 && clock64() - start < 100000000; i++)
        continue;
}

#endif
