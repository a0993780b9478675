/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief cooperative_groups::inclusive_scan and exclusive_scan, and the operators of scan and reduce.
 */
#ifndef SIM_COOPERATIVE_GROUPS_SCAN_H
#define SIM_COOPERATIVE_GROUPS_SCAN_H

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

namespace details {

/* Within a warp, each thread's result. */
template <class Group, class T, class Op>
T scan(const Group &group, T value, Op &op, const char *file, int line)
{
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step, file, line);
        if (group.thread_rank() >= step)
            value = op(value, other);
    }
    return value;
}

/* The result of the thread before; nothing for the first. */
template <class Group, class T> T shifted(const Group &group, T value, const char *file, int line)
{
    value = group.shfl_up(value, 1, file, line);
    return group.thread_rank() ? value : T{};
}

/* In a tile of several warps thread n gets what this lane of warp n has, and so each warp has all. */
template <unsigned Size, class T>
T from_each_warp(const wide_tile<Size> &group, T value, unsigned lane, const char *file, int line)
{
    return group.shfl(value, group.thread_rank() % (Size / 32) * 32 + lane, file, line);
}

template <bool Inclusive, unsigned Size, class T, class Op>
T scan_wide(const wide_tile<Size> &group, T value, Op &op, const char *file, int line)
{
    const auto warp = tiled_partition<32>(this_thread_block());
    T mine = scan(warp, value, op, file, line);
    const auto sums = tiled_partition<Size / 32>(this_thread_block());
    T before = scan(sums, from_each_warp(group, mine, 31, file, line), op, file, line);
    before = sums.shfl(shifted(sums, before, file, line), group.thread_rank() / 32, file, line);
    if (!Inclusive)
        mine = shifted(warp, mine, file, line);
    if (group.thread_rank() < 32)
        return mine;
    return !Inclusive && warp.thread_rank() == 0 ? before : op(mine, before);
}

} // namespace details

template <class T, class Op> T inclusive_scan(const coalesced_group &group, T value, Op op, SIM_SITE)
{
    return details::scan(group, value, op, file, line);
}
template <class T, class Op> T exclusive_scan(const coalesced_group &group, T value, Op op, SIM_SITE)
{
    return details::shifted(group, details::scan(group, value, op, file, line), file, line);
}
template <unsigned Size, class Parent, class T, class Op>
T inclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Op op, SIM_SITE)
{
    if constexpr (Size <= 32)
        return details::scan(group, value, op, file, line);
    else
        return details::scan_wide<true>(group, value, op, file, line);
}
template <unsigned Size, class Parent, class T, class Op>
T exclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Op op, SIM_SITE)
{
    if constexpr (Size <= 32)
        return details::shifted(group, details::scan(group, value, op, file, line), file, line);
    else
        return details::scan_wide<false>(group, value, op, file, line);
}

template <class Group, class T> T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T> T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
