/* tests/support/folders.c - folders for files that tests write. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/folders.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Let all ranks have a text of rank 0. */
static void share(dt_world *world, char *text)
{
    dt_array *array = NULL;
    CHECK_OK(world,
             dt_array_create(world, DT_U8, DT_SHAPE(FOLDER_SIZE), &array));
    memcpy(dt_array_data(array), text, FOLDER_SIZE);
    CHECK_OK(world, dt_group_broadcast(dt_world_group(world), 0, array));
    memcpy(text, dt_array_const_data(array), FOLDER_SIZE);
    dt_array_release(array);
}

/* Make a folder in a place. */
static void make_in(dt_world *world, const char *place, char *path)
{
    memset(path, 0, FOLDER_SIZE);
    if (dt_world_rank(world) == 0) {
        /* Not dtensor...: tests of launchers count such names in /dev/shm. */
        snprintf(path, FOLDER_SIZE, "%s/test-dtensor-XXXXXX", place);
        CHECK(mkdtemp(path) != NULL);
    }
    share(world, path);
}

void make_folder(dt_world *world, char *path)
{
    make_in(world, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", path);
}

void make_disk_folder(dt_world *world, char *path)
{
    make_in(world, getenv("TMPDIR") ? getenv("TMPDIR") : ".", path);
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void remove_folder(dt_world *world, const char *path)
{
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    if (dt_world_rank(world) == 0)
        remove_tree(path);
}

int count_names(const char *path, const char *prefix)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int count = 0;
    if (!folder)
        return -1;
    while ((entry = readdir(folder)))
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
                 strcmp(entry->d_name, ".") != 0 &&
                 strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}
