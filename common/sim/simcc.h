/* SPDX-License-Identifier: MIT */
/* What the two halves of the driver share: simcc_args.c reads the command line, simcc.c does what it says. */
#ifndef SIMCC_H
#define SIMCC_H

#include "xlate.h"

enum kind { K_NONE, K_CU, K_CXX, K_C, K_ASM, K_LINK };
enum mode { M_LINK, M_COMPILE, M_ASSEMBLY, M_PREPROCESS, M_TRANSLATE };

typedef struct list {
    const char **at;
    int n, room;
} list;

typedef struct input {
    const char *path;
    enum kind kind;
} input;

typedef struct command_line {
    enum mode mode;
    const char *out, *compiler, *standard, *include, *archive, *root;
    list flags, link; /* for every compile; objects and -l in their order */
    input inputs[1024];
    int input_count, force_kind, asan, check, verbose, no_warnings, is_clang, dependencies, phony_rules;
    const char *dependency_file;
    unsigned xlate_flags;
    struct {
        const char *name, *value;
    } macros[512];
    int macro_count;
    xlate_folders folders;
} command_line;

extern command_line o;

/* Prints one line, removes the temporary files and ends the program. */
void die(int code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* Appends; l->at stays NULL-terminated. */
void add(list *l, const char *text);
/* A formatted string that lives as long as the program. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void parse(int argc, char **argv);

#endif
