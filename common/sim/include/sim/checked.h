/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What differs in code compiled for the checked build (`simcc --check`), where each access is a call.
 */
#ifndef SIM_CHECKED_H
#define SIM_CHECKED_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_THREAD__) && !defined(SIM_RUNTIME) /* the runtime itself, under ThreadSanitizer */
/** @brief 1 in the checked build, else not defined. */
#define SIM_CHECKED 1
/** @brief Has the compiler tell of accesses to an array, as if its address were known elsewhere. */
#define SIM_LOCAL(array) __asm__ volatile("" : : "r"(array));
#if defined(__clang__) // which with no_sanitize("thread") would still tell of the function's entry
#define SIM_UNTOLD __attribute__((disable_sanitizer_instrumentation, no_sanitize("thread", "coverage")))
#elif __has_attribute(no_sanitize_coverage)
#define SIM_UNTOLD __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#else
#define SIM_UNTOLD __attribute__((no_sanitize("thread")))
#endif
/** @brief A function whose own accesses are not looked at; one that is a part of such a function. */
#define SIM_UNSEEN SIM_UNTOLD __attribute__((noinline))
#define SIM_UNSEEN_PART SIM_UNTOLD __attribute__((always_inline))
#ifdef __cplusplus
#define SIM_NOTHROW noexcept
extern "C" {
#else
#define SIM_NOTHROW
#endif
/* The compiler does not instrument these; the names lead to functions that look at what they touch. */
void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes) SIM_NOTHROW
    __asm__("sim_memcpy");
void *memmove(void *to, const void *from, size_t bytes) SIM_NOTHROW __asm__("sim_memmove");
void *memset(void *to, int value, size_t bytes) SIM_NOTHROW __asm__("sim_memset");
#ifdef __clang__ /* which copies and clears structs by these, before version 16 */
__asm__(".weakref memcpy, __tsan_memcpy");
__asm__(".weakref memset, __tsan_memset");
#endif
#ifdef __cplusplus
}
#endif
#else
#define SIM_UNSEEN
#define SIM_UNSEEN_PART
#define SIM_LOCAL(array)
#endif

#endif
