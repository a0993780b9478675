/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief CUDA's specifiers, which mean nothing to a compiler that makes host and device code alike.
 *
 * `__noinline__` is missing on purpose: as a macro it would break `__attribute__((__noinline__))` in the
 * C++ library, so simcc rewrites it. `__shared__` is simcc's too, except in files that it does not translate.
 */
#ifndef SIM_CRT_HOST_DEFINES_H
#define SIM_CRT_HOST_DEFINES_H

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#ifndef __CUDACC__
#define __shared__
#endif

#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __cluster_dims__(...)

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

/** How these headers define a function: always inlined, so that an access in it has its caller's line. */
#define SIM_EXTERN_INLINE __inline__ __attribute__((always_inline, unused))
#define SIM_INLINE static SIM_EXTERN_INLINE

#endif
