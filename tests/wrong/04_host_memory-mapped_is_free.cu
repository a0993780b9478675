/* SPDX-License-Identifier: MIT */
// Mistake: through a mapping only what is asked for would cross the link, to the byte.
// expect: sectors of 32 bytes move
#define by_sector right_by_sector
#include "solutions/04_host_memory.cu"
#undef by_sector

LAB_PREDICT(by_sector, 128);
