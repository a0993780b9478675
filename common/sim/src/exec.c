/* SPDX-License-Identifier: MIT */
/*
 * Run a grid: blocks one after another, the threads of a block as one plain loop until one must wait.
 *
 *   runner:  do kernel(args) for consecutive threads; while (sim_next_thread());
 *
 * When a thread waits (barrier, warp operation), its runner's stack is parked in the middle of the
 * kernel and another runner goes on with the next thread. A kernel that never waits therefore never
 * switches, and nothing has to know beforehand which kind it is. A runner whose thread has ended waits
 * inside sim_next_thread() until there is a thread to begin.
 *
 * Threads are scheduled by position, their place in the order that SIM_ORDER asks for. Positions below
 * `begun` have begun; `ready` marks those of them that may go on.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "exec.h"

int sim_threads_tracked;
SIM_REGISTER uint3 threadIdx, blockIdx;
SIM_REGISTER dim3 blockDim, gridDim;
const int warpSize = 32;

struct exec_block exec_block;

static struct {
    struct sim_grid *grid; /* NULL in host code */
    cudaError_t error;
    unsigned long long block, blocks;  /* how many blocks have begun before this one; in all */
    unsigned long long progress_at;    /* the block at which to look how long this takes */
    unsigned long long stride, offset; /* the i-th block to run is (i * stride + offset) mod blocks */
    struct sim_fiber host;             /* who called sim_grid_run */
    struct sim_fiber *runner;          /* the one that runs */
    struct sim_fiber *out_of_work;
    struct sim_fiber *all; /* of this grid, by `sibling` */
    unsigned count;
    struct sim_fiber *director; /* of a cooperative launch: changes from one block to another */
    bool over;                  /* the block that it changes from has ended */
} run;

struct exec_schedule exec_now;

/* ---- orders ---- */

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state += 0x9e3779b97f4a7c15; /* splitmix64 */
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void order_threads(void)
{
    static bool in_order;
    unsigned n = exec_block.threads;
    if (sim_settings.order == SIM_FORWARD) {
        for (unsigned i = 0; !in_order && i < SIM_MAX_THREADS; i++)
            exec_now.thread_at[i] = exec_now.position_of[i] = (unsigned short)i;
        in_order = true;
        return;
    }
    for (unsigned i = 0; i < n; i++)
        exec_now.thread_at[i] = (unsigned short)(sim_settings.order == SIM_REVERSE ? n - 1 - i : i);
    for (unsigned i = n - 1; sim_settings.order == SIM_RANDOM && i > 0; i--) {
        unsigned j = (unsigned)(next_random() % (i + 1));
        unsigned short t = exec_now.thread_at[i];
        exec_now.thread_at[i] = exec_now.thread_at[j];
        exec_now.thread_at[j] = t;
    }
    for (unsigned i = 0; i < n; i++)
        exec_now.position_of[exec_now.thread_at[i]] = (unsigned short)i;
}

static unsigned long long common_divisor(unsigned long long a, unsigned long long b)
{
    return b ? common_divisor(b, a % b) : a;
}

static void order_blocks(void)
{
    unsigned long long n = run.blocks;
    run.stride = sim_settings.order == SIM_REVERSE ? n - 1 : 1;
    run.offset = sim_settings.order == SIM_REVERSE ? n - 1 : 0;
    if (sim_settings.order == SIM_RANDOM && n > 2) {
        do
            run.stride = next_random() % n;
        while (common_divisor(run.stride, n) != 1);
        run.offset = next_random() % n;
    }
}

/* ---- beginning threads and blocks ---- */

static uint3 index_of(unsigned thread)
{
    return (uint3){thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y};
}

static void step(uint3 *index, dim3 size)
{
    if (++index->x == size.x) {
        index->x = 0;
        if (++index->y == size.y) {
            index->y = 0;
            index->z++;
        }
    }
}

