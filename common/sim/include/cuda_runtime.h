/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief CUDA's runtime for C++ on the simulated device; simcc includes it in every `.cu` file, as nvcc does.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <sim/checked.h> // first: before the C library's headers
#include <host_defines.h>
#include <vector_types.h>
#include <driver_types.h>
#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <vector_functions.h>
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <sim/api_templates.h>
#endif
#if defined(__cplusplus) && defined(__CUDACC__)
#include <sim/launch.h>
#include <sim/math.h>
#include <sim/simd.h>
#include <sim/warp.h>
#include <sim/atomic.h>
#include <texture_fetch_functions.h>
#include <surface_functions.h>
#endif

#endif
