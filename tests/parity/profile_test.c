/* SPDX-License-Identifier: MIT */
/* The memory profile alone: threads of made-up kernels, told access by access, and the requests they come to.
 */
#include <stdio.h>
#include <string.h>
#include "profile.h"

enum { LOAD = CHECK_READ, STORE = CHECK_WRITE, STRUCT = CHECK_READ | CHECK_ANYWHERE,
       ATOMIC = CHECK_ATOMIC | CHECK_WRITE };
#define device ((char *)0x200000000000)
#define shared ((char *)0x1ff000000000)
static char coefficients[1024];
static unsigned passed, failed;
static const char *kernel;

/* ---- telling ---- */

static void begin(const char *name, unsigned threads)
{
    static struct sim_grid grid;
    kernel = grid.name = name;
    exec_block.threads = threads;
    profile_grid_begin(&grid);
    for (unsigned w = 0; w < SIM_WARPS; w++)
        sync_now.warps[w].gone = 32 * w + 32 <= threads ? 0
                                 : threads > 32 * w     ? ~0u << (threads - 32 * w)
                                                        : ~0u;
}

static void thread(unsigned t)
{
    exec_block.thread = t;
    profile_enter(NULL);
}

static void access(const void *p, size_t bytes, unsigned how, uintptr_t pc)
{
    profile_access(p, bytes, how, (const void *)pc);
}

static void pass(uintptr_t pc)
{
    profile_pass((const void *)pc);
}

static void end(void)
{
    profile_block_end();
    profile_grid_end();
}

/* ---- judging ---- */

static void expect(const char *space, const char *op, unsigned long long requests, unsigned long long bytes,
                   unsigned long long cost)
{
    sim_profile_row r = sim_profile_sum(kernel, space, op);
    unsigned long long costs = r.sectors + r.conflicts;
    if (r.requests == requests && r.bytes == bytes && costs == cost) {
        passed++;
        return;
    }
    failed++;
    printf("FAIL %s, %s %s: %llu requests of %llu bytes, cost %llu; wanted %llu, %llu, %llu\n", kernel, space,
           op, r.requests, r.bytes, costs, requests, bytes, cost);
}

/* ---- cases ---- */

/* One warp, each lane one access at `base` + lane * step, and what that must come to. */
static const struct {
    const char *name, *base;
    long step;
    size_t bytes;
    unsigned how;
    const char *space, *op;
    unsigned long long requests, total, cost;
} single[] = {
    {"coalesced", device, 4, 4, LOAD, "global", "load", 1, 128, 4},
    {"stride 2", device, 8, 4, STORE, "global", "store", 1, 128, 8},
    {"stride 32", device, 128, 4, LOAD, "global", "load", 1, 128, 32},
    {"offset", device + 4, 4, 4, LOAD, "global", "load", 1, 128, 5},
    {"backward", device + 4096, -4, 4, LOAD, "global", "load", 1, 128, 5},
    {"one address", device, 0, 4, LOAD, "global", "load", 1, 128, 1},
    {"bytes", device, 1, 1, LOAD, "global", "load", 1, 32, 1},
    {"doubles", device, 8, 8, LOAD, "global", "load", 1, 256, 8},
    {"vectors", device, 16, 16, LOAD, "global", "load", 1, 512, 16},
    {"12 bytes", device, 12, 12, STRUCT, "global", "load", 3, 384, 36},
    {"16 bytes of floats", device, 16, 16, STRUCT, "global", "load", 4, 512, 64},
    {"24 bytes of doubles", device, 24, 24, STRUCT, "global", "load", 3, 768, 72},
    {"32 bytes of floats", device, 32, 32, STRUCT, "global", "load", 8, 1024, 256},
    {"banks apart", shared, 4, 4, LOAD, "shared", "load", 1, 128, 0},
    {"banks by two", shared, 8, 4, LOAD, "shared", "load", 1, 128, 1},
    {"one bank", shared, 128, 4, LOAD, "shared", "load", 1, 128, 31},
    {"one word", shared, 0, 4, LOAD, "shared", "load", 1, 128, 0},
    {"bytes of words", shared, 1, 1, LOAD, "shared", "load", 1, 32, 0},
    {"doubles in halves", shared, 8, 8, LOAD, "shared", "load", 1, 256, 0},
    {"doubles by two", shared, 16, 8, LOAD, "shared", "load", 1, 256, 2},
    {"float4 in quarters", shared, 16, 16, LOAD, "shared", "load", 1, 512, 0},
    {"float4 by two", shared, 32, 16, STORE, "shared", "store", 1, 512, 4},
    {"constant for all", coefficients, 0, 4, LOAD, "constant", "load", 1, 128, 0},
    {"constant for each", coefficients, 4, 4, LOAD, "constant", "load", 1, 128, 31},
    {"atomics on one", device, 0, 4, ATOMIC, "global", "atomic", 1, 128, 32},
    {"atomics apart", device, 4, 4, ATOMIC, "global", "atomic", 1, 128, 4},
    {"atomics of 8 bytes", device, 8, 8, ATOMIC, "global", "atomic", 1, 256, 8},
    {"shared atomics on one", shared, 0, 4, ATOMIC, "shared", "atomic", 1, 128, 31},
    {"shared atomics apart", shared, 4, 4, ATOMIC, "shared", "atomic", 1, 128, 0},
    {"shared atomics by two", shared, 8, 4, ATOMIC, "shared", "atomic", 1, 128, 1},
};