static void begin_thread(void)
{
    exec_now.alive[exec_now.begun / 64] |= (uint64_t)1 << exec_now.begun % 64;
    exec_now.cursor = exec_now.begun + 1;
    exec_block.thread = exec_now.thread_at[exec_now.begun++];
    if (sim_settings.order == SIM_FORWARD) {
        threadIdx = exec_now.next_index;
        step(&exec_now.next_index, blockDim);
    } else {
        threadIdx = index_of(exec_block.thread);
    }
}

static void track_from(unsigned first)
{
    exec_now.begun = first;
    exec_block.ended = first;
    exec_block.alive = exec_block.threads - first;
    sim_threads_tracked = 1;
    exec_now.ready_count = exec_now.turn = exec_now.turn_end = 0;
    memset(exec_now.ready, 0, sizeof exec_now.ready);
    memset(exec_now.alive, 0, sizeof exec_now.alive);
    exec_now.next_index = index_of(first);
    sync_block_begin();
}

void exec_track_threads(void)
{
    track_from(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    begin_thread(); /* the running one; threadIdx is set to what it is */
}

void exec_begin_block(unsigned long long number)
{
    run.block = number;
    if (number >= run.progress_at)
        run.progress_at = exec_progress(number, run.blocks);
    if (run.stride == 1 && !run.offset && run.block) {
        step(&blockIdx, gridDim);
    } else {
        unsigned long long b =
            (unsigned long long)(((unsigned __int128)run.block * run.stride + run.offset) % run.blocks);
        blockIdx = (uint3){(unsigned)(b % gridDim.x), (unsigned)(b / gridDim.x % gridDim.y),
                           (unsigned)(b / gridDim.x / gridDim.y)};
    }
    if (sim_checked)
        watch_block_begin(); /* looks at what the block before has left in shared memory */
    sim_shared_block();
    if (sim_settings.order == SIM_FORWARD && !sim_checked) {
        sim_threads_tracked = 0;
        threadIdx = (uint3){0, 0, 0};
        return;
    }
    if (sim_settings.order == SIM_RANDOM)
        order_threads();
    track_from(0);
    begin_thread();
}

/* ---- stacks ---- */

void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t bytes) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *bytes) __attribute__((weak));

/* Variables stay on the stack in use: elsewhere, where GCC 13 puts them, they would not be a thread's. */
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0";
}

/* ThreadSanitizer's; a switch to a fiber is what it takes for an order. */
void *__tsan_get_current_fiber(void) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

/* AddressSanitizer wants to know which stack is in use; `from` NULL when its stack is given up. */
static void go(struct sim_fiber *from, struct sim_fiber *to)
{
    void *abandoned;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(from ? &from->fake_stack : NULL, to->stack, to->stack_bytes);
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(to->tsan, 0);
    sim_fiber_switch(from ? &from->sp : &abandoned, to->sp);
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
}

static void resume(struct sim_fiber *to)
{
    struct sim_fiber *from = run.runner;
    run.runner = to;
    if (to != from)
        go(from, to);
}

/* First thing on every stack. */
static void on_new_stack(void)
{
    if (!__sanitizer_finish_switch_fiber)
        return;
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    if (!run.host.stack) {
        run.host.stack = (char *)bottom;
        run.host.stack_bytes = bytes;
    }
}

static void runner_main(void)
{
    on_new_stack();
    run.grid->run(run.grid->args);
    go(NULL, &run.host);
}

static struct sim_fiber *new_stack(void (*entry)(void))
{
    struct sim_fiber *f = sim_fiber_take();
    if (!f) {
        struct sim_report r = sim_note("stacks", "no memory for the stacks of %u waiting threads", run.count);
        sim_report_end(r);
        sim_grid_abort(cudaErrorLaunchOutOfResources);
    }
    f->sibling = run.all;
    run.all = f;
    run.count++;
    sim_fiber_prepare(f, entry);
    return f;
}

static struct sim_fiber *idle_runner(void)
{
    struct sim_fiber *f = run.out_of_work;
    if (!f)
        return new_stack(runner_main);
    run.out_of_work = f->next;
    return f;
}

void exec_restock(void)
{
    run.out_of_work = NULL;
    for (struct sim_fiber *f = run.all; f; f = f->sibling) {
        if (!f->taken && f != run.director) {
            sim_fiber_prepare(f, runner_main);
            f->next = run.out_of_work;
            run.out_of_work = f;
        }
        f->taken = false;
    }
}

