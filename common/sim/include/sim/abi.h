/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What the CUDA headers ask of the simulated device's runtime: the only calls between the two.
 *
 * The headers (C++) turn a launch, a barrier or a shared variable into one of these C calls; the
 * runtime (C) knows nothing of C++. Names here start with `sim_`, so none can meet a learner's name.
 *
 *     kernel<<<g, b, bytes, s>>>(x, n)  ->  sim_launch_begin, the arguments copied, sim_launch_commit
 *     the device, later                 ->  run(args): do kernel(args...) for some threads; while
 * (sim_next_thread());
 */
#ifndef SIM_ABI_H
#define SIM_ABI_H

#include <sim/checked.h>
#include <stddef.h>
#include <vector_types.h> // for: uint3, dim3

#ifdef __cplusplus
extern "C" {
#endif

/** @brief A place in the learner's source, as the compiler names it. */
typedef struct sim_site {
    const char *file;
    int line;
} sim_site;

/* ---- launches: sim/src/launch.c ---- */

/** @brief One launch as the host code writes it: everything but the arguments. */
typedef struct sim_launch {
    const void *entry;       ///< address of the `__global__` function
    void (*run)(void *args); ///< runs simulated threads until sim_next_thread() says 0; see launch.h
    const char *name;        ///< the kernel's name where the header knows it, or NULL
    dim3 grid, block;
    size_t shared_bytes; ///< dynamic shared memory a block
    void *stream;        ///< a cudaStream_t
    sim_site site;
    int cooperative;
} sim_launch;

/**
 * @brief Check a launch against every limit and make room for its arguments.
 * @param[in] launch  the launch; copied
 * @param[in] bytes   size of the argument pack
 * @return memory for the pack, aligned to 64, owned by the runtime until the launch has run; NULL when
 *         the launch is refused (the error is then this thread's last error) and nothing more is to do
 */
void *sim_launch_begin(const sim_launch *launch, size_t bytes);

/**
 * @brief Queue the launch that sim_launch_begin() opened.
 * @param[in] args      what sim_launch_begin() returned, now filled
 * @param[in] pointers  the value of each argument that is a pointer, NULL for the others, in order
 * @param[in] count     number of arguments
 */
void sim_launch_commit(void *args, const void *const *pointers, int count);

/* ---- running threads: sim/src/exec.c ---- */

/** @brief Not 0 once a thread of the running block has waited: each thread is then scheduled by itself. */
extern int sim_threads_tracked;

/*
 * Constant as far as any simulated thread can see, so that compiled kernels keep them in registers.
 * The runtime, which changes them between threads, defines SIM_RUNTIME.
 */
#ifdef SIM_RUNTIME
#define SIM_CONSTANT
#else
#define SIM_CONSTANT const
#endif
/* It changes while a compiled loop over threads runs, but for the checked build, where the runtime loops. */
#if defined(SIM_CHECKED) && !defined(SIM_RUNTIME)
extern const uint3 threadIdx, blockIdx, blockDim, gridDim; // a dim3, which has constructors, would be watched
#else
extern uint3 threadIdx;
extern SIM_CONSTANT uint3 blockIdx;
extern SIM_CONSTANT dim3 blockDim, gridDim;
#endif
extern const int warpSize;

/** @brief Set the next thread to run: the one after it, or the first of the next block. @return 0 when this
 * runner is done */
int sim_next_thread(void);

/** @brief Block-wide barrier. @return how many threads of the block gave a non-zero `predicate` */
unsigned sim_barrier(int predicate, const char *file, int line);

/** @brief Wait for the lanes of `mask`. */
void sim_warp_sync(unsigned mask, const char *file, int line);
/** @brief Lanes of `mask` whose `predicate` is not 0. */
unsigned sim_warp_ballot(unsigned mask, int predicate, const char *file, int line);
/** @brief Replace `value` (1 to 16 bytes) by the value lane `source` brought; own value if it is not in
 * `mask`. */
void sim_warp_shuffle(unsigned mask, unsigned source, void *value, size_t bytes, const char *file, int line);
/**
 * @brief Wait for the other threads of a tile of `size` threads, more than a warp.
 * @param[in,out] value  replaced by what thread `source` of the block, one of the tile, brought; or NULL
 * @return how many of them gave a non-zero `predicate`
 */
unsigned sim_tile_meet(unsigned size, int predicate, unsigned source, void *value, size_t bytes,
                       const char *file, int line);
/** @brief Wait for every thread of a cooperative launch. */
void sim_grid_barrier(const char *file, int line);
int sim_grid_is_cooperative(void);
/** @brief Lanes of this warp that have not ended; only this one's bit is promised to be converged. */
unsigned sim_warp_active(void);
/** @brief Position of this thread in its warp, 0 to 31. */
static inline unsigned sim_lane(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u;
}

/** @brief End the whole launch as `__trap()` does: sticky cudaErrorLaunchFailure. */
void sim_trap(void) __attribute__((noreturn));
/** @brief The device's clock, in model cycles; grows with every call. */
long long sim_clock(void);

/* ---- shared memory: sim/src/shared.c ---- */

/** @brief One `__shared__` variable of one function (one template instance of it). */
typedef struct sim_shared {
    size_t bytes, align;
    void *address;            ///< inside the block's shared window once the block has touched it
    unsigned long long epoch; ///< the block that touched it last
    struct sim_shared *next;  ///< in the list of the running block
} sim_shared;

extern unsigned long long sim_block_epoch; ///< grows by one for each block that starts

void sim_shared_touch(sim_shared *variable);

/** @brief Address of dynamic shared memory: the same in every block, so `extern __shared__` can bind to it.
 */
#define SIM_DYNAMIC_SHARED ((void *)0x1ff000000000ull)

/** @brief CUDA's name for the kind of memory at an address. */
enum sim_state { SIM_STATE_GLOBAL, SIM_STATE_SHARED, SIM_STATE_CONSTANT, SIM_STATE_LOCAL };
enum sim_state sim_state_space(const void *p);

/**
 * @brief An atomic exchange of 16 bytes.
 * @param[in] compare  where not NULL: only if these are there
 * @param[out] old     what was there
 */
void sim_atomic_exchange16(void *p, const void *compare, const void *value, void *old);

/** @brief `api` (cudaMemset()) has been given a floating value, which fills no float: a note, but for 0. */
void sim_note_fill(const char *api, double value);

/**
 * @brief Tell the runtime, before main, how much static shared memory a function declares.
 * @param[in] unit      of the function; or the address of a kernel, an instance of a template
 * @param[in] function  number of the function in its translation unit, unique with `unit`
 */
void sim_register_shared(const void *unit, int function, size_t bytes);

/* ---- what a translation unit declares: sim/src/registry.c; calls emitted by simcc, before main ---- */

enum sim_space { SIM_SPACE_DEVICE = 1, SIM_SPACE_CONSTANT = 2, SIM_SPACE_MANAGED = 3 };

/** @brief A `__device__`, `__constant__` or `__managed__` variable. */
void sim_register_symbol(const void *address, size_t bytes, const char *name, int space);

/** @brief A class of the program's own: how wide the accesses are that it is copied with. Checked build only.
 */
void sim_register_type(size_t bytes, size_t align);

/** @brief A `__global__` function, or an instance of a template of one. */
typedef struct sim_entry {
    const void *address;
    const char *name;        ///< NULL: found in the program's symbols when it is needed
    void (*run)(void *args); ///< as sim_launch::run
    size_t (*unpack)(void *to,
                     void **from); ///< makes an argument pack from cudaLaunchKernel()'s; `to` NULL: size, and
                                   ///< `from`, that of a pack, becomes the addresses of its arguments
    const void *unit;              ///< of the functions below
    const int *functions;          ///< whose static shared memory it can reach; see sim_register_shared
    int function_count;
    int max_threads, min_blocks; ///< from `__launch_bounds__`, 0 where absent
    int has_return;              ///< a thread can leave it before its end
} sim_entry;
void sim_register_kernel(const sim_entry *entry);

#ifdef __cplusplus
}
#endif
#endif
