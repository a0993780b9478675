/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief How a surface object treats coordinates outside its array.
 */
#ifndef SIM_SURFACE_TYPES_H
#define SIM_SURFACE_TYPES_H

/** @brief Outside: read 0 and drop writes, take the nearest element, or end the kernel with an error. */
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
