/* dtensor/sys/file.h - files that are replaced as a whole or not at all. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_FILE_H
#define DTENSOR_SYS_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * A file that is being written.  It gets its name when it is complete and on
 * the disk (dt_file_commit): whoever opens the path meanwhile, or after a
 * crash, finds what was there before.  A symbolic link is replaced, not
 * followed.  Pipes, devices, and the descriptors that /dev/stdout and /dev/fd
 * name are written directly.
 */
typedef struct dt_file dt_file;

/*
 * Begin to write a file.
 *
 * Not collective.  The caller commits or abandons it.  The file gets the
 * permissions of the one that it replaces, or those that the umask leaves.
 * DT_ERR_IO if nothing can be created beside the path; `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_file_create(const char *path, dt_file **out,
                                            dt_error *error);

/*
 * Write bytes.  A failure is remembered until dt_file_commit, which names it.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_file_write(dt_file *file, const void *data,
                                           size_t bytes);

/*
 * Give a stream that writes to the file, for fprintf.
 *
 * Not collective.  Borrowed: committing or abandoning the file closes it.  NULL
 * without memory, which dt_file_commit reports.
 */
DT_API FILE *dt_file_stream(dt_file *file);

/*
 * Complete a file: all that was written is on the disk, under the file's name.
 *
 * Not collective.  The file is released in any case.  DT_ERR_IO, and nothing is
 * left of it, if something could not be written; `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_file_commit(dt_file *file, dt_error *error);

/*
 * Release a file without completing it: nothing is left of it.
 *
 * Not collective.  NULL is allowed.
 */
DT_API void dt_file_abandon(dt_file *file);

DT_EXTERN_C_END

#endif
