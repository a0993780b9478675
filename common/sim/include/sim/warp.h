/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Barriers, warp operations, fences, cached loads and stores, clocks: what only device code may call.
 *
 * Whatever waits for other threads takes its caller's place in two default arguments, so that a report about
 * threads that wait for each other can name the lines.
 */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include <sim/abi.h>
#include <stddef.h>
#include <time.h>

#define SIM_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* ---- the block's barrier ---- */

SIM_INLINE void __syncthreads(SIM_SITE) { sim_barrier(0, file, line); }
SIM_INLINE int __syncthreads_count(int predicate, SIM_SITE)
{
    return (int)sim_barrier(predicate, file, line);
}
SIM_INLINE int __syncthreads_or(int predicate, SIM_SITE) { return sim_barrier(predicate, file, line) != 0; }
SIM_INLINE int __syncthreads_and(int predicate, SIM_SITE) { return sim_barrier(!predicate, file, line) == 0; }

/* ---- votes ---- */

SIM_INLINE void __syncwarp(unsigned mask = 0xffffffff, SIM_SITE) { sim_warp_sync(mask, file, line); }
SIM_INLINE unsigned __activemask() { return sim_warp_active(); }
SIM_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIM_SITE)
{
    return sim_warp_ballot(mask, predicate, file, line);
}
SIM_INLINE int __any_sync(unsigned mask, int predicate, SIM_SITE)
{
    return sim_warp_ballot(mask, predicate, file, line) != 0;
}
SIM_INLINE int __all_sync(unsigned mask, int predicate, SIM_SITE)
{
    return sim_warp_ballot(mask, !predicate, file, line) == 0;
}
SIM_INLINE int __uni_sync(unsigned mask, int predicate, SIM_SITE)
{
    const unsigned yes = sim_warp_ballot(mask, predicate, file, line);
    return yes == 0 || sim_warp_ballot(mask, !predicate, file, line) == 0;
}

/* ---- shuffles ---- */

namespace sim {

/* As the hardware's SHFL: `width` splits the warp into segments; a source out of range means oneself. Only
   the low five bits of a distance or lane count. */
SIM_INLINE unsigned source_index(unsigned lane, unsigned index, int width)
{
    const unsigned segment = (32u - (unsigned)width) & 31;
    return (lane & segment) | (index & 31 & ~segment);
}
SIM_INLINE unsigned source_up(unsigned lane, unsigned delta, int width)
{
    const unsigned segment = (32u - (unsigned)width) & 31, source = lane - (delta & 31);
    return (int)source >= (int)(lane & segment) ? source : lane;
}
SIM_INLINE unsigned source_down(unsigned lane, unsigned delta, int width)
{
    const unsigned segment = (32u - (unsigned)width) & 31, source = lane + (delta & 31);
    return source <= ((lane & segment) | (31 & ~segment)) ? source : lane;
}
SIM_INLINE unsigned source_xor(unsigned lane, unsigned flip, int width)
{
    const unsigned segment = (32u - (unsigned)width) & 31, source = lane ^ (flip & 31);
    return source <= ((lane & segment) | (31 & ~segment)) ? source : lane;
}

template <class T> SIM_INLINE T shuffle(unsigned mask, T value, unsigned source, const char *file, int line)
{
    sim_warp_shuffle(mask, source, &value, sizeof value, file, line);
    return value;
}

} // namespace sim

#define SIM_SHUFFLE(name, type, rule, how)                                                        \
    SIM_INLINE type name(unsigned mask, type value, how, int width = 32, SIM_SITE)                \
    {                                                                                             \
        return sim::shuffle(mask, value, sim::rule(sim_lane(), (unsigned)by, width), file, line); \
    }
/* All four for a type; cuda_fp16.h and cuda_bf16.h add theirs. */
#define SIM_SHUFFLES(type)                                        \
    SIM_SHUFFLE(__shfl_sync, type, source_index, int by)          \
    SIM_SHUFFLE(__shfl_up_sync, type, source_up, unsigned by)     \
    SIM_SHUFFLE(__shfl_down_sync, type, source_down, unsigned by) \
    SIM_SHUFFLE(__shfl_xor_sync, type, source_xor, int by)

SIM_SHUFFLES(int)
SIM_SHUFFLES(unsigned)
SIM_SHUFFLES(long)
SIM_SHUFFLES(unsigned long)
SIM_SHUFFLES(long long)
SIM_SHUFFLES(unsigned long long)
SIM_SHUFFLES(float)
SIM_SHUFFLES(double)

/* ---- match and reduce ---- */

namespace sim {

/* One round for each distinct value: the lowest lane left shows its own, the lanes that have it are done. */
template <class T> inline unsigned match_any(unsigned mask, T value, const char *file, int line)
{
    unsigned same = 0, left = sim_warp_ballot(mask, 1, file, line);
    while (left) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        const bool equal = shuffle(mask, value, first, file, line) == value;
        const unsigned peers = sim_warp_ballot(mask, equal, file, line);
        if (equal)
            same = peers;
        left &= ~peers;
    }
    return same;
}

template <class T> inline unsigned match_all(unsigned mask, T value, int *all, const char *file, int line)
{
    const unsigned live = sim_warp_ballot(mask, 1, file, line);
    const T shown = shuffle(mask, value, (unsigned)__builtin_ctz(live), file, line);
    *all = sim_warp_ballot(mask, shown != value, file, line) == 0;
    return *all ? mask : 0;
}

