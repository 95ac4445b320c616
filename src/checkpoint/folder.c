/* checkpoint/folder.c - the folder of a save: locked, filled, renamed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <dtensor/sys/file.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/list.h"
#include "checkpoint/open.h"

static const char step_prefix[] = "step_";
static const char unfinished[] = ".tmp";

enum { step_digits = 8, name_size = 64 };

/* ---- Names
 * ---------------------------------------------------------------------- */

int64_t dti_step_of(const char *name)
{
    const size_t prefix = sizeof step_prefix - 1;
    int64_t step = 0;
    if (strncmp(name, step_prefix, prefix) != 0 ||
        strlen(name) < prefix + step_digits)
        return -1;
    for (const char *c = name + prefix; *c; c++) {
        if (!dti_is_digit(*c) || step > (INT64_MAX - 9) / 10)
            return -1;
        step = step * 10 + (*c - '0');
    }
    return step;
}

void dti_step_name(int64_t step, char *out, size_t size)
{
    snprintf(out, size, "%s%0*" PRId64, step_prefix, step_digits, step);
}

/* The name of a folder that is being made or removed. */
static void temporary_name(int64_t step, char *out, size_t size)
{
    snprintf(out, size, "%s%0*" PRId64 "%s", step_prefix, step_digits, step,
             unfinished);
}

dt_status dti_folder_path(const char *root, int64_t step, char *out,
                          size_t size, dt_error *error)
{
    char name[name_size];
    temporary_name(step, name, sizeof name);
    const int length = snprintf(out, size, "%s/%s", root, name);
    return length > 0 && (size_t)length + 64 < size
               ? DT_OK
               : dti_error_set(error, DT_ERR_INVALID,
                               "the path " DTI_QUOTED " is too long", root);
}

/* ---- Syncing and removing
 * -------------------------------------------------------- */

