/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Turns CUDA C++ into C++ that g++ and clang++ compile: text in, text and findings out.
 *
 *     kernel<<<g, b>>>(x);              ->  kernel%$(g, b)  (x);
 *     __shared__ float a[16], b;        ->             float (&a)[16]=$sh<1>([]{}), &b=$sh<1>([]{});
 *     extern __shared__ float d[];      ->                   float (&d)[]=$dyn;
 *     float a[4]; a[i & 3] = x;         ->  float a[4]; SIM_LOCAL(a) a[i & 3] = x;   (in device code)
 *     __global__ void k(int n) { ... }  ->  the same, and after it SIM_KERNEL(k, 0, 0, 1);
 *     template <class T> __global__ void k(T x) { ... }  ->  { SIM_INSTANCE((k<T>), 0, 0, 0); ... }
 *
 * Lines stay where they are; columns do too up to the first `$K(`, `(&` or `SIM_` of a line. A unit is one
 * `.cu` file with the headers it reaches through the loader; all of them are read before any is written,
 * because a header may launch what the file defines and the other way round.
 */
#ifndef XLATE_H
#define XLATE_H

#include <stddef.h>

/** @brief One translation unit. */
typedef struct xlate xlate;

/** @brief Something nvcc refuses or the simulated device cannot do; or, as a warning, a likely mistake. */
typedef struct xlate_finding {
    const char *path;
    int line, column; ///< both from 1; the column counts bytes
    int is_warning;   ///< the translation stands
    const char *text; ///< one sentence naming the rule
} xlate_finding;

/**
 * @brief Find and read the file an `#include` names.
 * @param[in]  from    path of the including file
 * @param[in]  name    what stands between the quotes or angle brackets
 * @param[in]  quoted  0 for `<name>`
 * @param[out] path    malloc'ed path as messages shall name it, freed by the unit
 * @param[out] text    malloc'ed contents, freed by the unit
 * @retval 1 found
 * @retval 0 not found, or not a file to translate (a system header); the directive then stays as it is
 */
typedef int xlate_load(void *user, const char *from, const char *name, int quoted, char **path, char **text,
                       size_t *bytes);

enum { XLATE_DEVICE_LAMBDAS = 1 /**< allow `__device__` lambdas, as nvcc's --extended-lambda does */ };

/**
 * @brief Open an empty unit.
 * @param[in] load   how to follow `#include`; NULL follows none
 * @param[in] flags  sum of XLATE_*
 */
xlate *xlate_create(xlate_load *load, void *user, unsigned flags);
/** @brief Close a unit; frees everything its functions returned. NULL is allowed. */
void xlate_destroy(xlate *unit);

/** @brief Note a macro of the command line: `value` NULL means `#undef`. */
void xlate_define(xlate *unit, const char *name, const char *value);

/** @brief Read the unit's main file, which becomes file 0, and all it includes. Call once. */
void xlate_read(xlate *unit, const char *path, const char *text, size_t bytes);

/** @brief Findings in the order of files and lines. */
const xlate_finding *xlate_findings(const xlate *unit, int *count);

/** @brief Number of files read. */
int xlate_file_count(const xlate *unit);
/** @brief Path of a file as the loader gave it. */
const char *xlate_file_path(const xlate *unit, int file);
/** @brief Does this file, or one it includes, differ from its translation? */
int xlate_file_changed(const xlate *unit, int file);
/** @brief Say where a file can be found by a file that is not in its own folder: its translation or its
 * absolute path. */
void xlate_file_place(xlate *unit, int file, const char *where);
/** @brief What xlate_file_place() said, or NULL. */
const char *xlate_file_placed(const xlate *unit, int file);
/** @brief The translation: a #line naming the file, then as many lines as the source has. */
const char *xlate_file_write(xlate *unit, int file, size_t *bytes);
/** @brief The i-th header that the translation needs beside cuda_runtime.h; NULL: no more. */
const char *xlate_needed_header(const xlate *unit, int i);

/** @brief Folders that xlate_find() searches, in order. */
typedef struct xlate_folders {
    const char *at[256];
    int quoted_only[256]; ///< given by -iquote: not for `<name>`
    int count;
} xlate_folders;

/** @brief Largest source, in bytes. */
#define XLATE_MAX_BYTES (256 << 20)

/** @brief An xlate_load that searches as the compiler does; `user` is an xlate_folders. */
int xlate_find(void *user, const char *from, const char *name, int quoted, char **path, char **text,
               size_t *bytes);

/** @brief Read a whole file. @return malloc'ed bytes, or NULL with errno set */
char *xlate_slurp(const char *path, size_t *bytes);

#endif
