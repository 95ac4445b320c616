/* tests/crash/disk.h - what a disk has after a loss of power. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_CRASH_DISK_H
#define DT_TESTS_CRASH_DISK_H

#include <stdbool.h>

#include "crash/calls.h"

/*
 * A model of a folder on a disk that keeps as little as it may.  What a program
 * sees is one tree; what is on the disk another: bytes of a file come there
 * when it is synced, names in a folder when the folder is synced.
 */
typedef struct disk disk;

disk *new_disk(void);
void free_disk(disk *model);

/* Carry out a recorded call. */
void apply_call(disk *model, const call *made);

/*
 * Write what is left after a loss of power to a real folder, which is empty:
 * bytes that were synced, under the names that were synced; or, if `names` is
 * true, under all names, as if the file system had written those early.
 */
void write_disk(const disk *model, bool names, const char *folder);

#endif