static void one_access(const char *name, const char *base, long step, size_t bytes, unsigned how)
{
    begin(name, 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        access(base + (long)l * step, bytes, how, 0x100);
        profile_leave();
    }
    end();
}

static void single_accesses(void)
{
    sim_register_type(24, 8);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        one_access(single[i].name, single[i].base, single[i].step, single[i].bytes, single[i].how);
        expect(single[i].space, single[i].op, single[i].requests, single[i].total, single[i].cost);
    }
}

static void shared_addresses(void)
{
    begin("atomics in pairs", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        access(device + l / 2 * 4, 4, ATOMIC, 0x100);
        access(shared + l / 2 * 4, 4, ATOMIC, 0x200);
    }
    end();
    expect("global", "atomic", 1, 128, 4);
    expect("shared", "atomic", 1, 128, 1);
}

static void scattered(void)
{
    begin("scattered", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        access(device + l * 7919 % 32 / 2 * 32, 4, LOAD, 0x100);
    }
    end();
    expect("global", "load", 1, 128, 16);
}

static void branches(void)
{
    begin("if and else", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        access(device + 4 * l, 4, LOAD, l % 2 ? 0x100 : 0x200);
        access(device + 4 * l, 4, STORE, 0x300);
    }
    end();
    expect("global", "load", 2, 128, 8);
    expect("global", "store", 1, 128, 4);

    begin("early return", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        access(device + 4 * l, 4, LOAD, 0x100);
        if (l >= 8)
            access(device + 4 * l, 4, STORE, 0x200);
    }
    end();
    expect("global", "load", 1, 128, 4);
    expect("global", "store", 1, 96, 3);
}

/* for (m) { for (n(lane, m)) load; store; } */
static void loops(void)
{
    begin("nested loops", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        for (unsigned m = 0; m < 3; m++) {
            pass(0x100);
            for (unsigned n = 0; n < (l + m) % 4; n++) {
                pass(0x110);
                access(device + 4 * l, 4, LOAD, 0x114);
                pass(0x118);
            }
            pass(0x120);
            access(device + 4 * l, 4, STORE, 0x124);
        }
    }
    end();
    expect("global", "load", 9, 32 * 3 * 6 / 4 * 4, 36);
    expect("global", "store", 3, 384, 12);

    begin("branch in a loop", 32); /* lanes that are done with their branch wait for the others */
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        for (unsigned n = 0; n < 4; n++) {
            pass(0x100);
            pass((l + n) % 2 ? 0x110 : 0x120);
            access(device + 4 * l, 4, LOAD, (l + n) % 2 ? 0x114 : 0x124);
            pass(0x130);
        }
    }
    end();
    expect("global", "load", 8, 512, 32);
}

static void functions(void)
{
    begin("function called from two places", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        profile_enter((const void *)(uintptr_t)(l < 16 ? 0x1100 : 0x1200));
        access(device + 4 * l, 4, LOAD, 0x100);
        profile_leave();
        access(device + 4 * l, 4, STORE, 0x1300);
    }
    end();
    expect("global", "load", 2, 128, 4);
    expect("global", "store", 1, 128, 4);

    begin("recursion", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        for (unsigned n = 0; n < 200; n++)
            profile_enter((const void *)0x1100);
        access(device + 4 * l, 4, LOAD, 0x1000);
        for (unsigned n = 0; n < 200; n++)
            profile_leave();
        access(device + 4 * l, 4, STORE, 0x1300);
    }
    end();
    expect("global", "load", 1, 128, 4);
    expect("global", "store", 1, 128, 4);
}

static void meetings(void)
{
    begin("partial warp", 40);
    for (unsigned t = 0; t < 40; t++) {
        thread(t);
        access(device + 4 * t, 4, LOAD, 0x100);
    }
    end();
    expect("global", "load", 2, 160, 5);

    begin("barrier", 32); /* what was before it is not put together with what comes after */
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        if (l < 16)
            access(device + 4 * l, 4, LOAD, 0x100);
    }
    profile_barrier();
    for (unsigned l = 16; l < 32; l++) {
        exec_block.thread = l;
        access(device + 4 * l, 4, LOAD, 0x100);
    }
    end();
    expect("global", "load", 2, 128, 4);

    begin("half a warp meets", 32);
    for (unsigned l = 0; l < 32; l++) {
        thread(l);
        if (l < 16)
            access(device + 4 * l, 4, LOAD, 0x200);
    }
    profile_warp(0, 0xffff);
    for (unsigned l = 0; l < 32; l++) {
        exec_block.thread = l;
        access(device + 4 * l, 4, STORE, 0x100);
    }
    end();
    expect("global", "load", 1, 64, 2);
    expect("global", "store", 2, 128, 4);
}

static void locals(void)
{
    char place[128] __attribute__((aligned(32))) = {0};
    one_access("local, the same", place, 0, 4, LOAD);
    expect("local", "load", 1, 128, 4);
    one_access("local, each its own", place, 4, 4, LOAD);
    expect("local", "load", 1, 128, 32);
    one_access("local, two words", place, 0, 8, LOAD);
    expect("local", "load", 2, 256, 8);
}

int main(void)
{
    profile_wanted = true;
    sim_register_symbol(coefficients, sizeof coefficients, "coefficients", SIM_SPACE_CONSTANT);
    single_accesses();
    shared_addresses();
    scattered();
    branches();
    loops();
    functions();
    meetings();
    locals();
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
