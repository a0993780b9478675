/* SPDX-License-Identifier: MIT */
/* The shadow's layout, for those on the way of every access. See shadow.c. */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "check.h"

#define HOME_FIRST ((uintptr_t)0x1c0000000000)
#define HOME_BYTES ((uintptr_t)0x060000000000)
#define VARIABLE_HOMES ((uintptr_t)0x1fe000000000)
#define SHARED_HOMES ((uintptr_t)0x1ff000000000) /* both windows; see shared.c */
#define DEVICE_HOMES ((uintptr_t)0x200000000000)
#define SHADOW_STATES ((void *)0x300000000000)
#define SHADOW_CELLS ((void *)0x380000000000)

/* Who wrote the 4 bytes last and who has read them since, packed by race.c. */
struct shadow_cell {
    uint64_t write, read;
};

/* threadIdx and its like: variables here, registers on a GPU, which every thread may read. */
extern const char __start_sim_registers[], __stop_sim_registers[];

static inline bool is_register(const void *p)
{
    return (uintptr_t)p - (uintptr_t)__start_sim_registers <
           (uintptr_t)__stop_sim_registers - (uintptr_t)__start_sim_registers;
}

static inline bool has_home(uintptr_t p)
{
    return p - HOME_FIRST < HOME_BYTES;
}

static inline uint8_t *shadow_state(uintptr_t home)
{
    return (uint8_t *)SHADOW_STATES + (home - HOME_FIRST) / 4;
}

static inline struct shadow_cell *shadow_cell(uintptr_t home)
{
    return (struct shadow_cell *)SHADOW_CELLS + (home - HOME_FIRST) / 4;
}

/* Reserve the address space; false when it cannot be had. */
bool shadow_open(void);
/* The home address of a byte of a device variable or a registered range; 0 when there is no room for more. */
uintptr_t shadow_home(struct sim_block *block, const void *p);
void shadow_leave_home(struct sim_block *block);
void shadow_set(uintptr_t home, size_t bytes, enum check_state state);
void shadow_copy(uintptr_t dst, uintptr_t src, size_t bytes);
/* Offset of the first byte in that state; `bytes` when there is none. */
size_t shadow_find(uintptr_t home, size_t bytes, enum check_state state);
/* Of memory at `p`. What the C library or code built without --check wrote there, unseen, is written: it does
 * not hold what new memory is filled with. By words: one byte of a number may happen to look new. */
void shadow_look_again(uintptr_t home, const char *p, size_t bytes);
void shadow_clear_cells(uintptr_t home, size_t bytes);
/* Whole pages of memory are gone, and what was known of them goes too. */
void shadow_release(uintptr_t home, size_t bytes);
/*
 * What is known of [home, home + bytes) lies from now on where it lies for all addresses of the same memory,
 * `offset` bytes into that which can have several (vmm.c); then alone again, and nothing is known.
 */
bool shadow_share(uintptr_t home, size_t bytes, size_t offset);
void shadow_unshare(uintptr_t home, size_t bytes);
/* That memory is gone. */
void shadow_drop(size_t offset, size_t bytes);
/* Nobody has touched anything yet. */
void shadow_forget_order(void);

#endif
