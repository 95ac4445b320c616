/* checkpoint/resolve.c - which folder or file a path means. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/folder.h"
#include "checkpoint/open.h"

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* What a folder has. */
typedef struct contents {
    bool tensors;    /* a safetensors file */
    bool latest;     /* a file that names the latest checkpoint */
    int64_t highest; /* step; -1: none */
} contents;

static dt_status look_into(const char *path, contents *out, dt_error *error)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    *out = (contents){.highest = -1};
    if (!folder)
        return dti_fail_file(error, path, "opening it");
    while ((entry = readdir(folder))) {
        const int64_t step = dti_step_of(entry->d_name);
        if (step > out->highest)
            out->highest = step;
        if (ends_with(entry->d_name, ".safetensors"))
            out->tensors = true;
        if (strcmp(entry->d_name, DTI_LATEST_NAME) == 0)
            out->latest = true;
    }
    closedir(folder);
    return DT_OK;
}

/* Read the name of the latest checkpoint; -1 if what it names is none, or does
 * not exist. */
static int64_t read_latest(const char *path)
{
    char name[PATH_MAX];
    struct stat found;
    char *text = NULL;
    size_t size = 0;
    int64_t step = -1;
    snprintf(name, sizeof name, "%s/%s", path, DTI_LATEST_NAME);
    if (dti_read_file(name, 256, &text, &size, NULL) == DT_OK) {
        text[strcspn(text, "\n")] = '\0';
        step = dti_step_of(text);
        snprintf(name, sizeof name, "%s/%s", path, text);
        if (step >= 0 && stat(name, &found) != 0)
            step = -1;
    }
    free(text);
    return step;
}

dt_status dti_checkpoint_resolve(const char *path, char **out, dt_error *error)
{
    struct stat found;
    contents has = {.tensors = true};
    char full[PATH_MAX], step[32];
    if (strlen(path) > PATH_MAX - 64)
        return dti_error_set(error, DT_ERR_INVALID,
                             "the path " DTI_QUOTED " is too long", path);
    if (stat(path, &found) != 0)
        return errno == ENOENT
                   ? dti_error_set(error, DT_ERR_NOT_FOUND,
                                   "%s: there is no such file or folder", path)
                   : dti_fail_file(error, path, "looking for it");
    if (S_ISDIR(found.st_mode))
        DTI_TRY(look_into(path, &has, error));
    snprintf(full, sizeof full, "%s", path);
    if (!has.tensors) {
        const int64_t latest = has.latest ? read_latest(path) : -1;
        const int64_t chosen = latest >= 0 ? latest : has.highest;
        if (chosen < 0)
            return dti_error_set(error, DT_ERR_NOT_FOUND,
                                 "%s: the folder has neither safetensors files "
                                 "nor checkpoints",
                                 path);
        dti_step_name(chosen, step, sizeof step);
        snprintf(full, sizeof full, "%s/%s", path, step);
    }
    *out = strdup(full);
    return *out ? DT_OK
                : dti_error_set(error, DT_ERR_NO_MEMORY,
                                "out of memory for a path");
}
