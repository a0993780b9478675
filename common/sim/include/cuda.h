/* SPDX-License-Identifier: MIT */
/** @file @brief Stands where a toolkit's own cuda.h might be found, which would not fit the headers here. */
#error the simulated device does not support the driver API <cuda.h>; it works with nvcc on a GPU
