/* SPDX-License-Identifier: MIT */
/* A loader that finds headers as the compiler does: beside the including file, then along -iquote and -I. */
#define _POSIX_C_SOURCE 200809L
#include "xlate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *xlate_slurp(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f)
        return NULL;
    if (fstat(fileno(f), &st) || S_ISDIR(st.st_mode) || st.st_size > XLATE_MAX_BYTES) {
        int why = S_ISDIR(st.st_mode) ? EISDIR : EFBIG;
        fclose(f);
        errno = why;
        return NULL;
    }
    size_t room = (size_t)st.st_size + 4096, n = 0, got; /* a pipe has no size: grow */
    char *text = malloc(room);
    while (text && (got = fread(text + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room) {
            char *wider = n > XLATE_MAX_BYTES ? NULL : realloc(text, room *= 2);
            if (!wider)
                free(text);
            text = wider;
        }
    }
    int why = text ? ferror(f) ? errno : 0 : ENOMEM;
    fclose(f);
    if (why) {
        free(text);
        text = NULL;
        errno = why;
    }
    *bytes = n;
    return text;
}

static int try_folder(const char *folder, size_t length, const char *name, char **path, char **text,
                      size_t *bytes)
{
    struct stat st;
    char *full = malloc(length + strlen(name) + 2);
    if (!full)
        return 0;
    sprintf(full, "%.*s%s%s", (int)length, folder, length && folder[length - 1] != '/' ? "/" : "", name);
    if (!stat(full, &st) && S_ISREG(st.st_mode) && (*text = xlate_slurp(full, bytes)) != NULL) {
        *path = full;
        return 1;
    }
    free(full);
    return 0;
}

int xlate_find(void *user, const char *from, const char *name, int quoted, char **path, char **text,
               size_t *bytes)
{
    const xlate_folders *folders = user;
    const char *slash = strrchr(from, '/');
    if (name[0] == '/')
        return try_folder("", 0, name, path, text, bytes);
    if (quoted && try_folder(from, slash ? (size_t)(slash - from) + 1 : 0, name, path, text, bytes))
        return 1;
    for (int i = 0; i < folders->count; i++)
        if ((quoted || !folders->quoted_only[i]) &&
            try_folder(folders->at[i], strlen(folders->at[i]), name, path, text, bytes))
            return 1;
    return 0;
}