SIM_INLINE unsigned nth_lane(unsigned mask, unsigned n)
{
    while (n--)
        mask &= mask - 1;
    return (unsigned)__builtin_ctz(mask);
}

/* An inclusive scan over the lanes by rank; the last one then holds the result. */
template <class T, class Op> inline T warp_reduce(unsigned mask, T value, Op op, const char *file, int line)
{
    const unsigned live = sim_warp_ballot(mask, 1, file, line), count = (unsigned)__builtin_popcount(live);
    const unsigned rank = (unsigned)__builtin_popcount(live & ((1u << sim_lane()) - 1));
    for (unsigned step = 1; step < count; step *= 2) {
        const unsigned source = nth_lane(live, rank >= step ? rank - step : rank);
        const T other = shuffle(mask, value, source, file, line);
        if (rank >= step)
            value = op(other, value);
    }
    return shuffle(mask, value, nth_lane(live, count - 1), file, line);
}

} // namespace sim

#define SIM_MATCH(type)                                                                 \
    SIM_INLINE unsigned __match_any_sync(unsigned mask, type value, SIM_SITE)           \
    {                                                                                   \
        return sim::match_any(mask, value, file, line);                                 \
    }                                                                                   \
    SIM_INLINE unsigned __match_all_sync(unsigned mask, type value, int *all, SIM_SITE) \
    {                                                                                   \
        return sim::match_all(mask, value, all, file, line);                            \
    }
#define SIM_REDUCE(name, type, expression)                                               \
    SIM_INLINE type name(unsigned mask, type value, SIM_SITE)                            \
    {                                                                                    \
        return sim::warp_reduce(                                                         \
            mask, value, [](type a, type b) -> type { return expression; }, file, line); \
    }

SIM_MATCH(int)
SIM_MATCH(unsigned)
SIM_MATCH(long)
SIM_MATCH(unsigned long)
SIM_MATCH(long long)
SIM_MATCH(unsigned long long)
SIM_MATCH(float)
SIM_MATCH(double)
SIM_REDUCE(__reduce_add_sync, unsigned, a + b)
SIM_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
SIM_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
SIM_REDUCE(__reduce_min_sync, int, a < b ? a : b)
SIM_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
SIM_REDUCE(__reduce_max_sync, int, a > b ? a : b)
SIM_REDUCE(__reduce_and_sync, unsigned, a & b)
SIM_REDUCE(__reduce_or_sync, unsigned, a | b)
SIM_REDUCE(__reduce_xor_sync, unsigned, a ^ b)

#undef SIM_REDUCE
#undef SIM_MATCH

/* ---- fences, time, the end ---- */

SIM_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SIM_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SIM_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

SIM_INLINE long long clock64() { return sim_clock(); }
SIM_INLINE void __nanosleep(unsigned) { sim_clock(); }
SIM_INLINE void __trap() { sim_trap(); }
SIM_INLINE void __brkpt() { sim_trap(); }
SIM_INLINE void __prof_trigger(int) {}

/* malloc and its like in a kernel are the runtime's (guard.c, heap.c). */
extern "C" void *__nv_aligned_device_malloc(size_t size, size_t align);

/* `clock` is libc's name too: calls of it go to the runtime, which answers host and device code. */
extern "C" clock_t clock(void) noexcept __asm__("sim_clock_any");

/* A launch begins when the one before it in its stream has ended. */
SIM_INLINE void cudaGridDependencySynchronize() {}
SIM_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}

/* ---- loads and stores that name a cache: one memory here ---- */

#define SIM_LOAD(name) \
    template <class T> SIM_INLINE T name(const T *p) { return *p; }
#define SIM_STORE(name) \
    template <class T> SIM_INLINE void name(T *p, T value) { *p = value; }

SIM_LOAD(__ldg)
SIM_LOAD(__ldca)
SIM_LOAD(__ldcg)
SIM_LOAD(__ldcs)
SIM_LOAD(__ldlu)
SIM_LOAD(__ldcv)
SIM_STORE(__stwb)
SIM_STORE(__stcg)
SIM_STORE(__stcs)
SIM_STORE(__stwt)

#undef SIM_STORE
#undef SIM_LOAD

/* ---- what kind of memory is at an address ---- */

SIM_INLINE unsigned __isGlobal(const void *p) { return sim_state_space(p) == SIM_STATE_GLOBAL; }
SIM_INLINE unsigned __isShared(const void *p) { return sim_state_space(p) == SIM_STATE_SHARED; }
SIM_INLINE unsigned __isCtaShared(const void *p) { return __isShared(p); }
SIM_INLINE unsigned __isClusterShared(const void *p) { return __isShared(p); }
SIM_INLINE unsigned __isConstant(const void *p) { return sim_state_space(p) == SIM_STATE_CONSTANT; }
SIM_INLINE unsigned __isLocal(const void *p) { return sim_state_space(p) == SIM_STATE_LOCAL; }

/* One address space: an address is the same in every state space. */
SIM_INLINE size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
SIM_INLINE void *__cvta_local_to_generic(size_t address) { return (void *)address; }
SIM_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
SIM_INLINE size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
SIM_INLINE size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
SIM_INLINE void *__cvta_global_to_generic(size_t address) { return (void *)address; }
SIM_INLINE void *__cvta_shared_to_generic(size_t address) { return (void *)address; }
SIM_INLINE void *__cvta_constant_to_generic(size_t address) { return (void *)address; }

#endif
