/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Streams for the labs' checks: a gate that holds one, so that who waits shows; wall-clock time.
 *
 *     lab_gate gate;
 *     lab_gate_close(&gate, stream);            // from here on, work in the stream stands still
 *     cudaMemcpyAsync(d, h, bytes, kind, stream);
 *     bool waited = !lab_gate_holds(&gate);     // the call came back only after the gate had opened
 *     lab_gate_open(&gate, stream);
 */
#ifndef LAB_STREAM_H
#define LAB_STREAM_H

#include "lab.h"
#include <time.h>

/** @brief Opens by itself after a tenth of a second, since the one who would open it may be who waits. */
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

/** @brief Hold what is given to the stream from now on. The gate must live until lab_gate_open(). */
static inline void lab_gate_close(lab_gate *gate, cudaStream_t stream)
{
    gate->open = gate->passed = false;
    CUDA_CHECK(cudaLaunchHostFunc(stream, lab_gate_keep, gate));
}

/** @brief Whether nobody has waited for the stream since. */
static inline bool lab_gate_holds(const lab_gate *gate)
{
    return !gate->passed;
}

/** @brief Let the stream go on, and wait for it. */
static inline void lab_gate_open(lab_gate *gate, cudaStream_t stream)
{
    gate->open = true;
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

/** @brief On a GPU: the best of ten times that `run()` takes until the device has done it, in milliseconds. */
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

#endif
