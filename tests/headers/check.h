/* SPDX-License-Identifier: MIT */
/* One comparison of a header test: what failed is printed, and main returns whether anything did. */
#include <stdio.h>

static int failures;

#define EXPECT(condition, ...)                           \
    do {                                                 \
        if (!(condition) && failures++ < 20) {           \
            printf("line %d: %s", __LINE__, #condition); \
            printf(": " __VA_ARGS__);                    \
            printf("\n");                                \
        }                                                \
    } while (0)
