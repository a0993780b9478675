/* SPDX-License-Identifier: MIT */
/*
 * void sim_fiber_switch(void **save, void *load): keep this stack in *save, go on with `load`.
 * Returning with `ret` keeps the processor's return predictor right; `pop; jmp` would triple the cost.
 */
#if defined(__x86_64__)
    .text
    .globl sim_fiber_switch
    .type sim_fiber_switch, @function
sim_fiber_switch:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size sim_fiber_switch, .-sim_fiber_switch

/* The first frame of a fiber: calls the entry in %r12, which never returns. Here a walk up the stack ends. */
    .globl sim_fiber_first
    .type sim_fiber_first, @function
sim_fiber_first:
    .cfi_startproc
    .cfi_undefined rip
    call *%r12
    ud2
    .cfi_endproc
    .size sim_fiber_first, .-sim_fiber_first
#endif
    .section .note.GNU-stack, "", @progbits
