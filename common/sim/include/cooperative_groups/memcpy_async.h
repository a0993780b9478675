/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief cooperative_groups::memcpy_async: here the group copies at once, and wait() is its barrier.
 */
#ifndef SIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

namespace details {

template <class Unit, class Group>
void copy_units(const Group &group, void *to, const void *from, size_t bytes)
{
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Unit); i += group.size())
        ((Unit *)to)[i] = ((const Unit *)from)[i];
}

} // namespace details

/** @brief Copy `bytes` bytes, in the widest units that the addresses and the size allow. */
template <class Group, class T> void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    const size_t odd = (size_t)to | (size_t)from | bytes;
    if (odd % 16 == 0)
        details::copy_units<int4>(group, to, from, bytes);
    else if (odd % 4 == 0)
        details::copy_units<int>(group, to, from, bytes);
    else
        details::copy_units<char>(group, to, from, bytes);
}

/** @brief Copy as many elements as both sides have. */
template <class Group, class T>
void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count)
{
    memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

template <class Group> void wait(const Group &group, SIM_SITE) { group.sync(file, line); }
template <unsigned Stages, class Group> void wait_prior(const Group &group, SIM_SITE)
{
    group.sync(file, line);
}

} // namespace cooperative_groups

#endif
