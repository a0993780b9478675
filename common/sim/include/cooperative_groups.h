/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Cooperative groups: the block, its tiles, the lanes that run together, the grid.
 *
 * coalesced_threads() promises the calling lane, and here it holds no other: lanes do not run in lockstep.
 * Every block is a cluster of its own; cluster_group is not there.
 */
#ifndef SIM_COOPERATIVE_GROUPS_H
#define SIM_COOPERATIVE_GROUPS_H

#include <sim/warp.h>
#include <type_traits>
#include <utility>

namespace cooperative_groups {

class coalesced_group;
coalesced_group coalesced_threads();

namespace details {
template <unsigned Size> class narrow_tile;
template <unsigned Size> class wide_tile;
struct partition;
} // namespace details

/** @brief Any group, with what all have in common. */
class thread_group {
protected:
    enum scope { lanes, tile, block, grid };
    scope where;
    unsigned mask; // of the warp, for lanes; a tile's threads, more than a warp
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
        if (width > 32)
            return thread_group(tile, width, rank / width, count);
        unsigned chosen = 0;
        if (where != lanes)
            chosen = (width < 32 ? (1u << width) - 1 : ~0u) << (sim_lane() & ~(width - 1));
        else
            for (unsigned n = first; n < first + width && n < size(); n++)
                chosen |= 1u << sim::nth_lane(mask, n);
        return thread_group(lanes, chosen, rank / width, count);
    }
    /* Those lanes of the group, of which this is one, that have the same label. */
    template <class T> thread_group labeled(T label, const char *file, int line) const
    {
        const unsigned same = sim::match_any(mask, label, file, line);
        const unsigned leader = same & -same;
        const unsigned leaders = sim_warp_ballot(mask, 1u << sim_lane() == leader, file, line);
        return thread_group(lanes, same, (unsigned)__builtin_popcount(leaders & (leader - 1)),
                            (unsigned)__builtin_popcount(leaders));
    }
    thread_group halved(bool predicate, const char *file, int line) const
    {
        const unsigned yes = sim_warp_ballot(mask, predicate, file, line) & mask;
        if (yes == 0 || yes == mask)
            return thread_group(lanes, mask);
        return thread_group(lanes, predicate ? yes : mask & ~yes, predicate, 2);
    }
    static thread_group lanes_of(unsigned mask) { return thread_group(lanes, mask); }
    friend class coalesced_group;
    friend coalesced_group coalesced_threads();
    friend thread_group tiled_partition(const thread_group &parent, unsigned width);
    template <unsigned> friend class details::narrow_tile;
    template <unsigned> friend class details::wide_tile;
    friend struct details::partition;

public:
    void sync(SIM_SITE) const
    {
        if (where == lanes)
            sim_warp_sync(mask, file, line);
        else if (where == tile)
            sim_tile_meet(mask, 0, 0, nullptr, 0, file, line);
        else if (where == block)
            sim_barrier(0, file, line);
        else
            sim_grid_barrier(file, line);
    }
    unsigned long long num_threads() const
    {
        if (where == lanes)
            return (unsigned)__builtin_popcount(mask);
        if (where == tile)
            return mask;
        return where == block ? threads_of(blockDim)
                              : (unsigned long long)threads_of(gridDim) * threads_of(blockDim);
    }
    unsigned long long size() const { return num_threads(); }
    unsigned long long thread_rank() const
    {
        if (where == lanes)
            return (unsigned)__builtin_popcount(mask & ((1u << sim_lane()) - 1));
        if (where == tile)
            return rank_in_block() % mask;
        const unsigned long long before = where == grid ? block_rank_in_grid() : 0;
        return before * threads_of(blockDim) + rank_in_block();
    }
    bool is_valid() const { return where != grid || sim_grid_is_cooperative(); }
};

/** @brief Shared memory for tiles of more than a warp, which need none of it here. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    unsigned char unused[MaxBlockSize / 4 + 64];
};

/** @brief All threads of the block. */
class thread_block : public thread_group {
    thread_block() : thread_group(block) {}
    friend thread_block this_thread_block();

public:
    struct arrival_token {};

    /* All threads that are left wait at the second half of the barrier. */
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
    struct arrival_token {};

    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&, SIM_SITE) const { sim_grid_barrier(file, line); }
    static dim3 thread_index()
    {
        return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z};
    }
    static unsigned long long cluster_rank() { return block_rank_in_grid(); }
    static unsigned long long num_clusters() { return threads_of(gridDim); }
    static dim3 cluster_index() { return blockIdx; }
    static dim3 dim_clusters() { return gridDim; }
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
    friend struct details::partition;

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