/* ---- which thread runs next ---- */

/* First ready position in [from, end of block); SIM_MAX_THREADS when there is none. */
static unsigned find_ready(unsigned from)
{
    uint64_t mask = ~(uint64_t)0 << from % 64;
    for (unsigned w = from / 64; w < SIM_MAX_THREADS / 64; w++, mask = ~(uint64_t)0)
        if (exec_now.ready[w] & mask)
            return w * 64 + (unsigned)__builtin_ctzll(exec_now.ready[w] & mask);
    return SIM_MAX_THREADS;
}

/* A block's stacks do not fit the first cache: ask for the one that will be wanted after the next. */
static void prefetch_stack(unsigned position)
{
    if (position >= exec_now.begun)
        return;
    const struct sim_fiber *f = exec_now.runner_of[exec_now.thread_at[position]];
    if (!f)
        return;
    __builtin_prefetch(f->sp);
    __builtin_prefetch((char *)f->sp + 64);
    __builtin_prefetch((char *)f->sp + 128);
}

static struct sim_fiber *go_on_at(unsigned position)
{
    exec_now.cursor = position + 1;
    prefetch_stack(position + 2);
    return exec_now.runner_of[exec_now.thread_at[position]];
}

static struct sim_fiber *choose_ready(void)
{
    unsigned p = exec_now.ready_count ? find_ready(exec_now.cursor) : SIM_MAX_THREADS;
    if (p == SIM_MAX_THREADS && exec_now.begun < exec_block.threads) {
        begin_thread();
        return NULL;
    }
    if (p == SIM_MAX_THREADS && exec_now.ready_count)
        p = find_ready(0);
    if (p == SIM_MAX_THREADS) {
        if (!run.grid->launch.cooperative || !sync_all_at_grid_barrier())
            sync_deadlock();
        run.over = false;
        return run.director;
    }
    exec_now.ready[p / 64] &= ~((uint64_t)1 << p % 64);
    exec_now.ready_count--;
    return go_on_at(p);
}

/* The parked runner to go on with; NULL when a thread begins instead (it is set then). */
static inline struct sim_fiber *choose(void)
{
    if (exec_now.ready_count || exec_now.turn == exec_now.turn_end)
        return choose_ready();
    unsigned p = exec_now.turn++;
    if (p == exec_now.turn_passes)
        return choose();
    return go_on_at(p);
}

void exec_wait(void)
{
    uint3 index = threadIdx;
    unsigned thread = exec_block.thread;
    exec_now.runner_of[thread] = run.runner;
    struct sim_fiber *to = choose();
    resume(to ? to : idle_runner());
    threadIdx = index;
    exec_block.thread = thread;
}

void exec_ready(unsigned thread)
{
    unsigned p = exec_now.position_of[thread];
    exec_now.ready[p / 64] |= (uint64_t)1 << p % 64;
    exec_now.ready_count++;
}

void exec_ready_all_others(void)
{
    unsigned p = exec_now.position_of[exec_block.thread];
    exec_now.cursor = 0;
    if (!exec_block.ended) { /* the usual case, and quicker than a bit for each */
        exec_now.turn = 0;
        exec_now.turn_end = exec_block.threads;
        exec_now.turn_passes = p;
        return;
    }
    memcpy(exec_now.ready, exec_now.alive, sizeof exec_now.ready);
    exec_now.ready_count = exec_block.alive;
    if (exec_now.ready[p / 64] >> p % 64 & 1) {
        exec_now.ready[p / 64] &= ~((uint64_t)1 << p % 64);
        exec_now.ready_count--;
    }
}

void exec_go_on_from(unsigned thread)
{
    exec_now.cursor = exec_now.position_of[thread];
}

static void end_thread(void)
{
    unsigned p = exec_now.position_of[exec_block.thread];
    exec_now.alive[p / 64] &= ~((uint64_t)1 << p % 64);
    exec_block.ended++;
    exec_block.alive--;
    sync_thread_gone(exec_block.thread);
}

