/* SPDX-License-Identifier: MIT */
/* What a harness offers to main.c. With clang the first alone makes it a libFuzzer harness. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Try one input; what is wrong ends the process with a message and abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const size_t fuzz_step;        /* an input is a row of parts of so many bytes, each of a meaning */
extern unsigned long long fuzz_calls; /* made so far */
extern int fuzz_tell;                 /* print what is tried, before it is */

#endif
