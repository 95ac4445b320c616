/* checkpoint/folder.h - the folder of a save: locked, filled, renamed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_FOLDER_H
#define DTI_CHECKPOINT_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>

#define DTI_LATEST_NAME "latest"

/* Return the step of a folder's name, "step_" and at least eight digits; -1 for
 * other names. */
int64_t dti_step_of(const char *name);

void dti_step_name(int64_t step, char *out, size_t size);

/* Write the path of the folder in which a checkpoint is made. */
dt_status dti_folder_path(const char *root, int64_t step, char *out,
                          size_t size, dt_error *error);

/* Tell whether files of a folder are in memory: on tmpfs. */
bool dti_is_in_memory(const char *path);

/*
 * A checkpoint is made in the folder step_N.tmp and renamed when everything in
 * it is on disk.  Folders of that form are of saves that failed or were killed,
 * and are removed by the next save.  Who saves has locked the folder around it
 * (flock), which ends with the process: nobody else makes or removes anything
 * there.  Only rank 0 calls these functions.
 */
typedef struct dti_folder {
    int root;            /* descriptor, locked */
    char path[PATH_MAX]; /* of the folder around all checkpoints */
    int64_t step;
    bool made;      /* step_N.tmp exists */
    bool overwrite; /* a checkpoint of this step */
    int keep;
} dti_folder;

/* Lock, remove what was left, make step_N.tmp. */
dt_status dti_folder_begin(dti_folder *folder, const char *path, int64_t step,
                           bool overwrite, int keep, dt_error *error);

/* Make an empty file of a size. */
dt_status dti_folder_make_file(const dti_folder *folder, const char *name,
                               uint64_t bytes, dt_error *error);

/* Write a small file, and sync it. */
dt_status dti_folder_write_file(const dti_folder *folder, const char *name,
                                const void *data, size_t bytes,
                                dt_error *error);

/* Make the checkpoint appear: sync, rename, sync; then point `latest` to it and
 * remove older ones. */
dt_status dti_folder_commit(dti_folder *folder, dt_error *error);

/* Remove step_N.tmp, if it exists, and unlock. */
void dti_folder_end(dti_folder *folder);

#endif
