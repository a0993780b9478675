/* SPDX-License-Identifier: MIT */
/*
 * Calls of the C library that simcc's link step sends here first (-Wl,--wrap): those that would hand
 * a CUDA pointer to the heap, and those in which the kernel answers EFAULT where a program's own access
 * would have been caught.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

void *__real_malloc(size_t bytes);
void *__real__Znwm(size_t bytes);
void *__real__Znam(size_t bytes);
void __real_free(void *p);
size_t __real_fread(void *p, size_t size, size_t count, FILE *file);
size_t __real_fwrite(const void *p, size_t size, size_t count, FILE *file);
ssize_t __real_read(int fd, void *p, size_t bytes);
ssize_t __real_write(int fd, const void *p, size_t bytes);
void __real__ZdlPv(void *p);
void __real__ZdlPvm(void *p, size_t bytes);
void __real__ZdaPv(void *p);
void __real__ZdaPvm(void *p, size_t bytes);

/* True for CUDA's memory, after a report: the block stays as it is. */
static bool is_ours(void *p, const char *api, void *caller)
{
    if (check_on_device)
        check_heap_remove(p);
    if (!sim_in_device_range(p) && !sim_is_host_range(p))
        return false;
    sim_enter_always(api, caller);
    bool ours = sim_find(p) != NULL;
    if (ours)
        sim_bad_free(p, api);
    sim_leave(cudaSuccess);
    return ours;
}

/* In a kernel they take from the device's heap. */
static void *noted(void *p, size_t bytes)
{
    if (check_on_device && p)
        check_heap_add(p, bytes);
    return p;
}

void *__wrap_malloc(size_t bytes)
{
    return noted(__real_malloc(bytes), bytes);
}

void *__wrap__Znwm(size_t bytes)
{
    return noted(__real__Znwm(bytes), bytes);
}

void *__wrap__Znam(size_t bytes)
{
    return noted(__real__Znam(bytes), bytes);
}

void __wrap_free(void *p)
{
    if (!is_ours(p, "free", __builtin_return_address(0)))
        __real_free(p);
}

void __wrap__ZdlPv(void *p)
{
    if (!is_ours(p, "delete", __builtin_return_address(0)))
        __real__ZdlPv(p);
}

void __wrap__ZdlPvm(void *p, size_t bytes)
{
    if (!is_ours(p, "delete", __builtin_return_address(0)))
        __real__ZdlPvm(p, bytes);
}

void __wrap__ZdaPv(void *p)
{
    if (!is_ours(p, "delete[]", __builtin_return_address(0)))
        __real__ZdaPv(p);
}

void __wrap__ZdaPvm(void *p, size_t bytes)
{
    if (!is_ours(p, "delete[]", __builtin_return_address(0)))
        __real__ZdaPvm(p, bytes);
}

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
