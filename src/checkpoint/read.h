/* checkpoint/read.h - bytes of the files of a checkpoint. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_READ_H
#define DTI_CHECKPOINT_READ_H

#include "checkpoint/open.h"

/* Bytes that are read at once, at most. */
enum { DTI_READ_MOST = 8 << 20 };

/*
 * Find bytes of a file, at most DTI_READ_MOST: in the page cache, where the
 * file is mapped, or read into memory of the checkpoint.  They stay until the
 * next call.
 *
 * Reading what is not in the cache through the mapping would end the process if
 * the disk fails (SIGBUS), and is slow for the first who does: such bytes are
 * read in large requests instead, whose failure is an error.
 */
dt_status dti_fetch(dt_saved *checkpoint, size_t file, uint64_t offset,
                    size_t bytes, const char **out, dt_error *error);

/* Read bytes of a file to where they are wanted. */
dt_status dti_read_into(const dt_saved *checkpoint, size_t file,
                        uint64_t offset, size_t bytes, void *out,
                        dt_error *error);

/* Tell whether bytes of a file, at most DTI_READ_MOST, are in the page cache.
 */
bool dti_is_cached(dt_saved *checkpoint, size_t file, uint64_t offset,
                   size_t bytes);

#endif