/* Sync a descriptor; some file systems cannot sync folders. */
static bool sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* Sync a folder below the root. */
static dt_status sync_folder(const dti_folder *folder, const char *name,
                             dt_error *error)
{
    const int opened =
        openat(folder->root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dt_status status = DT_OK;
    if (opened < 0 || !sync_descriptor(opened))
        status = dti_fail_file(error, folder->path, "syncing a folder in it");
    if (opened >= 0)
        close(opened);
    return status;
}

/* Remove a folder below the root with its files; false if something is left. */
static bool remove_folder(const dti_folder *folder, const char *name)
{
    const int opened = openat(folder->root, name,
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = opened >= 0 ? fdopendir(opened) : NULL;
    const struct dirent *entry;
    if (!list) {
        if (opened >= 0)
            close(opened);
        return false;
    }
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(opened, entry->d_name, 0);
    closedir(list);
    return unlinkat(folder->root, name, AT_REMOVEDIR) == 0;
}

/* Tell whether a name is that of a folder which is no checkpoint yet, or no
 * more. */
static bool is_unfinished(const char *name)
{
    char stem[name_size];
    const size_t length = strlen(name), tail = sizeof unfinished - 1;
    if (length <= tail || length >= sizeof stem ||
        strcmp(name + length - tail, unfinished) != 0)
        return false;
    memcpy(stem, name, length - tail);
    stem[length - tail] = '\0';
    return dti_step_of(stem) >= 0;
}

/* Call a function for every name in the root. */
static dt_status each_name(dti_folder *folder,
                           void (*call)(dti_folder *folder, const char *name,
                                        void *arg),
                           void *arg, dt_error *error)
{
    DIR *list = opendir(folder->path);
    const struct dirent *entry;
    if (!list)
        return dti_fail_file(error, folder->path, "listing it");
    while ((entry = readdir(list)))
        call(folder, entry->d_name, arg);
    closedir(list);
    return DT_OK;
}

static void sweep(dti_folder *folder, const char *name, void *arg)
{
    (void)arg;
    if (is_unfinished(name))
        remove_folder(folder, name);
}

/* ---- Beginning
 * ------------------------------------------------------------------- */

/* Make the root if there is none; its name is then on disk. */
static dt_status make_root(const char *path, dt_error *error)
{
    char parent[PATH_MAX];
    if (mkdir(path, 0777) != 0)
        return errno == EEXIST ? DT_OK
                               : dti_fail_file(error, path, "creating it");
    snprintf(parent, sizeof parent, "%s/..", path);
    const int opened = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dt_status status = DT_OK;
    if (opened >= 0 && !sync_descriptor(opened))
        status = dti_fail_file(error, path, "syncing its parent");
    if (opened >= 0)
        close(opened);
    return status;
}

static dt_status lock_root(dti_folder *folder, dt_error *error)
{
    folder->root = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->root < 0)
        return dti_fail_file(error, folder->path, "opening it");
    if (flock(folder->root, LOCK_EX | LOCK_NB) == 0 || errno == ENOTSUP ||
        errno == ENOLCK)
        return DT_OK;
    if (errno == EWOULDBLOCK)
        return dti_error_set(error, DT_ERR_INVALID,
                             "%s: another save is under way in this folder",
                             folder->path);
    return dti_fail_file(error, folder->path, "locking it");
}

static dt_status check_step(const dti_folder *folder, dt_error *error)
{
    char name[name_size];
    struct stat found;
    dti_step_name(folder->step, name, sizeof name);
    if (folder->overwrite || fstatat(folder->root, name, &found, 0) != 0)
        return DT_OK;
    return dti_error_set(error, DT_ERR_INVALID,
                         "%s/%s exists; set the option overwrite to replace "
                         "it, or save another step",
                         folder->path, name);
}

dt_status dti_folder_begin(dti_folder *folder, const char *path, int64_t step,
                           bool overwrite, int keep, dt_error *error)
{
    char name[name_size];
    *folder = (dti_folder){
        .root = -1, .step = step, .overwrite = overwrite, .keep = keep};
    snprintf(folder->path, sizeof folder->path, "%s", path);
    DTI_TRY(make_root(path, error));
    dt_status status = lock_root(folder, error);
    if (status == DT_OK)
        status = check_step(folder, error);
    if (status == DT_OK)
        status = each_name(folder, sweep, NULL, error);
    temporary_name(step, name, sizeof name);
    if (status == DT_OK && mkdirat(folder->root, name, 0777) != 0)
        status = dti_fail_file(error, folder->path, "creating a folder in it");
    folder->made = status == DT_OK;
    if (status != DT_OK)
        dti_folder_end(folder);
    return status;
}

/* ---- Files
 * ----------------------------------------------------------------------- */

/* Open a file of the checkpoint that is being made. */
static int open_file(const dti_folder *folder, const char *name, int flags)
{
    char path[name_size + 256], stem[name_size];
    temporary_name(folder->step, stem, sizeof stem);
    snprintf(path, sizeof path, "%s/%s", stem, name);
    return openat(folder->root, path, flags | O_CLOEXEC, 0666);
}

static dt_status fail_name(const dti_folder *folder, const char *name,
                           const char *doing, dt_error *error)
{
    const int reason = errno;
    char path[PATH_MAX + 512], stem[name_size];
    temporary_name(folder->step, stem, sizeof stem);
    snprintf(path, sizeof path, "%s/%s/%s", folder->path, stem, name);
    errno = reason;
    return dti_fail_file(error, path, doing);
}

bool dti_is_in_memory(const char *path)
{
    struct statfs system;
    return statfs(path, &system) == 0 &&
           ((uint64_t)system.f_type == TMPFS_MAGIC ||
            (uint64_t)system.f_type == RAMFS_MAGIC);
}

/* Give a file its size: blocks that are allocated now cannot run out later, and
 * are written faster.  Memory would be cleared for nothing. */
static bool extend(const dti_folder *folder, int descriptor, uint64_t bytes)
{
    if (bytes > 0 && !dti_is_in_memory(folder->path)) {
        if (fallocate(descriptor, 0, 0, (off_t)bytes) == 0)
            return true;
        if (errno != EOPNOTSUPP && errno != ENOSYS)
            return false;
    }
    return ftruncate(descriptor, (off_t)bytes) == 0;
}

dt_status dti_folder_make_file(const dti_folder *folder, const char *name,
                               uint64_t bytes, dt_error *error)
{
    const int made = open_file(folder, name, O_WRONLY | O_CREAT | O_EXCL);
    dt_status status = DT_OK;
    if (made < 0)
        return fail_name(folder, name, "creating it", error);
    if (!extend(folder, made, bytes))
        status = fail_name(folder, name, "giving it its size", error);
    if (close(made) != 0 && status == DT_OK)
        status = fail_name(folder, name, "closing it", error);
    return status;
}

dt_status dti_folder_write_file(const dti_folder *folder, const char *name,
                                const void *data, size_t bytes, dt_error *error)
{
    const int to = open_file(folder, name, O_WRONLY | O_CREAT | O_EXCL);
    size_t done = 0;
    dt_status status = DT_OK;
    if (to < 0)
        return fail_name(folder, name, "creating it", error);
    while (done < bytes && status == DT_OK) {
        const ssize_t part = write(to, (const char *)data + done, bytes - done);
        if (part > 0)
            done += (size_t)part;
        else if (part == 0 || errno != EINTR)
            status = fail_name(folder, name, "writing it", error);
    }
    if (status == DT_OK && fsync(to) != 0)
        status = fail_name(folder, name, "syncing it", error);
    if (close(to) != 0 && status == DT_OK)
        status = fail_name(folder, name, "closing it", error);
    return status;
}

/* ---- Committing
 * ------------------------------------------------------------------ */

/* Give the folder its name.  One that is there is exchanged, in one step, and
 * removed under the other name. */
static dt_status rename_folder(dti_folder *folder, dt_error *error)
{
    char from[name_size], to[name_size];
    struct stat found;
    temporary_name(folder->step, from, sizeof from);
    dti_step_name(folder->step, to, sizeof to);
    const bool exists = fstatat(folder->root, to, &found, 0) == 0;
    if (renameat2(folder->root, from, folder->root, to,
                  exists ? RENAME_EXCHANGE : 0) != 0)
        return dti_fail_file(error, folder->path,
                             exists ? "exchanging a checkpoint for a new one"
                                    : "renaming a checkpoint");
    folder->made = exists;
    return DT_OK;
}

static dt_status write_latest(const dti_folder *folder, dt_error *error)
{
    char path[PATH_MAX + 16], name[name_size];
    dt_file *file = NULL;
    dti_step_name(folder->step, name, sizeof name);
    strcat(name, "\n");
    snprintf(path, sizeof path, "%s/%s", folder->path, DTI_LATEST_NAME);
    DTI_TRY(dt_file_create(path, &file, error));
    DT_IGNORE(dt_file_write(file, name, strlen(name)));
    return dt_file_commit(file, error);
}

/* Steps that exist. */
typedef struct step_list {
    int64_t *steps;
    size_t count, capacity;
} step_list;

static void note_step(dti_folder *folder, const char *name, void *arg)
{
    step_list *list = arg;
    const int64_t step = dti_step_of(name);
    (void)folder;
    if (step >= 0 && dti_list_reserve(&list->steps, list->count,
                                      &list->capacity, sizeof *list->steps))
        list->steps[list->count++] = step;
}

static int compare_steps(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Remove all but the newest checkpoints.  Each gets another name first: what
 * has its name is complete. */
static dt_status remove_older(dti_folder *folder, dt_error *error)
{
    step_list list = {0};
    char name[name_size], other[name_size];
    if (folder->keep <= 0)
        return DT_OK;
    dt_status status = each_name(folder, note_step, &list, error);
    if (list.count)
        qsort(list.steps, list.count, sizeof *list.steps, compare_steps);
    for (size_t i = (size_t)folder->keep; status == DT_OK && i < list.count;
         i++) {
        if (list.steps[i] == folder->step)
            continue;
        dti_step_name(list.steps[i], name, sizeof name);
        temporary_name(list.steps[i], other, sizeof other);
        if (renameat(folder->root, name, folder->root, other) != 0)
            status = dti_fail_file(error, folder->path,
                                   "renaming an old checkpoint");
        else
            status = sync_folder(folder, ".", error);
        if (status == DT_OK)
            remove_folder(folder, other);
    }
    free(list.steps);
    return status;
}

dt_status dti_folder_commit(dti_folder *folder, dt_error *error)
{
    char name[name_size];
    temporary_name(folder->step, name, sizeof name);
    DTI_TRY(sync_folder(folder, name, error));
    DTI_TRY(rename_folder(folder, error));
    DTI_TRY(sync_folder(folder, ".", error));
    DTI_TRY(write_latest(folder, error));
    return remove_older(folder, error);
}

void dti_folder_end(dti_folder *folder)
{
    char name[name_size];
    if (folder->made) {
        temporary_name(folder->step, name, sizeof name);
        remove_folder(folder, name);
    }
    folder->made = false;
    if (folder->root >= 0)
        close(folder->root);
    folder->root = -1;
}
