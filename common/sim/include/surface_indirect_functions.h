/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Surface accesses in kernels, under the name of CUDA's header; they are in sim/texture.h.
 */
#ifndef SIM_SURFACE_INDIRECT_FUNCTIONS_H
#define SIM_SURFACE_INDIRECT_FUNCTIONS_H

#include "sim/texture.h"

#endif
