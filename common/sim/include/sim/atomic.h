/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief CUDA's atomic functions: relaxed, each returning the old value, in all three scopes.
 *
 * They are real atomics, so that host threads may meet them through managed or mapped memory, and so that the
 * checked build sees each as one atomic access. What the processor cannot do at once (floating point,
 * wrapping counters) is a compare-and-swap loop, its first look at the old value hidden from that build.
 */
#ifndef SIM_ATOMIC_H
#define SIM_ATOMIC_H

#include <sim/abi.h>

namespace sim {

template <class T> SIM_UNSEEN inline T atomic_peek(const T *p)
{
    T value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
}

template <class T, class Next> SIM_INLINE T atomic_update(T *p, Next next)
{
    T old = atomic_peek(p), fresh = next(old);
    while (!__atomic_compare_exchange(p, &old, &fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        fresh = next(old);
    return old;
}

} // namespace sim

#define SIM_ATOMIC(name, type, body)                               \
    SIM_INLINE type name(type *p, type v) { return body; }         \
    SIM_INLINE type name##_block(type *p, type v) { return body; } \
    SIM_INLINE type name##_system(type *p, type v) { return body; }
#define SIM_ATOMIC_LOOP(name, type, next) \
    SIM_ATOMIC(name, type, (sim::atomic_update(p, [v](type old) -> type { return next; })))
#define SIM_ATOMIC_CAS(type)                                                                            \
    SIM_INLINE type atomicCAS(type *p, type compare, type v)                                            \
    {                                                                                                   \
        type old = compare;                                                                             \
        __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);             \
        return old;                                                                                     \
    }                                                                                                   \
    SIM_INLINE type atomicCAS_block(type *p, type compare, type v) { return atomicCAS(p, compare, v); } \
    SIM_INLINE type atomicCAS_system(type *p, type compare, type v) { return atomicCAS(p, compare, v); }

#define SIM_ATOMIC_ADD(type) SIM_ATOMIC(atomicAdd, type, (__atomic_fetch_add(p, v, __ATOMIC_RELAXED)))
#define SIM_ATOMIC_SUB(type) SIM_ATOMIC(atomicSub, type, (__atomic_fetch_sub(p, v, __ATOMIC_RELAXED)))
#define SIM_ATOMIC_EXCH(type) SIM_ATOMIC(atomicExch, type, (__atomic_exchange_n(p, v, __ATOMIC_RELAXED)))
#define SIM_ATOMIC_BITS(type)                                                 \
    SIM_ATOMIC(atomicAnd, type, (__atomic_fetch_and(p, v, __ATOMIC_RELAXED))) \
    SIM_ATOMIC(atomicOr, type, (__atomic_fetch_or(p, v, __ATOMIC_RELAXED)))   \
    SIM_ATOMIC(atomicXor, type, (__atomic_fetch_xor(p, v, __ATOMIC_RELAXED)))
#define SIM_ATOMIC_EXTREMES(type)                       \
    SIM_ATOMIC_LOOP(atomicMin, type, old < v ? old : v) \
    SIM_ATOMIC_LOOP(atomicMax, type, old > v ? old : v)

SIM_ATOMIC_ADD(int)
SIM_ATOMIC_ADD(unsigned)
SIM_ATOMIC_ADD(unsigned long long)
SIM_ATOMIC_LOOP(atomicAdd, float, old + v)
SIM_ATOMIC_LOOP(atomicAdd, double, old + v)
SIM_ATOMIC_SUB(int)
SIM_ATOMIC_SUB(unsigned)
SIM_ATOMIC_EXCH(int)
SIM_ATOMIC_EXCH(unsigned)
SIM_ATOMIC_EXCH(unsigned long long)
SIM_ATOMIC_EXTREMES(int)
SIM_ATOMIC_EXTREMES(unsigned)
SIM_ATOMIC_EXTREMES(long long)
SIM_ATOMIC_EXTREMES(unsigned long long)
SIM_ATOMIC_BITS(int)
SIM_ATOMIC_BITS(unsigned)
SIM_ATOMIC_BITS(long long)
SIM_ATOMIC_BITS(unsigned long long)
SIM_ATOMIC_LOOP(atomicInc, unsigned, old >= v ? 0 : old + 1)
SIM_ATOMIC_LOOP(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
SIM_ATOMIC_CAS(int)
SIM_ATOMIC_CAS(unsigned)
SIM_ATOMIC_CAS(unsigned long long)
SIM_ATOMIC_CAS(unsigned short)

namespace sim {

SIM_INLINE float atomic_swap(float *p, float v)
{
    __atomic_exchange(p, &v, &v, __ATOMIC_RELAXED);
    return v;
}

} // namespace sim

SIM_ATOMIC(atomicExch, float, (sim::atomic_swap(p, v)))

/* Each element of a vector is added atomically, the vector as a whole is not. */
SIM_ATOMIC(atomicAdd, float2, (float2{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}))
SIM_ATOMIC(atomicAdd, float4,
           (float4{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
                   atomicAdd(&p->w, v.w)}))

/* ---- any plain type of 16 bytes that is aligned so ---- */

namespace sim {

template <class T> SIM_INLINE T exchange16(T *p, const T *compare, const T &value)
{
    static_assert(sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T),
                  "atomicCAS and atomicExch take 4 or 8 bytes, or a plain type of 16 that is aligned to 16");
    struct {
        alignas(16) unsigned char bytes[16];
    } old;
    sim_atomic_exchange16(p, compare, &value, old.bytes);
    return __builtin_bit_cast(T, old);
}

} // namespace sim

#define SIM_ATOMIC_WIDE(scope)                                                            \
    template <class T> SIM_INLINE T atomicCAS##scope(T *p, T compare, T v)                \
    {                                                                                     \
        return sim::exchange16(p, &compare, v);                                           \
    }                                                                                     \
    template <class T> SIM_INLINE T atomicExch##scope(T *p, T v)                          \
    {                                                                                     \
        return sim::exchange16(p, (const T *)nullptr, v);                                 \
    }
SIM_ATOMIC_WIDE()
SIM_ATOMIC_WIDE(_block)
SIM_ATOMIC_WIDE(_system)
#undef SIM_ATOMIC_WIDE

#undef SIM_ATOMIC_EXTREMES
#undef SIM_ATOMIC_BITS
#undef SIM_ATOMIC_EXCH
#undef SIM_ATOMIC_SUB
#undef SIM_ATOMIC_ADD
#undef SIM_ATOMIC_CAS
#undef SIM_ATOMIC_LOOP
#undef SIM_ATOMIC

#endif
