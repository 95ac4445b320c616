/* tests/crash/calls.c - calls that change files: counted, failed, recorded, or
 * the last thing that a process does. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "crash/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    char folder[PATH_MAX]; /* "": nothing is watched */
    long count;
    long at;
    call_action action;
    int reason;
    bool recording;
    call *calls;
    size_t recorded, capacity;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .at = -1};

void watch_calls(const char *folder)
{
    if (!folder || !realpath(folder, watch.folder))
        watch.folder[0] = '\0';
    watch.count = 0;
    watch.at = -1;
    watch.recording = false;
}

void act_at(long at, call_action action, int reason)
{
    watch.at = at;
    watch.action = action;
    watch.reason = reason;
}

void record_calls(void)
{
    watch.recording = true;
}

long calls_seen(void)
{
    return watch.count;
}

const call *recorded_calls(size_t *count)
{
    *count = watch.recorded;
    return watch.calls;
}

void forget_calls(void)
{
    for (size_t i = 0; i < watch.recorded; i++)
        free(watch.calls[i].data);
    free(watch.calls);
    watch.calls = NULL;
    watch.recorded = watch.capacity = 0;
}

/* ---- What a call is about
 * ----------------------------------------------------- */

/* The path of a descriptor, within the folder; false outside. */
static bool within(const char *full, char *out)
{
    const size_t length = strlen(watch.folder);
    if (!length || strncmp(full, watch.folder, length) != 0 ||
        (full[length] && full[length] != '/'))
        return false;
    snprintf(out, 256, "%.255s", full[length] ? full + length + 1 : "");
    return true;
}

static bool path_of(int descriptor, char *out)
{
    char link[64], full[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t size = readlink(link, full, sizeof full - 1);
    if (size < 0)
        return false;
    full[size] = '\0';
    return within(full, out);
}

/* The path of a name below a folder that is open, or of a relative one. */
static bool path_at(int folder, const char *name, char *out)
{
    char base[PATH_MAX], full[2 * PATH_MAX], above[PATH_MAX];
    if (name[0] != '/' && folder != AT_FDCWD) {
        if (!path_of(folder, base))
            return false;
        snprintf(out, 256, "%.120s%s%.120s", base, base[0] ? "/" : "", name);
        return true;
    }
    /* The folder of the name exists, the name may not. */
    snprintf(above, sizeof above, "%s", name);
    char *slash = strrchr(above, '/');
    if (slash)
        *slash = '\0';
    if (!realpath(slash ? (above[0] ? above : "/") : ".", base))
        return false;
    snprintf(full, sizeof full, "%s/%s", base,
             strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
    return within(full, out);
}

/* ---- Acting
 * ---------------------------------------------------------------------- */

/* Keep a copy of a call. */
static void record(const call *made, const void *data)
{
    if (watch.recorded == watch.capacity) {
        watch.capacity = watch.capacity ? 2 * watch.capacity : 64;
        watch.calls =
            realloc(watch.calls, watch.capacity * sizeof *watch.calls);
    }
    call *kept = &watch.calls[watch.recorded++];
    *kept = *made;
    if (data) {
        kept->data = malloc((size_t)made->bytes + 1);
        memcpy(kept->data, data, (size_t)made->bytes);
    }
}

/* Note a call; ACT_FAIL with errno set if it must fail.  Calls are recorded in
 * the order in which they are noted, before they are made. */
static call_action note(const call *made, const void *data)
{
    call_action action = ACT_NOTHING;
    pthread_mutex_lock(&watch.lock);
    if (watch.count++ == watch.at)
        action = watch.action;
    if (watch.recording)
        record(made, data);
    pthread_mutex_unlock(&watch.lock);
    if (action == ACT_KILL) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (action == ACT_FAIL)
        errno = watch.reason;
    return action;
}

/* Functions of the C library, and those that the linker puts in their place. */
ssize_t __real_write(int descriptor, const void *data, size_t bytes);
ssize_t __wrap_write(int descriptor, const void *data, size_t bytes);
ssize_t __real_pwrite(int descriptor, const void *data, size_t bytes,
                      off_t offset);
ssize_t __wrap_pwrite(int descriptor, const void *data, size_t bytes,
                      off_t offset);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_fdatasync(int descriptor);
int __wrap_fdatasync(int descriptor);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to);
int __real_renameat2(int a, const char *from, int b, const char *to,
                     unsigned flags);
int __wrap_renameat2(int a, const char *from, int b, const char *to,
                     unsigned flags);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_mkdirat(int folder, const char *path, mode_t mode);
int __wrap_mkdirat(int folder, const char *path, mode_t mode);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_unlinkat(int folder, const char *path, int flags);
int __wrap_unlinkat(int folder, const char *path, int flags);
int __real_ftruncate(int descriptor, off_t bytes);
int __wrap_ftruncate(int descriptor, off_t bytes);
int __real_fallocate(int descriptor, int mode, off_t offset, off_t bytes);
int __wrap_fallocate(int descriptor, int mode, off_t offset, off_t bytes);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);

