/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief cooperative_groups::reduce and its operators.
 *
 * Values are combined in the order in which the GPU does it, so that a floating-point sum has the same bits.
 */
#ifndef SIM_COOPERATIVE_GROUPS_REDUCE_H
#define SIM_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups/scan.h>

namespace cooperative_groups {

namespace details {

template <unsigned Size, class T, class Op>
T reduce_halves(const narrow_tile<Size> &group, T value, Op &op, const char *file, int line)
{
    for (unsigned flip = Size / 2; flip > 0; flip /= 2)
        value = op(value, group.shfl_xor(value, flip, file, line));
    return value;
}

} // namespace details

template <class T, class Op> T reduce(const coalesced_group &group, T value, Op op, SIM_SITE)
{
    if (group.size() == 32)
        return details::reduce_halves(tiled_partition<32>(this_thread_block()), value, op, file, line);
    return group.shfl(details::scan(group, value, op, file, line), group.size() - 1, file, line);
}

/** @brief Halves first; of several warps each for itself, then their results. */
template <unsigned Size, class Parent, class T, class Op>
T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op, SIM_SITE)
{
    if constexpr (Size <= 32) {
        return details::reduce_halves(group, value, op, file, line);
    } else {
        const auto warp = tiled_partition<32>(this_thread_block());
        const auto sums = tiled_partition<Size / 32>(this_thread_block());
        value = details::reduce_halves(warp, value, op, file, line);
        value = details::from_each_warp(group, value, 0, file, line);
        return details::reduce_halves(sums, value, op, file, line);
    }
}

} // namespace cooperative_groups

#endif