/* On a stack of its own, since those of the threads are put aside with their block. */
static void director_main(void)
{
    on_new_stack();
    for (;;) {
        enum exec_next next = resident_next(run.over);
        if (next == EXEC_DONE)
            go(NULL, &run.host);
        struct sim_fiber *to = next == EXEC_PARKED ? choose() : NULL;
        resume(to ? to : idle_runner());
    }
}

/* After the running thread has ended: the parked runner to go on with, NULL when a thread begins; `done` at
 * the end. */
static struct sim_fiber *after_thread(bool *done)
{
    if (sim_threads_tracked) {
        end_thread();
        if (exec_block.alive)
            return choose();
    }
    if (sim_checked)
        watch_block_end();
    run.over = true;
    if (run.director)
        return run.director;
    *done = run.block + 1 == run.blocks;
    if (!*done)
        exec_begin_block(run.block + 1);
    return NULL;
}

int sim_next_thread(void)
{
    bool done = false;
    struct sim_fiber *to = after_thread(&done);
    if (to) {
        run.runner->next = run.out_of_work;
        run.out_of_work = run.runner;
        resume(to); /* comes back when there is a thread to begin, which is set then */
    }
    return !done;
}

void sim_thread_kill(cudaError_t e)
{
    bool done = false;
    run.error = e;
    if (!sim_threads_tracked)
        exec_track_threads();
    struct sim_fiber *self = run.runner, *to = after_thread(&done);
    if (done)
        go(NULL, &run.host);
    sim_fiber_prepare(self, runner_main); /* what the dead thread left on the stack is given up */
    if (to) {
        self->next = run.out_of_work;
        run.out_of_work = self;
        run.runner = to;
    }
    go(NULL, to ? to : self);
    __builtin_unreachable();
}

void sim_grid_abort(cudaError_t e)
{
    run.error = e;
    go(NULL, &run.host);
    __builtin_unreachable();
}

/* ---- grids ---- */

cudaError_t sim_grid_run(struct sim_grid *g)
{
    const sim_launch *l = &g->launch;
    run.grid = g;
    run.error = cudaSuccess;
    run.count = 0;
    run.all = run.out_of_work = run.director = NULL;
    run.host.stack = NULL;
    run.host.tsan = __tsan_get_current_fiber ? __tsan_get_current_fiber() : NULL;
    gridDim = l->grid;
    blockDim = l->block;
    exec_block.threads = l->block.x * l->block.y * l->block.z;
    run.block = 0;
    run.blocks = (unsigned long long)l->grid.x * l->grid.y * l->grid.z;
    random_state = sim_settings.seed;
    order_blocks();
    order_threads();
    sim_shared_begin(g);
    if (l->cooperative && !resident_begin((unsigned)run.blocks))
        return cudaErrorMemoryAllocation;
    if (sim_checked)
        watch_grid_begin(g);
    run.progress_at = exec_progress_begin();
    exec_begin_block(0);
    if (l->cooperative)
        run.director = new_stack(director_main);
    run.runner = new_stack(runner_main);
    sim_fault_device_thread(true);
    go(&run.host, run.runner);
    sim_fault_device_thread(false);
    sim_progress_clear();
    if (sim_checked)
        watch_grid_end();
    while (run.all) {
        struct sim_fiber *f = run.all;
        run.all = f->sibling;
        sim_fiber_give(f);
    }
    resident_end();
    run.grid = NULL;
    sim_threads_tracked = 0;
    return run.error;
}

void exec_require_kernel(const char *what, const char *file, int line)
{
    if (run.grid)
        return;
    struct sim_report r = sim_report("host call", "host code called %s, which only a kernel can", what);
    sim_report_line(r, "at", "%s:%d", file, line);
    sim_report_end(r);
    abort();
}

const struct sim_grid *sim_running(void)
{
    return run.grid;
}

const char *sim_thread_name(char text[80])
{
    snprintf(text, 80, "block (%u,%u,%u) thread (%u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
             threadIdx.y, threadIdx.z);
    return text;
}
