/* SPDX-License-Identifier: MIT */
/* The template of the page that SIM_REPORT asks for, as its files lie beside this one. */
#define TEXT(symbol)    \
    .globl symbol;      \
    .hidden symbol;     \
symbol:

    .section .rodata
TEXT(page_html)
    .incbin "common/sim/src/page.html"
    .byte 0
TEXT(page_css)
    .incbin "common/sim/src/page.css"
    .byte 0
TEXT(page_js)
    .incbin "common/sim/src/page_chart.js"
    .incbin "common/sim/src/page_draw.js"
    .incbin "common/sim/src/page_source.js"
    .byte 0

    .section .note.GNU-stack,"",%progbits
