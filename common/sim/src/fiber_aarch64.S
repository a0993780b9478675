/* SPDX-License-Identifier: MIT */
/* void sim_fiber_switch(void **save, void *load): see fiber_x86_64.S. */
#if defined(__aarch64__)
    .text
    .globl sim_fiber_switch
    .type sim_fiber_switch, %function
sim_fiber_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size sim_fiber_switch, .-sim_fiber_switch

/* See fiber_x86_64.S; the entry is in x19. */
    .globl sim_fiber_first
    .type sim_fiber_first, %function
sim_fiber_first:
    .cfi_startproc
    .cfi_undefined x30
    blr x19
    brk #1
    .cfi_endproc
    .size sim_fiber_first, .-sim_fiber_first
#endif
    .section .note.GNU-stack, "", %progbits
