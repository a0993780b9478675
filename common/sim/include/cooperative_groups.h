/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Cooperative groups: the block, tiles of up to a warp, the lanes that run together, the grid.
 *
 * A coalesced group holds the lanes that the runtime promises to be converged, at the least the caller alone.
 * Tiles of more than 32 threads and clusters are not there.
 */
#ifndef SIM_COOPERATIVE_GROUPS_H
#define SIM_COOPERATIVE_GROUPS_H

#include <sim/warp.h>

namespace cooperative_groups {

class coalesced_group;
coalesced_group coalesced_threads();

/** @brief Any group, with what all have in common. */
class thread_group {
protected:
    enum scope { lanes, block, grid };
    scope where;
    unsigned mask; // of the warp, for lanes
    unsigned meta_rank, meta_size;

    thread_group(scope where_, unsigned mask_ = 0, unsigned rank_ = 0, unsigned size_ = 1)
        : where(where_), mask(mask_), meta_rank(rank_), meta_size(size_)
    {
    }
    static unsigned rank_in_block()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static unsigned threads_of(dim3 v) { return v.x * v.y * v.z; }
    static unsigned block_rank_in_grid()
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    /* Lane that holds place `n` of the group, or this one. */
    unsigned lane_of(unsigned n) const { return n < num_threads() ? sim::nth_lane(mask, n) : sim_lane(); }
    unsigned packed(unsigned of_warp) const
    {
        unsigned result = 0, n = 0;
        for (unsigned left = mask; left; left &= left - 1, n++)
            result |= (of_warp >> __builtin_ctz(left) & 1) << n;
        return result;
    }
    /* The part of the group of `width` consecutive places that holds this thread. */
    thread_group part(unsigned width) const
    {
        const unsigned rank = thread_rank(), first = rank / width * width;
        const unsigned count = (size() + width - 1) / width;
        unsigned chosen = 0;
        if (where == block)
            chosen = (width < 32 ? (1u << width) - 1 : ~0u) << (sim_lane() & ~(width - 1));
        else
            for (unsigned n = first; n < first + width && n < size(); n++)
                chosen |= 1u << sim::nth_lane(mask, n);
        return thread_group(lanes, chosen, rank / width, count);
    }
    static thread_group lanes_of(unsigned mask) { return thread_group(lanes, mask); }
    friend class coalesced_group;
    friend coalesced_group coalesced_threads();
    friend thread_group tiled_partition(const thread_group &parent, unsigned width);
    template <unsigned, class> friend class thread_block_tile;

public:
    void sync(SIM_SITE) const
    {
        if (where == lanes)
            sim_warp_sync(mask, file, line);
        else if (where == block)
            sim_barrier(0, file, line);
        else
            sim_grid_barrier(file, line);
    }
    unsigned long long num_threads() const
    {
        if (where == lanes)
            return (unsigned)__builtin_popcount(mask);
        return where == block ? threads_of(blockDim)
                              : (unsigned long long)threads_of(gridDim) * threads_of(blockDim);
    }
    unsigned long long size() const { return num_threads(); }
    unsigned long long thread_rank() const
    {
        if (where == lanes)
            return (unsigned)__builtin_popcount(mask & ((1u << sim_lane()) - 1));
        const unsigned long long before = where == grid ? block_rank_in_grid() : 0;
        return before * threads_of(blockDim) + rank_in_block();
    }
    bool is_valid() const { return true; }
};

/** @brief All threads of the block. */
class thread_block : public thread_group {
    thread_block() : thread_group(block) {}
    friend thread_block this_thread_block();

public:
    struct arrival_token {};

