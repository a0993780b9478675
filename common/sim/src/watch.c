/* SPDX-License-Identifier: MIT */
/* Passes on what the runtime tells to those who watch: the checker, and the picture of a run. */
#include "order.h"
#include "shadow.h"

bool sim_checked;

/* ---- memory ---- */

void watch_block_new(struct sim_block *b, bool zeroed)
{
    if (timeline_on && b->kind != SIM_HEAP) /* these are many, and lie in one that is drawn */
        timeline_block_new(b);
    if (!sim_checked || b->kind == SIM_SEGMENT)
        return;
    uintptr_t home = has_home((uintptr_t)b->base) ? (uintptr_t)b->base : 0;
    if (!home)
        return;
    shadow_clear_cells(home, b->bytes);
    shadow_set(home, b->bytes, zeroed ? CHECK_WRITTEN : CHECK_UNWRITTEN);
    for (size_t at = 0; b->kind == SIM_POOL && at + 4 <= b->bytes; at += 64 << 10)
        race_access(home + at, b->base + at, 4, CHECK_WRITE, NULL); /* by the allocation */
}

void watch_block_free(struct sim_block *b)
{
    if (timeline_on && b->kind != SIM_HEAP)
        timeline_block_free(b);
    if (!sim_checked || b->kind == SIM_SEGMENT)
        return;
    check_tick t = 0;
    if (sim_running()) /* a thread frees it */
        race_freed((uintptr_t)b->base, b->bytes, b->freed.caller);
    else
        t = race_used((uintptr_t)b->base, b->bytes);
    if (t)
        unordered_free(b, t);
    shadow_set((uintptr_t)b->base, b->bytes, CHECK_NOTHING);
}

bool watch_open(struct sim_block *b, size_t offset, bool fresh)
{
    if (sim_checked && !shadow_share((uintptr_t)b->base, b->bytes, offset)) {
        shadow_unshare((uintptr_t)b->base, b->bytes);
        return false;
    }
    if (sim_checked && fresh)
        shadow_set((uintptr_t)b->base, b->bytes, CHECK_UNWRITTEN);
    if (timeline_on)
        timeline_block_new(b);
    return true;
}

void watch_close(struct sim_block *b, bool alone)
{
    if (timeline_on)
        timeline_block_free(b);
    if (!sim_checked)
        return;
    check_tick t = alone ? race_used((uintptr_t)b->base, b->bytes) : 0;
    if (t)
        unordered_free(b, t);
    shadow_unshare((uintptr_t)b->base, b->bytes);
}

void watch_pages_go(void *base, size_t bytes)
{
    if (sim_checked)
        shadow_release((uintptr_t)base, bytes);
}

void watch_pages(void)
{
    if (timeline_on)
        timeline_pages();
}

void watch_range_gone(struct sim_block *range)
{
    if (sim_checked)
        shadow_leave_home(range);
}

/* The home address of CUDA's memory at `p`, 0 for the program's own. */
static uintptr_t home_of(const void *p)
{
    if (has_home((uintptr_t)p))
        return (uintptr_t)p;
    struct sim_block *b = sim_host_registered(p);
    return b ? shadow_home(b, p) : 0;
}

static struct sim_block *filling; /* by the running operation, row by row */

/* Remembered for the report of a read of what was left out. */
static void note_filler(const void *dst, size_t bytes)
{
    struct sim_block *b = sim_find(dst);
    if (!b)
        return;
    b->filled = b == filling ? b->filled + bytes : bytes;
    b->filler = sim_call;
    filling = b;
}

void watch_copy(void *dst, const void *src, size_t bytes)
{
    if (timeline_on)
        timeline_copy(dst, src, bytes);
    if (!sim_checked)
        return;
    uintptr_t to = home_of(dst), from = home_of(src);
    host_overwritten(dst, bytes);
    if (from)
        shadow_look_again(from, src, bytes);
    if (from)
        race_access(from, src, bytes, CHECK_READ, NULL);
    if (to)
        race_access(to, dst, bytes, CHECK_WRITE, NULL);
    if (to && from)
        shadow_copy(to, from, bytes);
    else if (to)
        shadow_set(to, bytes, CHECK_WRITTEN);
    if (to && !from)
        host_copied_on(src, to, bytes);
    if (to)
        note_filler(dst, bytes);
    if (from && (!to || sim_is_host_range(dst)) && !sim_is_host_range(src))
        host_copied(dst, src, from, bytes);
}

void watch_write(void *dst, size_t bytes)
{
    if (timeline_on)
        timeline_copy(dst, NULL, bytes);
    uintptr_t to = sim_checked ? home_of(dst) : 0;
    if (!to)
        return;
    host_overwritten(dst, bytes);
    race_access(to, dst, bytes, CHECK_WRITE, NULL);
    shadow_set(to, bytes, CHECK_WRITTEN);
    note_filler(dst, bytes);
}

