/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Streams for the labs' checks: who waits for whom; wall-clock time; the rate of the link.
 *
 *     bool waits = lab_waits(stream, [=] { cudaMemcpyAsync(d, h, bytes, kind, stream); });
 */
#ifndef LAB_STREAM_H
#define LAB_STREAM_H

#include "lab.h"
#include <time.h>

/** @brief Holds a stream, for a tenth of a second at most: the one who would open it may be who waits. */
struct lab_gate {
    volatile bool open, passed;
};

/** @brief Sleep in the stream. The simulated device gets here only because somebody waits: no need to. */
static inline void lab_gate_keep(void *p)
{
    lab_gate *gate = (lab_gate *)p;
    for (int ms = 0; ms < 100 && !gate->open && !lab_on_sim; ms++)
        usleep(1000);
    gate->passed = true;
}

/** @brief The least work there is. */
__global__ static void lab_nothing(void) {}

/**
 * @brief A stream. What a GPU's driver takes at the first use of managed memory and of a graph, and keeps, it
 * has taken then: later that would look like a leak.
 */
static inline cudaStream_t lab_stream_create(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    void *h, *d;
    CUDA_CHECK(cudaStreamCreate(&stream));
    if (lab_on_sim)
        return stream;
    CUDA_CHECK(cudaMallocManaged(&d, 1 << 20));
    CUDA_CHECK(cudaMallocHost(&h, 1 << 20));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA_CHECK(cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, stream));
    lab_nothing<<<1, 1, 0, stream>>>();
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFreeHost(h));
    CUDA_CHECK(cudaFree(d));
    return stream;
}

/** @brief Whether `run()` waits for what was given to the stream before: here, for work that stands still. */
template <class F> static bool lab_waits(cudaStream_t stream, F run)
{
    static lab_gate gate; // outlives run(), should that end the task by an exception
    gate.open = gate.passed = false;
    CUDA_CHECK(cudaLaunchHostFunc(stream, lab_gate_keep, &gate));
    run();
    bool waited = gate.passed;
    gate.open = true;
    CUDA_CHECK(cudaStreamSynchronize(stream));
    return waited;
}

/** @brief On a GPU: the best of ten times from `run()` until the device has done it, in milliseconds. */
template <class F> static double lab_milliseconds(F run)
{
    double best = 1e30;
    for (int repeat = 0; repeat < 11; repeat++) { // the first warms up
        timespec from, to;
        CUDA_CHECK(cudaDeviceSynchronize());
        clock_gettime(CLOCK_MONOTONIC, &from);
        run();
        CUDA_CHECK(cudaDeviceSynchronize());
        clock_gettime(CLOCK_MONOTONIC, &to);
        double ms = 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
        best = repeat && ms < best ? ms : best;
    }
    return best;
}

/** @brief On a GPU: print the rate of a copy from `h`, on the host, beside the link's. @return its share */
static inline double lab_link_share(const char *what, const void *h, size_t bytes)
{
    void *d, *pinned;
    CUDA_CHECK(cudaMalloc(&d, bytes));
    CUDA_CHECK(cudaMallocHost(&pinned, bytes));
    auto copy_ms = [=](const void *from) {
        return lab_milliseconds([=] { CUDA_CHECK(cudaMemcpyAsync(d, from, bytes, cudaMemcpyDefault)); });
    };
    double link = copy_ms(pinned), ms = copy_ms(h);
    printf("    %-24s %8.3f ms %7.1f GB/s (the link: %.1f GB/s)\n", what, ms, (double)bytes / 1e6 / ms,
           (double)bytes / 1e6 / link);
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaFree(d));
    return link / ms;
}

#endif
