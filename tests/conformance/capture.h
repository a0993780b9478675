/* SPDX-License-Identifier: MIT */
/* For programs about captures. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "probe.h"

/* One call inside a capture of the stream `t` in `mode`, and what the capture then comes to, in `graph`. */
#define INSIDE(call)                                                                                         \
    do {                                                                                                     \
        cudaStreamBeginCapture(t, mode);                                                                     \
        ASK(call);                                                                                           \
        cudaError_t end = cudaStreamEndCapture(t, &graph);                                                   \
        SAY("  the capture ends in %s", cudaGetErrorName(end));                                              \
        cudaGetLastError();                                                                                  \
    } while (0)

#endif
