/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Texture fetches in kernels, under the name of CUDA's header; they are in sim/texture.h.
 */
#ifndef SIM_TEXTURE_FETCH_FUNCTIONS_H
#define SIM_TEXTURE_FETCH_FUNCTIONS_H

#include "sim/texture.h"

#endif
