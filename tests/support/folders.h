/* tests/support/folders.h - folders for files that tests write. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_FOLDERS_H
#define DT_TESTS_FOLDERS_H

#include "support/check.h"

enum { FOLDER_SIZE = 128 };

/* Make a folder of its own for a test, in memory where the system has such a
 * place; all ranks get its path.  Collective. */
void make_folder(dt_world *world, char *path);

/* The same on a disk, as far as that is known: in TMPDIR, or the working
 * directory. */
void make_disk_folder(dt_world *world, char *path);

/* Remove it with all that is in it.  Collective. */
void remove_folder(dt_world *world, const char *path);

/* Remove a folder with all that is in it. */
void remove_tree(const char *path);

/* Count the names in a folder that begin so. */
int count_names(const char *path, const char *prefix);

#endif
