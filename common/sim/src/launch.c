/* SPDX-License-Identifier: MIT */
/* Launches: every limit checked when the host asks, the grid run when somebody waits for it. */
#include <stdlib.h>
#include <string.h>
#include "sim.h"

/* Between sim_launch_begin and sim_launch_commit, which one host thread calls under the lock. */
static struct sim_op *opening;

enum { MAX_THREADS = 1024, MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535, MAX_PARAMETERS = 32764 };

/* Lives as long as the program: the grid runs later, and its name is told later still. */
static const char *kernel_name(const sim_launch *l, struct sim_kernel *k)
{
    if (!k->name && !l->name)
        k->name = strdup(sim_function_name(l->entry));
    return k->name ? k->name : l->name ? l->name : "?";
}

/* Where the arguments are in an operation's payload, behind its grid. */
#define ARGS_AT ((sizeof(struct sim_grid) + 63) & ~(size_t)63)

/* "integer division?" or "a negative number?" for a size that cannot be meant. */
static const char *guess(unsigned value)
{
    return value == 0          ? " (an integer division that gave 0? round up: (n + block - 1) / block)"
           : value > INT32_MAX ? " (a negative number turned unsigned?)"
                               : "";
}

/* What is wrong with the launch, as a text that lives until the next launch; NULL when it is within all
 * limits. */
static const char *refuse(const sim_launch *l, const struct sim_kernel *k, size_t parameter_bytes)
{
    static char text[400];
    static const char axis[] = "xyz";
    const unsigned grid[] = {l->grid.x, l->grid.y, l->grid.z}, block[] = {l->block.x, l->block.y, l->block.z};
    const unsigned grid_max[] = {INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ};
    const unsigned block_max[] = {MAX_THREADS, MAX_THREADS, MAX_BLOCK_Z};
    for (int i = 0; i < 6; i++) {
        unsigned size = i < 3 ? grid[i] : block[i - 3], most = i < 3 ? grid_max[i] : block_max[i - 3];
        if (size != 0 && size <= most)
            continue;
        snprintf(text, sizeof text, "%s.%c is %u, allowed are 1 to %u%s", i < 3 ? "grid" : "block",
                 axis[i % 3], size, most, guess(size));
        return text;
    }
    unsigned long long threads = (unsigned long long)block[0] * block[1] * block[2];
    unsigned most = k->max_threads ? (unsigned)k->max_threads : MAX_THREADS;
    if (threads > most) {
        snprintf(text, sizeof text, "%llu threads in a block (%u x %u x %u), allowed are %u%s", threads,
                 block[0], block[1], block[2], most,
                 k->max_threads ? " by the kernel's __launch_bounds__" : "");
        return text;
    }
    /* a kernel that the call itself picked among several has no address here: the highest limit set counts */
    int dynamic_limit = l->name && !k->registered ? sim_highest_dynamic_limit : k->dynamic_limit;
    size_t fixed = sim_kernel_static_bytes(k), all = fixed + l->shared_bytes;
    size_t limit = dynamic_limit ? fixed + (size_t)dynamic_limit : SIM_SHARED_DEFAULT;
    if (all > limit || l->shared_bytes > SIM_SHARED_OPTIN) {
        snprintf(
            text, sizeof text,
            "shared memory of a block: %zu static + %zu dynamic = %zu bytes > %zu; up to %d can be had with "
            "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
            fixed, l->shared_bytes, all, limit, SIM_SHARED_OPTIN);
        return text;
    }
    if (parameter_bytes > MAX_PARAMETERS) {
        snprintf(text, sizeof text, "%zu bytes of arguments, allowed are %d", parameter_bytes,
                 MAX_PARAMETERS);
        return text;
    }
    return NULL;
}

static bool blocks_fit_together(const sim_launch *l, const struct sim_kernel *k)
{
    double blocks = (double)l->grid.x * l->grid.y * l->grid.z;
    return blocks <=
           132.0 * sim_blocks_that_fit(k, (int)(l->block.x * l->block.y * l->block.z), l->shared_bytes);
}

static void report_refusal(const char *name, cudaError_t e, const char *why)
{
    sim_note_refusal();
    struct sim_report r = sim_note(why, "launch of %s refused: %s", name, cudaGetErrorName(e));
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "%s", why);
    sim_report_line(r, "note", "the kernel did not run; only cudaGetLastError() tells");
    sim_report_end(r);
}

static void run_grid(struct sim_op *op)
{
    struct sim_grid *g = (void *)op->payload;
    if (g->touches_device)
        sim_memory_unlock(); /* else the fault handler does, should the kernel touch it after all */
    cudaError_t e = sim_grid_run(g);
    if (!e && sim_symbols_constant_changed(g->name))
        e = cudaErrorIllegalAddress;
    if (e)
        sim_set_sticky(e);
}

static void run_bad(struct sim_op *op)
{
    (void)op;
    sim_set_sticky(cudaErrorIllegalAddress);
}

const struct sim_grid *sim_op_grid(const struct sim_op *op)
{
    return op->run == run_grid || op->run == run_bad ? (const void *)op->payload : NULL;
}

/* Model: 3 us to start, then a thread-step of 1 ns on each of 132 multiprocessors with 128 lanes. */
static double grid_model_ns(const sim_launch *l)
{
    double threads = (double)l->grid.x * l->grid.y * l->grid.z * l->block.x * l->block.y * l->block.z;
    return 3000 + 20 * threads / (132 * 128);
}

