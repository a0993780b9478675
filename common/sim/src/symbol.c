/* SPDX-License-Identifier: MIT */
/* Device variables by name: __device__, __constant__ and __managed__, as the host reaches them. */
#include <sys/mman.h>
#include <unistd.h>
#include "sim.h"

static struct sim_block *find(const void *symbol)
{
    struct sim_block *b = sim_symbol(symbol);
    if (b && b->base == symbol)
        return b;
    struct sim_report r = sim_report("symbol", "%s was not given a device variable", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(symbol));
    sim_report_line(
        r, "why",
        "it takes a variable declared __device__, __constant__ or __managed__ at file scope, by its name");
    sim_report_end(r);
    return NULL;
}

/* One that is const lies in the program's read-only data; the device's would not. It stays writable: the copy
 * runs later, and an address is for good. */
static cudaError_t make_writable(const struct sim_block *b)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)b->base & -page;
    size_t bytes = (uintptr_t)b->base + b->bytes - first;
    return mprotect((void *)first, bytes, PROT_READ | PROT_WRITE) ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t check(const struct sim_block *b, size_t bytes, size_t offset)
{
    return offset <= b->bytes && bytes <= b->bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}

/* While the copy is checked and queued, the variable's address is the device's. */
static cudaError_t copy_to(const void *symbol, const void *src, size_t bytes, size_t offset,
                           enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    struct sim_block *b = find(symbol);
    if (!b)
        return cudaErrorInvalidSymbol;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t e = check(b, bytes, offset);
    if (!e)
        e = make_writable(b);
    if (e)
        return e;
    bool used = b->used;
    b->used = true;
    e = async ? cudaMemcpyAsync(b->base + offset, src, bytes, kind, stream)
              : cudaMemcpy(b->base + offset, src, bytes, kind);
    b->used = used;
    return e;
}

static cudaError_t copy_from(void *dst, const void *symbol, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    struct sim_block *b = find(symbol);
    if (!b)
        return cudaErrorInvalidSymbol;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t e = check(b, bytes, offset);
    if (e)
        return e;
    bool used = b->used;
    b->used = true;
    e = async ? cudaMemcpyAsync(dst, b->base + offset, bytes, kind, stream)
              : cudaMemcpy(dst, b->base + offset, bytes, kind);
    b->used = used;
    return e;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_to(symbol, src, bytes, offset, kind, NULL, false));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_to(symbol, src, bytes, offset, kind, stream, true));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_from(dst, symbol, bytes, offset, kind, NULL, false));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t e = sim_enter(SIM_CALL);
    return sim_leave(e ? e : copy_from(dst, symbol, bytes, offset, kind, stream, true));
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct sim_block *b = e ? NULL : find(symbol);
    if (!e && !b)
        e = cudaErrorInvalidSymbol;
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e)
        e = make_writable(b);
    if (!e) {
        b->used = true;
        *out = b->base;
    }
    return sim_leave(e);
}

cudaError_t cudaGetSymbolSize(size_t *out, const void *symbol)
{
    cudaError_t e = sim_enter(SIM_CALL);
    struct sim_block *b = e ? NULL : find(symbol);
    if (!e && !b)
        e = cudaErrorInvalidSymbol;
    if (!e && !out)
        e = cudaErrorInvalidValue;
    if (!e)
        *out = b->bytes;
    return sim_leave(e);
}
