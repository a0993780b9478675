/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Constructors of the three structs that describe boxes in memory.
 */
#ifndef SIM_DRIVER_FUNCTIONS_H
#define SIM_DRIVER_FUNCTIONS_H

#include <driver_types.h>

/** @brief Rows of `xsz` bytes, `p` bytes apart, `ysz` of them in a slice. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr s = {d, p, xsz, ysz};
    return s;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}

static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e = {w, h, d};
    return e;
}

#endif
