/* base/machine/file.c - files that are replaced as a whole or not at all. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/file.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/*
 * A regular file is written under a name of its own in the same folder, synced,
 * and renamed; then the folder is synced.  At no time does the path name half a
 * file.  What is no regular file cannot be replaced and is opened itself.
 *
 * The name is path.0.tmp, or path.1.tmp if another process writes the same path
 * at that time, and so on.  A writer locks its file (flock) until it is renamed
 * or removed.  The lock ends with the process, however that ends: a file that
 * can be locked was left by a process that was killed, and the next writer of
 * the path removes it.
 *
 * A name is only removed by the process that has locked its file.  A writer
 * creates first and locks then; in between another process may lock its file
 * and remove it as one that was left.  So a writer that cannot lock its file,
 * or whose file has no name any more, creates another one.
 */
struct dt_file {
    int descriptor;
    int reason;   /* errno of the first failure; 0: none */
    FILE *stream; /* NULL until someone asks for it */
    char *path;
    char *beside; /* the name while it is written; NULL: written directly */
};

static dt_status fail_io(dt_error *error, const char *path, int reason,
                         const char *doing)
{
    return dti_error_set(error, reason == ENOMEM ? DT_ERR_NO_MEMORY : DT_ERR_IO,
                         "%s: %s while %s", path, strerror(reason), doing);
}

/* ---- What a path names --------------------------------------------------- */

/* Copy the folder of a path, which may be relative. */
static void folder_of(const char *path, char *out)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(out, ".");
    else if (slash == path)
        strcpy(out, "/");
    else
        snprintf(out, PATH_MAX, "%.*s", (int)(slash - path), path);
}

/* Tell whether a path names a descriptor of a process: /proc/self/fd/1. */
static bool is_descriptor(const char *path)
{
    char folder[PATH_MAX], found[PATH_MAX];
    folder_of(path, folder);
    return realpath(folder, found) && strncmp(found, "/proc/", 6) == 0;
}

/* Tell whether a path is written directly: it names a pipe or a device, or a
 * descriptor as /dev/stdout does.  Other links are replaced. */
static bool is_direct(const char *path, const struct stat *found)
{
    char target[PATH_MAX];
    if (is_descriptor(path))
        return true;
    if (!S_ISLNK(found->st_mode))
        return !S_ISREG(found->st_mode);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return false;
    target[length] = '\0';
    return target[0] == '/' && is_descriptor(target);
}

/* ---- Opening ------------------------------------------------------------- */

enum {
    most_beside = 1000, /* files that are written at once for one path */
    swept_beside = 16 /* names of these where files that were left are sought */
};

/* Tell whether a descriptor is of the file that a name has, and that is a
 * regular one of this user. */
static bool is_own(int descriptor, const char *name)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(name, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
           S_ISREG(opened.st_mode) && opened.st_uid == geteuid();
}