namespace details {

/* A part of the parent, not a copy of it. */
struct part_of {};

/* Within one warp. */
template <unsigned Size> class narrow_tile : public coalesced_group {
protected:
    narrow_tile(const thread_group &same) : coalesced_group(same) {}
    narrow_tile(part_of, const thread_group &parent) : coalesced_group(parent.part(Size)) {}

public:
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    unsigned thread_rank() const { return sim_lane() & (Size - 1); }
    template <class T> T shfl(T value, unsigned rank, SIM_SITE) const
    {
        return this->from(value, sim::source_index(sim_lane(), rank, Size), file, line);
    }
    template <class T> T shfl_up(T value, unsigned delta, SIM_SITE) const
    {
        return this->from(value, sim::source_up(sim_lane(), delta, Size), file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, SIM_SITE) const
    {
        return this->from(value, sim::source_down(sim_lane(), delta, Size), file, line);
    }
    template <class T> T shfl_xor(T value, unsigned flip, SIM_SITE) const
    {
        return this->from(value, sim::source_xor(sim_lane(), flip, Size), file, line);
    }
};

/* Of several warps, which can do less together. */
template <unsigned Size> class wide_tile : public thread_group {
protected:
    wide_tile(const thread_group &same) : thread_group(same) {}
    wide_tile(part_of, const thread_group &parent) : thread_group(parent.part(Size)) {}

public:
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    unsigned thread_rank() const { return this->rank_in_block() & (Size - 1); }
    unsigned meta_group_rank() const { return this->meta_rank; }
    unsigned meta_group_size() const { return this->meta_size; }
    template <class T> T shfl(T value, unsigned rank, SIM_SITE) const
    {
        static_assert(sizeof(T) <= 8, "tiles of more than 32 threads exchange values of at most 8 bytes");
        const unsigned source = (this->rank_in_block() & ~(Size - 1)) + (rank & (Size - 1));
        sim_tile_meet(Size, 0, source, &value, sizeof value, file, line);
        return value;
    }
    int any(int predicate, SIM_SITE) const
    {
        return sim_tile_meet(Size, predicate, 0, nullptr, 0, file, line) != 0;
    }
    int all(int predicate, SIM_SITE) const
    {
        return sim_tile_meet(Size, !predicate, 0, nullptr, 0, file, line) == 0;
    }
};

template <unsigned Size>
using tile = typename std::conditional<(Size > 32), wide_tile<Size>, narrow_tile<Size>>::type;

} // namespace details

/** @brief `Size` consecutive threads of a block or of a larger tile. */
template <unsigned Size, class Parent = void> class thread_block_tile : public details::tile<Size> {
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, at most 1024");

    template <unsigned S, class P> friend thread_block_tile<S, P> tiled_partition(const P &parent);
    friend thread_block_tile<1, void> this_thread();
    thread_block_tile(details::part_of part, const thread_group &parent)
        : details::tile<Size>(part, parent)
    {
    }

public:
    template <class P> thread_block_tile(const thread_block_tile<Size, P> &same) : details::tile<Size>(same)
    {
    }
};

inline thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize> inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return this_thread_block();
}
inline grid_group this_grid() { return {}; }
inline coalesced_group coalesced_threads() { return thread_group::lanes_of(sim_warp_active()); }

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(details::part_of(), parent);
}
inline thread_block_tile<1, void> this_thread()
{
    return thread_block_tile<1, void>(details::part_of(), this_thread_block());
}
inline thread_group tiled_partition(const thread_group &parent, unsigned width) { return parent.part(width); }
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned width)
{
    return thread_group(tiled_partition((const thread_group &)parent, width));
}

/* ---- parts by what a thread says; of groups within a warp ---- */

namespace details {

struct partition {
    static coalesced_group by(const coalesced_group &of, bool predicate, const char *file, int line)
    {
        return of.halved(predicate, file, line);
    }
    template <class T>
    static coalesced_group by(const coalesced_group &of, T label, const char *file, int line)
    {
        return of.labeled(label, file, line);
    }
};

} // namespace details

inline coalesced_group binary_partition(const coalesced_group &of, bool predicate, SIM_SITE)
{
    return details::partition::by(of, predicate, file, line);
}
/** @brief The threads that give the same integer or pointer. */
template <class Label>
inline coalesced_group labeled_partition(const coalesced_group &of, Label label, SIM_SITE)
{
    static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                  "the label of a labeled_partition is an integer or a pointer");
    return details::partition::by(of, label, file, line);
}

/* ---- what one thread of a group does ---- */

template <class Group, class F, class... A> inline void invoke_one(const Group &group, F &&f, A &&...a)
{
    if (group.thread_rank() == 0)
        static_cast<F &&>(f)(static_cast<A &&>(a)...);
}
/** @brief What it came to, told to all. */
template <class Group, class F, class... A>
inline auto invoke_one_broadcast(const Group &group, F &&f, A &&...a)
{
    using Result = typename std::decay<decltype(f(static_cast<A &&>(a)...))>::type;
    static_assert(!std::is_void<Result>::value, "where nothing is returned, use invoke_one");
    Result result{};
    if (group.thread_rank() == 0)
        result = static_cast<F &&>(f)(static_cast<A &&>(a)...);
    return group.shfl(result, 0);
}

inline void sync(const thread_group &group, SIM_SITE) { group.sync(file, line); }
inline unsigned long long thread_rank(const thread_group &group) { return group.thread_rank(); }
inline unsigned long long group_size(const thread_group &group) { return group.size(); }

} // namespace cooperative_groups

#endif
