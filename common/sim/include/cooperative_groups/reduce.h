/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief cooperative_groups::reduce and its operators.
 *
 * A tile combines as the GPU does, halves first, so that a floating-point sum has the same bits.
 */
#ifndef SIM_COOPERATIVE_GROUPS_REDUCE_H
#define SIM_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define SIM_REDUCER(name, expression)                       \
    template <class T> struct name {                        \
        T operator()(T a, T b) const { return expression; } \
    };
SIM_REDUCER(plus, a + b)
SIM_REDUCER(less, b < a ? b : a)
SIM_REDUCER(greater, a < b ? b : a)
SIM_REDUCER(bit_and, a & b)
SIM_REDUCER(bit_or, a | b)
SIM_REDUCER(bit_xor, a ^ b)
#undef SIM_REDUCER

template <unsigned Size, class Parent, class T, class Op>
T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op, SIM_SITE)
{
    for (unsigned flip = Size / 2; flip > 0; flip /= 2)
        value = op(value, group.shfl_xor(value, flip, file, line));
    return value;
}

template <class T, class Op> T reduce(const coalesced_group &group, T value, Op op, SIM_SITE)
{
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step, file, line);
        if (group.thread_rank() >= step)
            value = op(other, value);
    }
    return group.shfl(value, group.size() - 1, file, line);
}

} // namespace cooperative_groups

#endif
