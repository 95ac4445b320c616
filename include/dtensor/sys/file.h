/* dtensor/sys/file.h - writing files that are replaced atomically. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_FILE_H
#define DTENSOR_SYS_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * A file that is being written.  It is renamed to its path when it is complete
 * and on disk (dt_file_commit).  Until then, or after a crash, the path has the
 * previous file.  The name while it is written is path.0.tmp, or path.1.tmp and
 * so on; a file that a killed process left under such a name is removed when
 * the path is next written.  A symbolic link is replaced, not followed.  Pipes,
 * devices, and descriptors named by /dev/stdout and /dev/fd are written
 * directly.
 */
typedef struct dt_file dt_file;

/*
 * Start to write a file.
 *
 * Not collective.  The caller commits or abandons it.  The file gets the
 * permissions of the file that it replaces, or those that the umask allows.
 * DT_ERR_IO if no file can be created in the directory; `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_file_create(const char *path, dt_file **out,
                                            dt_error *error);

/*
 * Write bytes.  An error is kept until dt_file_commit, which reports it.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_file_write(dt_file *file, const void *data,
                                           size_t bytes);

/*
 * Return a stdio stream that writes to the file.
 *
 * Not collective.  Borrowed: dt_file_commit and dt_file_abandon close it.  NULL
 * if memory runs out, which dt_file_commit reports.
 */
DT_API FILE *dt_file_stream(dt_file *file);

/*
 * Complete a file: its contents are flushed to disk and it is renamed to its
 * path.
 *
 * Not collective.  The file is released in any case.  DT_ERR_IO if a write
 * failed, and the path is unchanged; `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_file_commit(dt_file *file, dt_error *error);

/*
 * Release a file without completing it; the path is unchanged.
 *
 * Not collective.  NULL is allowed.
 */
DT_API void dt_file_abandon(dt_file *file);

DT_EXTERN_C_END

#endif