    static void sync(SIM_SITE) { sim_barrier(0, file, line); }
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&, SIM_SITE) const { sim_barrier(0, file, line); }
    static unsigned size() { return threads_of(blockDim); }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return rank_in_block(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

/** @brief All threads of a cooperative launch. */
class grid_group : public thread_group {
    grid_group() : thread_group(grid) {}
    friend grid_group this_grid();

public:
    static unsigned long long block_rank() { return block_rank_in_grid(); }
    static unsigned long long num_blocks() { return threads_of(gridDim); }
    static dim3 block_index() { return blockIdx; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
};

/** @brief Lanes of one warp, in the order of their places. */
class coalesced_group : public thread_group {
protected:
    coalesced_group(const thread_group &of) : thread_group(of) {}
    friend coalesced_group coalesced_threads();
    friend coalesced_group tiled_partition(const coalesced_group &parent, unsigned width);

    template <class T> T from(T value, unsigned lane, const char *file, int line) const
    {
        static_assert(sizeof(T) <= 32, "a shuffled value has at most 32 bytes");
        char *bytes = (char *)&value;
        for (size_t done = 0; done < sizeof(T); done += 16)
            sim_warp_shuffle(mask, lane, bytes + done, sizeof(T) - done < 16 ? sizeof(T) - done : 16, file,
                             line);
        return value;
    }

public:
    unsigned num_threads() const { return (unsigned)thread_group::num_threads(); }
    unsigned size() const { return num_threads(); }
    unsigned thread_rank() const { return (unsigned)thread_group::thread_rank(); }
    unsigned meta_group_rank() const { return meta_rank; }
    unsigned meta_group_size() const { return meta_size; }

    template <class T> T shfl(T value, unsigned rank, SIM_SITE) const
    {
        return from(value, lane_of(rank % 32), file, line);
    }
    template <class T> T shfl_up(T value, unsigned delta, SIM_SITE) const
    {
        return from(value, lane_of(thread_rank() - delta), file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, SIM_SITE) const
    {
        return from(value, lane_of(thread_rank() + delta), file, line);
    }
    int any(int predicate, SIM_SITE) const { return sim_warp_ballot(mask, predicate, file, line) != 0; }
    int all(int predicate, SIM_SITE) const { return sim_warp_ballot(mask, !predicate, file, line) == 0; }
    unsigned ballot(int predicate, SIM_SITE) const
    {
        return packed(sim_warp_ballot(mask, predicate, file, line));
    }
    template <class T> unsigned match_any(T value, SIM_SITE) const
    {
        return packed(sim::match_any(mask, value, file, line));
    }
    template <class T> unsigned match_all(T value, int &all, SIM_SITE) const
    {
        return packed(sim::match_all(mask, value, &all, file, line));
    }
};

/** @brief `Size` consecutive threads of a block or of a larger tile, within one warp. */
template <unsigned Size, class Parent = void> class thread_block_tile : public coalesced_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "the simulated device has tiles of 1, 2, 4, 8, 16 or 32 threads");

    template <unsigned S, class P> friend thread_block_tile<S, P> tiled_partition(const P &parent);
    thread_block_tile(const thread_group &parent) : coalesced_group(parent.part(Size)) {}

public:
    thread_block_tile(const thread_block_tile<Size, thread_block> &tile) : coalesced_group(tile) {}

    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    unsigned thread_rank() const { return sim_lane() & (Size - 1); }
    template <class T> T shfl(T value, unsigned rank, SIM_SITE) const
    {
        return from(value, sim::source_index(sim_lane(), rank, Size), file, line);
    }
    template <class T> T shfl_up(T value, unsigned delta, SIM_SITE) const
    {
        return from(value, sim::source_up(sim_lane(), delta, Size), file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, SIM_SITE) const
    {
        return from(value, sim::source_down(sim_lane(), delta, Size), file, line);
    }
    template <class T> T shfl_xor(T value, unsigned flip, SIM_SITE) const
    {
        return from(value, sim::source_xor(sim_lane(), flip, Size), file, line);
    }
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline coalesced_group coalesced_threads() { return thread_group::lanes_of(sim_warp_active()); }

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(parent);
}
inline thread_group tiled_partition(const thread_group &parent, unsigned width) { return parent.part(width); }
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned width)
{
    return thread_group(tiled_partition((const thread_group &)parent, width));
}

inline void sync(const thread_group &group, SIM_SITE) { group.sync(file, line); }
inline unsigned long long thread_rank(const thread_group &group) { return group.thread_rank(); }
inline unsigned long long group_size(const thread_group &group) { return group.size(); }

} // namespace cooperative_groups

#endif
