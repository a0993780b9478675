/* SPDX-License-Identifier: MIT */
/* The template of the page that SIM_REPORT asks for, as it lies beside this file. */
#define ASSET(name, file)       \
    .globl name;                \
    .hidden name;               \
name:                           \
    .incbin file;               \
    .byte 0

    .section .rodata
ASSET(page_html, "common/sim/src/page.html")
ASSET(page_css, "common/sim/src/page.css")
ASSET(page_js, "common/sim/src/page.js")

    .section .note.GNU-stack,"",%progbits
