/* SPDX-License-Identifier: MIT */
/*
 * Stacks for simulated threads that wait. Made in slabs and kept; each has a guard below it.
 *
 *   slab: | guard | stack 0 ........ | guard | stack 1 ........ | ...
 *
 * Every stack starts a cache line further into its page than the one before, and the stride is an odd number
 * of pages: otherwise the tops of all stacks would share a few cache sets and a barrier would cost a miss for
 * every thread.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim.h"

/* The guard is wide, so that a frame of some size cannot step over it. */
enum { STACK = 256 << 10, GUARD = 64 << 10, STRIDE = STACK + GUARD + 5 * 4096, SLAB = 64, SLABS = 1024 };

static struct {
    char *memory;
    struct sim_fiber fibers[SLAB];
} * slabs[SLABS];
static int slab_count;
static struct sim_fiber *idle;

void __asan_unpoison_memory_region(void const volatile *p, size_t bytes) __attribute__((weak));

void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));

static bool add_slab(void)
{
    if (slab_count == SLABS)
        return false;
    char *memory = mmap(NULL, (size_t)SLAB * STRIDE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    slabs[slab_count] = calloc(1, sizeof *slabs[0]);
    if (!slabs[slab_count]) {
        munmap(memory, (size_t)SLAB * STRIDE);
        return false;
    }
    slabs[slab_count]->memory = memory;
    for (int i = SLAB - 1; i >= 0; i--) {
        struct sim_fiber *f = &slabs[slab_count]->fibers[i];
        char *base = memory + (size_t)i * STRIDE;
        mprotect(base, GUARD, PROT_NONE);
        f->stack = base + GUARD;
        f->stack_bytes = STRIDE - GUARD - (size_t)(i % 64) * 64;
        f->next = idle;
        idle = f;
    }
    slab_count++;
    return true;
}

struct sim_fiber *sim_fiber_take(void)
{
    if (!idle && !add_slab())
        return NULL;
    struct sim_fiber *f = idle;
    idle = f->next;
    f->tsan = __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
    return f;
}

void sim_fiber_give(struct sim_fiber *f)
{
    if (f->tsan)
        __tsan_destroy_fiber(f->tsan);
    f->next = idle;
    idle = f;
}

void sim_fiber_first(void); /* in assembly: calls the entry */

void sim_fiber_prepare(struct sim_fiber *f, void (*entry)(void))
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(f->stack, f->stack_bytes);
    void **top = (void **)((uintptr_t)(f->stack + f->stack_bytes) & ~(uintptr_t)63);
#if defined(__x86_64__)
    *--top = (void *)sim_fiber_first;
    top -= 6;
    memset(top, 0, 6 * sizeof *top);
    top[3] = (void *)entry; /* r12 */
#elif defined(__aarch64__)
    top -= 20;
    memset(top, 0, 20 * sizeof *top);
    top[0] = (void *)entry;            /* x19 */
    top[11] = (void *)sim_fiber_first; /* x30 */
#else
#error "the simulated device needs a fiber switch for this processor: see fiber_x86_64.S"
#endif
    f->sp = top;
}

bool sim_fiber_guard(const void *p)
{
    for (int s = 0; s < slab_count; s++) {
        size_t offset = (size_t)((const char *)p - slabs[s]->memory);
        if (offset < (size_t)SLAB * STRIDE)
            return offset % STRIDE < GUARD;
    }
    return false;
}