const void *watch_texel_pc;

void watch_texel(const void *p, size_t bytes, unsigned how)
{
    uintptr_t home = (uintptr_t)p;
    if (!sim_checked || !has_home(home))
        return;
    unwritten_access(home, p, bytes, how, watch_texel_pc);
    race_access(home, p, bytes, how, watch_texel_pc);
}

/* ---- operations ---- */

static bool host_turn; /* the host's code is the last that did something */

/* The host's last access, when it was a plain read. */
static struct {
    uintptr_t home;
    const char *p;
    size_t bytes; /* 0: it was none */
    const void *pc;
    bool taken_back;
} host_read;

/*
 * The device goes on while host code is anywhere, perhaps between a read and the compare-and-swap that finds
 * out if the read was in vain. The work comes before the read then, which is made when none follows: so it
 * does not matter where host code was.
 */
void watch_host_interrupted(void)
{
    if (!sim_checked || !host_turn || !host_read.bytes)
        return;
    race_take_back(host_read.home, host_read.bytes);
    host_read.taken_back = true;
}

/* Before what the host does next: its last read is no part of that. */
static void settle_host_read(void)
{
    if (order_now())
        return;
    if (host_read.taken_back) {
        race_begin();
        race_access(host_read.home, host_read.p, host_read.bytes, CHECK_READ, host_read.pc);
    }
    if (host_turn || host_read.taken_back)
        race_settle();
    host_read.taken_back = false;
}

void watch_op_submit(struct sim_op *op)
{
    if (timeline_on)
        timeline_op_submit(op);
    if (!sim_checked)
        return;
    settle_host_read();
    order_op_submit(op);
}

void watch_op_begin(struct sim_op *op)
{
    if (timeline_on)
        timeline_op_begin(op);
    if (!sim_checked)
        return;
    if (host_turn && !host_read.taken_back)
        settle_host_read();
    host_turn = false;
    filling = NULL;
    order_op_begin(op);
    race_begin();
}

bool watch_host_access(uintptr_t home, const void *p, size_t bytes, unsigned how, const void *pc)
{
    if (how & CHECK_ATOMIC && home < host_read.home + host_read.bytes && host_read.home < home + bytes)
        host_read.taken_back = false;
    else
        settle_host_read();
    if (!host_turn)
        race_begin();
    host_turn = true;
    bool in_use = unordered_host(p, bytes, how, pc);
    race_access(home, p, bytes, how, pc);
    host_read.home = home;
    host_read.p = p;
    host_read.bytes = how & (CHECK_WRITE | CHECK_ATOMIC) ? 0 : bytes;
    host_read.pc = pc;
    return in_use;
}

void watch_op_end(struct sim_op *op)
{
    (void)op;
    if (timeline_on)
        timeline_op_end();
    if (sim_checked)
        order_op_end();
}

void watch_host_clock(double from_ns, double to_ns)
{
    if (timeline_on)
        timeline_host_clock(from_ns, to_ns);
}

void watch_host_waited(struct CUstream_st *stream, unsigned long long seq)
{
    if (!sim_checked)
        return;
    settle_host_read();
    order_host_waited(stream, seq);
}

void watch_host_waited_before(struct CUstream_st *stream, unsigned long long seq)
{
    if (!sim_checked)
        return;
    settle_host_read();
    order_host_waited_before(stream, seq);
}

void watch_host_waited_all(void)
{
    if (!sim_checked)
        return;
    settle_host_read();
    order_host_waited_all();
}

/* ---- the running grid ---- */

void watch_grid_begin(const struct sim_grid *grid)
{
    race_grid_begin();
    profile_grid_begin(grid);
    check_on_device = true;
}

void watch_grid_end(void)
{
    race_settle();
    unwritten_settle(true);
    sim_findings_show();
    check_on_device = false;
    profile_grid_end();
}

void watch_block_begin(void)
{
    unwritten_settle(false);
    race_block_begin();
    if (profile_on)
        profile_block_begin();
}

void watch_block_end(void)
{
    if (profile_on)
        profile_block_end();
}

void watch_barrier(void)
{
    unwritten_settle(false);
    race_barrier();
    if (profile_on)
        profile_barrier();
}

void watch_warp(unsigned warp, unsigned mask, bool orders_memory)
{
    if (orders_memory)
        race_warp(warp, mask);
    if (profile_on)
        profile_warp(warp, mask);
}

void watch_tile(unsigned first, unsigned size)
{
    race_tile(first, size);
    for (unsigned w = first / 32; profile_on && w < (first + size) / 32; w++)
        profile_warp(w, ~0u);
}

void watch_grid_barrier(void)
{
    race_grid_barrier();
}

void watch_fence(void)
{
    race_fence();
}
