/* SPDX-License-Identifier: MIT */
/* The memory profile alone: threads of made-up kernels, told access by access, and the requests they come to.
 */
#include <stdio.h>
#include <string.h>
#include "profile.h"

enum { LOAD = CHECK_READ, STORE = CHECK_WRITE, STRUCT = CHECK_READ | CHECK_ANYWHERE };
static char *const device = (char *)0x200000000000, *const shared = (char *)0x1ff000000000;
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

/* One warp, one access each, at `base` + lane * step (an address for each lane when step is 0). */
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

/* ---- cases ---- */

static void strides(void)
{
    one_access("coalesced", device, 4, 4, LOAD);
    expect("global", "load", 1, 128, 4);
    one_access("stride 2", device, 8, 4, STORE);
    expect("global", "store", 1, 128, 8);
    one_access("stride 32", device, 128, 4, LOAD);
    expect("global", "load", 1, 128, 32);
    one_access("offset", device + 4, 4, 4, LOAD);
    expect("global", "load", 1, 128, 5);
    one_access("backward", device + 4096, -4, 4, LOAD);
    expect("global", "load", 1, 128, 5);
    one_access("one address", device, 0, 4, LOAD);
    expect("global", "load", 1, 128, 1);
    one_access("bytes", device, 1, 1, LOAD);
    expect("global", "load", 1, 32, 1);
    one_access("doubles", device, 8, 8, LOAD);
    expect("global", "load", 1, 256, 8);
    one_access("vectors", device, 16, 16, LOAD);
    expect("global", "load", 1, 512, 16);
    one_access("atomics", device, 0, 4, CHECK_ATOMIC | CHECK_WRITE);
    expect("global", "atomic", 1, 128, 32);
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

static void structs(void)
{
    sim_register_type(24, 8);
    one_access("12 bytes", device, 12, 12, STRUCT);
    expect("global", "load", 3, 384, 36);
    one_access("16 bytes of floats", device, 16, 16, STRUCT);
    expect("global", "load", 4, 512, 64);
    one_access("24 bytes of doubles", device, 24, 24, STRUCT);
    expect("global", "load", 3, 768, 72);
    one_access("32 bytes of floats", device, 32, 32, STRUCT);
    expect("global", "load", 8, 1024, 256);
}

static void banks(void)
{
    one_access("banks apart", shared, 4, 4, LOAD);
    expect("shared", "load", 1, 128, 0);
    one_access("banks by two", shared, 8, 4, LOAD);
    expect("shared", "load", 1, 128, 1);
    one_access("one bank", shared, 128, 4, LOAD);
    expect("shared", "load", 1, 128, 31);
    one_access("one word", shared, 0, 4, LOAD);
    expect("shared", "load", 1, 128, 0);
    one_access("bytes of words", shared, 1, 1, LOAD);
    expect("shared", "load", 1, 32, 0);
    one_access("doubles in halves", shared, 8, 8, LOAD);
    expect("shared", "load", 1, 256, 0);
    one_access("doubles by two", shared, 16, 8, LOAD);
    expect("shared", "load", 1, 256, 2);
    one_access("float4 in quarters", shared, 16, 16, LOAD);
    expect("shared", "load", 1, 512, 0);
    one_access("float4 by two", shared, 32, 16, STORE);
    expect("shared", "store", 1, 512, 4);
}

static void constants(void)
{
    one_access("constant for all", coefficients, 0, 4, LOAD);
    expect("constant", "load", 1, 128, 0);
    one_access("constant for each", coefficients, 4, 4, LOAD);
    expect("constant", "load", 1, 128, 31);
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
}

int main(void)
{
    profile_wanted = true;
    sim_register_symbol(coefficients, sizeof coefficients, "coefficients", SIM_SPACE_CONSTANT);
    strides();
    scattered();
    structs();
    banks();
    constants();
    branches();
    loops();
    functions();
    meetings();
    locals();
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
