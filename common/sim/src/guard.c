/* SPDX-License-Identifier: MIT */
/*
 * Calls of the C library that simcc's link step sends here first (-Wl,--wrap): those that in a kernel mean
 * the device's heap, those that would hand a CUDA pointer to the host's, and those in which the operating
 * system answers EFAULT where a program's own access would have been caught.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

size_t __real_fread(void *p, size_t size, size_t count, FILE *file);
size_t __real_fwrite(const void *p, size_t size, size_t count, FILE *file);
ssize_t __real_read(int fd, void *p, size_t bytes);
ssize_t __real_write(int fd, const void *p, size_t bytes);

/* True for CUDA's memory, after a report: the block stays as it is. */
static bool is_ours(void *p, const char *api, void *caller)
{
    if (!sim_in_device_range(p) && !sim_is_host_range(p))
        return false;
    sim_enter_always(api, caller);
    bool ours = sim_find(p) != NULL;
    if (ours)
        sim_bad_free(p, api);
    sim_leave(cudaSuccess);
    return ours;
}

/* In a kernel they take from the device's heap, and give back to it. */
#define CALLER __builtin_return_address(0)
#define ALLOCATE(name, api, alignment, parameters, ...)                                                      \
    void *__real_##name parameters;                                                                          \
    void *__wrap_##name parameters                                                                           \
    {                                                                                                        \
        return sim_in_kernel() ? sim_heap_alloc(bytes, alignment, api, CALLER) : __real_##name(__VA_ARGS__); \
    }
#define RELEASE(name, api, parameters, ...)                                                                  \
    void __real_##name parameters;                                                                           \
    void __wrap_##name parameters                                                                            \
    {                                                                                                        \
        if (sim_in_kernel())                                                                                 \
            sim_heap_free(p, api, CALLER);                                                                   \
        else if (!is_ours(p, api, CALLER))                                                                   \
            __real_##name(__VA_ARGS__);                                                                      \
    }
#undef malloc
#undef free
ALLOCATE(malloc, "malloc", 16, (size_t bytes), bytes)
ALLOCATE(_Znwm, "new", 16, (size_t bytes), bytes)
ALLOCATE(_Znam, "new[]", 16, (size_t bytes), bytes)
ALLOCATE(_ZnwmSt11align_val_t, "new", align, (size_t bytes, size_t align), bytes, align)
ALLOCATE(_ZnamSt11align_val_t, "new[]", align, (size_t bytes, size_t align), bytes, align)
RELEASE(free, "free", (void *p), p)
RELEASE(_ZdlPv, "delete", (void *p), p)
RELEASE(_ZdaPv, "delete[]", (void *p), p)
RELEASE(_ZdlPvm, "delete", (void *p, size_t bytes), p, bytes)
RELEASE(_ZdaPvm, "delete[]", (void *p, size_t bytes), p, bytes)
RELEASE(_ZdlPvmSt11align_val_t, "delete", (void *p, size_t bytes, size_t align), p, bytes, align)
RELEASE(_ZdaPvmSt11align_val_t, "delete[]", (void *p, size_t bytes, size_t align), p, bytes, align)

/* How many arguments a format takes: what printf returns on the device, where the host's counts characters.
 */
static int argument_count(const char *format)
{
    int count = 0;
    for (const char *c = format; (c = strchr(c, '%')); c++) {
        if (*++c == '%')
            continue;
        count++;
        for (; *c && !strchr("diouxXeEfFgGaAcspn", *c); c++)
            count += *c == '*';
        if (!*c)
            break;
    }
    return count;
}

int __wrap_printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int characters = sim_leaving ? 0 : vprintf(format, list);
    va_end(list);
    return sim_running() ? argument_count(format) : characters;
}

/* Let a device pointer fault here, in plain sight of the fault handler, rather than fail in the kernel. */
static void touch(const void *p)
{
    if (sim_in_device_range(p))
        (void)*(const volatile char *)p;
}

size_t __wrap_fread(void *p, size_t size, size_t count, FILE *file)
{
    touch(p);
    return __real_fread(p, size, count, file);
}

size_t __wrap_fwrite(const void *p, size_t size, size_t count, FILE *file)
{
    touch(p);
    return __real_fwrite(p, size, count, file);
}

ssize_t __wrap_read(int fd, void *p, size_t bytes)
{
    touch(p);
    return __real_read(fd, p, bytes);
}

ssize_t __wrap_write(int fd, const void *p, size_t bytes)
{
    touch(p);
    return __real_write(fd, p, bytes);
}
