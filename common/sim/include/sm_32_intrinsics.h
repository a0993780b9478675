/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief A name that programs include; all of it is in cuda_runtime.h.
 */
#include <cuda_runtime.h>