/* Remove a file that a killed process left under a name. */
static void remove_left(const char *name)
{
    struct stat found;
    if (lstat(name, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    const int left = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (left < 0)
        return;
    if (flock(left, LOCK_EX | LOCK_NB) == 0 && is_own(left, name))
        unlink(name);
    close(left);
}

/* Create a file under a name and lock it.  -1 with EEXIST if the name is taken,
 * or if another process has locked the file to remove it.  Where files cannot
 * be locked, none is ever removed. */
static int create_locked(const char *name)
{
    const int made =
        open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    struct stat found;
    if (made < 0)
        return -1;
    const bool taken =
        flock(made, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && fstat(made, &found) == 0 && found.st_nlink > 0)
        return made;
    close(made);
    errno = EEXIST;
    return -1;
}

/* Create a file beside the path, under a name that no other has. */
static int create_beside(dt_file *file)
{
    const size_t size = strlen(file->path) + 64;
    char *name = malloc(size);
    int made = -1;
    file->beside = malloc(size);
    if (!file->beside || !name)
        goto done;
    for (int i = 0; i < swept_beside; i++) {
        snprintf(name, size, "%s.%d.tmp", file->path, i);
        remove_left(name);
    }
    for (int i = 0; i < most_beside && made < 0; i++) {
        snprintf(file->beside, size, "%s.%d.tmp", file->path, i);
        made = create_locked(file->beside);
        if (made < 0 && errno != EEXIST)
            break;
    }
done:
    free(name);
    return made;
}

static dt_status open_file(dt_file *file, dt_error *error)
{
    struct stat found;
    const char *path = file->path;
    const bool exists = lstat(path, &found) == 0;
    if (exists && S_ISDIR(found.st_mode))
        return fail_io(error, path, EISDIR, "creating it");
    if (exists && is_direct(path, &found)) {
        file->descriptor =
            open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
        return file->descriptor >= 0
                   ? DT_OK
                   : fail_io(error, path, errno, "opening it");
    }
    file->descriptor = create_beside(file);
    if (file->descriptor < 0)
        return fail_io(error, path, errno,
                       "creating a temporary file in its directory");
    if (exists && S_ISREG(found.st_mode) &&
        fchmod(file->descriptor, found.st_mode & 0777) != 0)
        file->reason = errno;
    return DT_OK;
}

static void release(dt_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    free(file->beside);
    free(file);
}

dt_status dt_file_create(const char *path, dt_file **out, dt_error *error)
{
    if (!path || !*path)
        return dti_error_set(error, DT_ERR_INVALID,
                             "cannot write a file: the path is empty");
    if (strlen(path) >= PATH_MAX)
        return fail_io(error, path, ENAMETOOLONG, "creating it");
    dt_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for a file");
    }
    file->descriptor = -1;
    const dt_status status = open_file(file, error);
    if (status == DT_OK)
        *out = file;
    else
        release(file);
    return status;
}

/* ---- Writing ------------------------------------------------------------- */

dt_status dt_file_write(dt_file *file, const void *data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes && !file->reason) {
        const ssize_t part =
            write(file->descriptor, (const char *)data + done, bytes - done);
        if (part > 0)
            done += (size_t)part;
        else if (part == 0)
            file->reason = EIO;
        else if (errno != EINTR)
            file->reason = errno;
    }
    return file->reason ? DT_ERR_IO : DT_OK;
}

static ssize_t write_cookie(void *cookie, const char *data, size_t bytes)
{
    return dt_file_write(cookie, data, bytes) == DT_OK ? (ssize_t)bytes : -1;
}

FILE *dt_file_stream(dt_file *file)
{
    const cookie_io_functions_t functions = {.write = write_cookie};
    if (!file->stream)
        file->stream = fopencookie(file, "w", functions);
    if (!file->stream && !file->reason)
        file->reason = ENOMEM;
    return file->stream;
}

/* ---- Completing ---------------------------------------------------------- */

/* Sync what can be synced: pipes and some file systems cannot. */
static bool sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ||
           errno == ENOTSUP;
}

/* A rename is on the disk when its folder is. */
static bool sync_folder(const char *path)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == EACCES; /* one that may be written but not read */
    const bool good = sync_descriptor(descriptor);
    const int reason = errno;
    close(descriptor);
    errno = reason;
    return good;
}

/* Flush; the first failure of all goes to `reason`.  What is written directly
 * is closed, which may fail too; a file beside stays locked until it is
 * renamed, and what it holds is on the disk. */
static void flush_file(dt_file *file)
{
    if (file->stream && fclose(file->stream) != 0 && !file->reason)
        file->reason = errno ? errno : EIO;
    file->stream = NULL;
    if (file->beside) {
        if (!file->reason && !sync_descriptor(file->descriptor))
            file->reason = errno;
        return;
    }
    if (close(file->descriptor) != 0 && !file->reason)
        file->reason = errno;
    file->descriptor = -1;
}

dt_status dt_file_commit(dt_file *file, dt_error *error)
{
    const char *doing = "writing it";
    flush_file(file);
    if (file->beside && !file->reason) {
        doing = "replacing it";
        if (rename(file->beside, file->path) != 0) {
            file->reason = errno;
        } else {
            free(file->beside);
            file->beside = NULL;
            file->reason = sync_folder(file->path) ? 0 : errno;
        }
    }
    dt_status status = DT_OK;
    if (file->reason)
        status = fail_io(error, file->path, file->reason, doing);
    dt_file_abandon(file);
    return status;
}

void dt_file_abandon(dt_file *file)
{
    if (!file)
        return;
    if (file->beside)
        unlink(file->beside);
    release(file);
}
