/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief The old name of crt/host_defines.h.
 */
#include <crt/host_defines.h>
