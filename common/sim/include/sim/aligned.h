/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Shared variables that ask for an alignment, as `__shared__ __align__(16) char c[64];` does.
 *
 * An alignment on a reference would not reach what it refers to, so simcc binds the reference to a member
 * of a structure that has it:  `char (&c)[64]=$aligned<16,decltype(c)>($sh<1>([]{}));`
 */
#ifndef SIM_ALIGNED_H
#define SIM_ALIGNED_H

#include <stddef.h>
#include <type_traits>

/** @brief The variable that `shared` (what `$sh` returns) converts to, of type R, at a multiple of Align. */
template <size_t Align, class R, class Shared> inline R $aligned(const Shared &shared)
{
    using T = typename std::remove_reference<R>::type;
    struct alignas(T) alignas(Align) Holder {
        T value;
    };
    return static_cast<Holder &>(shared).value;
}

#endif