void *sim_launch_begin(const sim_launch *launch, size_t bytes)
{
    cudaError_t e = sim_enter("kernel launch", NULL);
    sim_call.site = launch->site;
    struct sim_kernel *k = sim_kernel(launch->entry);
    const char *why = e ? NULL : refuse(launch, k, bytes);
    if (!e && !why && launch->cooperative && !blocks_fit_together(launch, k)) {
        e = cudaErrorCooperativeLaunchTooLarge;
        report_refusal(kernel_name(launch, k), e,
                       "a cooperative launch needs all its blocks on the device at once");
    }
    struct CUstream_st *stream = NULL;
    if (!e && !why)
        e = sim_stream_for_work(launch->stream, &stream);
    if (why) {
        e = cudaErrorInvalidValue;
        report_refusal(kernel_name(launch, k), e, why);
    }
    struct sim_op *op = e ? NULL : sim_op_new(stream, run_grid, ARGS_AT + bytes);
    if (!op) {
        sim_leave(e ? e : cudaErrorMemoryAllocation);
        return NULL;
    }
    struct sim_grid *g = (void *)op->payload;
    *g = (struct sim_grid){.launch = *launch,
                           .kernel = k,
                           .name = kernel_name(launch, k),
                           .args = op->payload + ARGS_AT,
                           .args_bytes = bytes};
    g->run = k->run ? k->run : launch->run;
    op->kernel = g->name;
    op->engine = SIM_COMPUTE;
    op->model_ns = grid_model_ns(launch);
    opening = op;
    return g->args;
}

/* A pointer the kernel could not use on hardware: say so now, where the line is known. */
static bool pointer_is_bad(const struct sim_grid *g, const void *p, int number)
{
    const struct sim_block *b = sim_find(p);
    const char *kind, *why;
    const struct sim_block *before = b ? NULL : sim_find((const char *)p - 1);
    if (before && before->live)
        return false; /* one past the end: legal to hold */
    if (!b && sim_reservation(p))
        return false; /* a kernel may use only the parts of it that are mapped */
    if (!p || (b && b->live && (b->kind != SIM_SYMBOL || b->used || b->flags == SIM_SPACE_MANAGED)))
        return false;
    if (b && !b->live) {
        kind = "a freed";
        why = "the memory was given back before this launch; hardware may stay silent here";
    } else if (b) {
        kind = "a host";
        why = "this is the variable's address on the host: ask cudaGetSymbolAddress for the device's";
    } else if (sim_in_device_range(p)) {
        kind = "a wild";
        why = "no allocation is at this address";
    } else {
        kind = "a host";
        why = "a kernel cannot reach the host's memory: copy it with cudaMemcpy, or allocate it with "
              "cudaMallocHost or cudaMallocManaged";
    }
    struct sim_report r =
        sim_report("argument", "argument %d of %s is %s pointer %p", number, g->name, kind, p);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why", "%s", why);
    sim_report_end(r);
    return true;
}

void sim_launch_commit(void *args, const void *const *pointers, int count)
{
    struct sim_op *op = opening;
    struct sim_grid *g = (void *)op->payload;
    (void)args;
    for (int i = 0; i < count; i++) {
        if (!pointers[i])
            continue;
        if (g->pointer_count < 16)
            g->pointers[g->pointer_count++] = pointers[i];
        if (pointer_is_bad(g, pointers[i], i + 1)) {
            op->run = run_bad;
            break;
        }
        if (sim_in_device_range(pointers[i]))
            g->touches_device = true;
    }
    sim_op_submit(op);
    sim_count_launch();
    sim_leave(cudaSuccess);
}

void sim_launch_moved(struct sim_op *op)
{
    if (!sim_op_grid(op))
        return;
    struct sim_grid *g = (void *)op->payload;
    g->args = op->payload + ARGS_AT;
}

/* ---- launches by address ---- */

static cudaError_t launch_by_address(const sim_launch *how, void **args, const char *api, void *caller,
                                     const cudaLaunchConfig_t *config)
{
    cudaError_t e = sim_enter(api, caller); /* and held, so that the launch knows its place */
    sim_launch launch = *how;
    struct sim_kernel *k = e ? NULL : sim_kernel(launch.entry);
    if (k && !k->registered)
        e = cudaErrorInvalidDeviceFunction;
    if (!e && config)
        e = sim_launch_attributes(config, &launch.cooperative);
    if (e)
        return sim_leave(e);
    launch.run = k->run;
    launch.name = k->name;
    void *pack = sim_launch_begin(&launch, k->unpack(NULL, NULL));
    if (pack) {
        k->unpack(pack, args);
        sim_launch_commit(pack, NULL, 0);
    }
    e = pack ? cudaSuccess : cudaPeekAtLastError();
    sim_leave(cudaSuccess);
    return e;
}

cudaError_t cudaLaunchKernel(const void *entry, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream)
{
    sim_launch l = {.entry = entry, .grid = grid, .block = block, .shared_bytes = shared, .stream = stream};
    return launch_by_address(&l, args, SIM_CALL, NULL);
}

cudaError_t cudaLaunchCooperativeKernel(const void *entry, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream)
{
    sim_launch l = {.entry = entry, .grid = grid, .block = block, .shared_bytes = shared, .stream = stream,
                    .cooperative = 1};
    return launch_by_address(&l, args, SIM_CALL, NULL);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *entry, void **args)
{
    if (!config) {
        sim_enter_always(SIM_CALL);
        return sim_leave(cudaErrorInvalidValue);
    }
    sim_launch l = {.entry = entry,
                    .grid = config->gridDim,
                    .block = config->blockDim,
                    .shared_bytes = config->dynamicSmemBytes,
                    .stream = config->stream};
    return launch_by_address(&l, args, SIM_CALL, config);
}
