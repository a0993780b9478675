/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief All of CUDA's plain types.
 */
#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"
