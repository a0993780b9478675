/* SPDX-License-Identifier: MIT */
/*
 * What the compiler's -fsanitize=thread puts around every access of memory in the program's own code: calls
 * of these functions. The sanitizer's runtime is not linked; what is behind them here is the checker.
 */
#include <string.h>
#include "check.h"
#include "shadow.h"

#define CALLER __builtin_return_address(0)

static inline void access(const void *p, size_t bytes, unsigned how, const void *pc)
{
    if (check_on_device)
        check_access(p, bytes, how, pc);
    else if (has_home((uintptr_t)p) || (uintptr_t)p - host_watched_first < host_watched_bytes ||
             (uintptr_t)p - order_watched_first < order_watched_bytes)
        check_host_access(p, bytes, how, pc);
}

void __tsan_init(void)
{
    sim_checked = shadow_open();
}

void __tsan_func_entry(void *caller)
{
    if (profile_on && check_on_device)
        profile_enter(caller);
}

void __tsan_func_exit(void)
{
    if (profile_on && check_on_device)
        profile_leave();
}

/* At the beginning of each piece of code without branches, by -fsanitize-coverage=trace-pc. */
void __sanitizer_cov_trace_pc(void)
{
    if (profile_on && check_on_device)
        profile_pass(CALLER);
}

#define HOOK(bytes)                                                                                          \
    void __tsan_read##bytes(void *p)                                                                         \
    {                                                                                                        \
        access(p, bytes, CHECK_READ, CALLER);                                                                \
    }                                                                                                        \
    void __tsan_write##bytes(void *p)                                                                        \
    {                                                                                                        \
        access(p, bytes, CHECK_WRITE, CALLER);                                                               \
    }                                                                                                        \
    void __tsan_unaligned_read##bytes(void *p)                                                               \
    {                                                                                                        \
        access(p, bytes, CHECK_READ, CALLER);                                                                \
    }                                                                                                        \
    void __tsan_unaligned_write##bytes(void *p)                                                              \
    {                                                                                                        \
        access(p, bytes, CHECK_WRITE, CALLER);                                                               \
    }
HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)

void __tsan_read_range(void *p, size_t bytes)
{
    access(p, bytes, CHECK_READ | CHECK_ANYWHERE, CALLER);
}
void __tsan_write_range(void *p, size_t bytes)
{
    access(p, bytes, CHECK_WRITE | CHECK_ANYWHERE, CALLER);
}
void __tsan_vptr_read(void **p)
{
    access(p, sizeof *p, CHECK_READ, CALLER);
}
void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    access(p, sizeof *p, CHECK_WRITE, CALLER);
}

/* ---- block moves: the headers send the program's memcpy, memmove and memset here (sim/quote.h) ---- */

static void *move(void *to, const void *from, size_t bytes, const void *pc)
{
    if (bytes) {
        access(from, bytes, CHECK_READ | CHECK_ANYWHERE, pc);
        access(to, bytes, CHECK_WRITE | CHECK_ANYWHERE, pc);
    }
    return memmove(to, from, bytes);
}

static void *set(void *to, int value, size_t bytes, const void *pc)
{
    if (bytes)
        access(to, bytes, CHECK_WRITE | CHECK_ANYWHERE, pc);
    return memset(to, value, bytes);
}

void *sim_memcpy(void *to, const void *from, size_t bytes)
{
    return move(to, from, bytes, CALLER);
}
void *sim_memmove(void *to, const void *from, size_t bytes)
{
    return move(to, from, bytes, CALLER);
}
void *sim_memset(void *to, int value, size_t bytes)
{
    return set(to, value, bytes, CALLER);
}

/*
 * clang copies a struct by this, and does not tell its alignment: a small one is taken for one of CUDA's
 * vectors, unless the program has classes of that size with less. What lies on the stack would be in
 * registers.
 */
static void access_struct(const void *p, size_t bytes, unsigned how, const void *pc)
{
    size_t known = check_type_alignment(bytes);
    bool is_small = bytes <= 16 && !(bytes & (bytes - 1)) && (!known || known >= 8),
         is_vector = bytes == 16 && (!known || known >= 16);
    if (!is_small || (!is_vector && (uintptr_t)p & (bytes - 1)))
        how |= CHECK_ANYWHERE;
    if (!check_on_device || !is_own_stack(p))
        access(p, bytes, how, pc);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    access_struct(from, bytes, CHECK_READ, CALLER);
    access_struct(to, bytes, CHECK_WRITE, CALLER);
    return memmove(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    return move(to, from, bytes, CALLER);
}
void *__tsan_memset(void *to, int value, size_t bytes)
{
    return set(to, value, bytes, CALLER);
}

/* ---- atomics ---- */

enum { ATOMIC_READ = CHECK_ATOMIC, ATOMIC_WRITE = CHECK_ATOMIC | CHECK_WRITE };

#define UPDATE(bits, type, name)                                                                             \
    type __tsan_atomic##bits##_##name(volatile type *p, type value, int order)                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        access((const void *)p, sizeof *p, ATOMIC_WRITE, CALLER);                                            \
        return __atomic_##name(p, value, __ATOMIC_SEQ_CST);                                                  \
    }
#define COMPARE(bits, type, name)                                                                            \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *old, type value, int order,    \
                                                      int failure)                                           \
    {                                                                                                        \
        (void)order, (void)failure;                                                                          \
        access((const void *)p, sizeof *p, ATOMIC_WRITE, CALLER);                                            \
        return __atomic_compare_exchange_n(p, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
    }
#define ATOMICS(bits, type)                                                                                  \
    type __tsan_atomic##bits##_load(const volatile type *p, int order)                                       \
    {                                                                                                        \
        (void)order;                                                                                         \
        access((const void *)p, sizeof *p, ATOMIC_READ, CALLER);                                             \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile type *p, type value, int order)                                \
    {                                                                                                        \
        (void)order;                                                                                         \
        access((const void *)p, sizeof *p, ATOMIC_WRITE, CALLER);                                            \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    type __tsan_atomic##bits##_exchange(volatile type *p, type value, int order)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        access((const void *)p, sizeof *p, ATOMIC_WRITE, CALLER);                                            \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                                        \
    UPDATE(bits, type, fetch_add)                                                                            \
    UPDATE(bits, type, fetch_sub)                                                                            \
    UPDATE(bits, type, fetch_and)                                                                            \
    UPDATE(bits, type, fetch_or)                                                                             \
    UPDATE(bits, type, fetch_xor)                                                                            \
    UPDATE(bits, type, fetch_nand)                                                                           \
    COMPARE(bits, type, strong)                                                                              \
    COMPARE(bits, type, weak)                                                                                \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type old, type value, int order,       \
                                                    int failure)                                             \
    {                                                                                                        \
        (void)order, (void)failure;                                                                          \
        access((const void *)p, sizeof *p, ATOMIC_WRITE, CALLER);                                            \
        __atomic_compare_exchange_n(p, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
        return old;                                                                                          \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

/* Simulated threads run one at a time. */
void sim_atomic_exchange16(void *p, const void *compare, const void *value, void *old)
{
    if (sim_checked)
        access(p, 16, ATOMIC_WRITE, CALLER);
    memcpy(old, p, 16);
    if (!compare || !memcmp(old, compare, 16))
        memcpy(p, value, 16);
}

/* __threadfence() is the strongest order; __threadfence_block() orders a block only, which needs no more than
 * what its barriers give. */
void __tsan_atomic_thread_fence(int order)
{
    if (check_on_device && order == __ATOMIC_SEQ_CST)
        watch_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