/* Note a write; how many bytes may be written, -1 if it must fail. */
static ssize_t note_write(int descriptor, const void *data, size_t bytes,
                          off_t offset)
{
    call made = {
        .kind = CALL_WRITE, .offset = (long)offset, .bytes = (long)bytes};
    if (!path_of(descriptor, made.path))
        return (ssize_t)bytes;
    switch (note(&made, data)) {
    case ACT_FAIL:
        return -1;
    case ACT_SHORT:
        return (ssize_t)(bytes > 1 ? bytes / 2 : bytes);
    default:
        return (ssize_t)bytes;
    }
}

ssize_t __wrap_write(int descriptor, const void *data, size_t bytes)
{
    const off_t offset = lseek(descriptor, 0, SEEK_CUR);
    const ssize_t allowed =
        note_write(descriptor, data, bytes, offset < 0 ? 0 : offset);
    return allowed < 0 ? -1 : __real_write(descriptor, data, (size_t)allowed);
}

ssize_t __wrap_pwrite(int descriptor, const void *data, size_t bytes,
                      off_t offset)
{
    const ssize_t allowed = note_write(descriptor, data, bytes, offset);
    return allowed < 0
               ? -1
               : __real_pwrite(descriptor, data, (size_t)allowed, offset);
}

/* Note a call about a descriptor; true if it must fail. */
static bool note_open(call_kind kind, int descriptor, long bytes)
{
    call made = {.kind = kind, .bytes = bytes};
    return path_of(descriptor, made.path) && note(&made, NULL) == ACT_FAIL;
}

/* The same about a name, and the name that it gets. */
static bool note_name(call_kind kind, int folder, const char *path, int other,
                      const char *to)
{
    call made = {.kind = kind};
    if (!path_at(folder, path, made.path) ||
        (to && !path_at(other, to, made.to)))
        return false;
    return note(&made, NULL) == ACT_FAIL;
}

int __wrap_fsync(int descriptor)
{
    return note_open(CALL_SYNC, descriptor, 0) ? -1 : __real_fsync(descriptor);
}

int __wrap_fdatasync(int descriptor)
{
    return note_open(CALL_SYNC, descriptor, 0) ? -1
                                               : __real_fdatasync(descriptor);
}

int __wrap_ftruncate(int descriptor, off_t bytes)
{
    return note_open(CALL_SIZE, descriptor, (long)bytes)
               ? -1
               : __real_ftruncate(descriptor, bytes);
}

int __wrap_fallocate(int descriptor, int mode, off_t offset, off_t bytes)
{
    return note_open(CALL_SIZE, descriptor, (long)(offset + bytes))
               ? -1
               : __real_fallocate(descriptor, mode, offset, bytes);
}

int __wrap_rename(const char *from, const char *to)
{
    return note_name(CALL_RENAME, AT_FDCWD, from, AT_FDCWD, to)
               ? -1
               : __real_rename(from, to);
}

int __wrap_renameat(int a, const char *from, int b, const char *to)
{
    return note_name(CALL_RENAME, a, from, b, to)
               ? -1
               : __real_renameat(a, from, b, to);
}

int __wrap_renameat2(int a, const char *from, int b, const char *to,
                     unsigned flags)
{
    return note_name(flags ? CALL_EXCHANGE : CALL_RENAME, a, from, b, to)
               ? -1
               : __real_renameat2(a, from, b, to, flags);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    return note_name(CALL_MKDIR, AT_FDCWD, path, 0, NULL)
               ? -1
               : __real_mkdir(path, mode);
}

int __wrap_mkdirat(int folder, const char *path, mode_t mode)
{
    return note_name(CALL_MKDIR, folder, path, 0, NULL)
               ? -1
               : __real_mkdirat(folder, path, mode);
}

int __wrap_unlink(const char *path)
{
    return note_name(CALL_REMOVE, AT_FDCWD, path, 0, NULL)
               ? -1
               : __real_unlink(path);
}

int __wrap_unlinkat(int folder, const char *path, int flags)
{
    return note_name(CALL_REMOVE, folder, path, 0, NULL)
               ? -1
               : __real_unlinkat(folder, path, flags);
}

/* The mode of an open, which is there if a file may be created. */
static mode_t mode_of(int flags, va_list list)
{
    return flags & O_CREAT ? (mode_t)va_arg(list, unsigned) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_of(flags, list);
    va_end(list);
    if ((flags & O_CREAT) && note_name(CALL_CREATE, AT_FDCWD, path, 0, NULL))
        return -1;
    return __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_of(flags, list);
    va_end(list);
    if ((flags & O_CREAT) && note_name(CALL_CREATE, folder, path, 0, NULL))
        return -1;
    return __real_openat(folder, path, flags, mode);
}
