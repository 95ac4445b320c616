/* base/machine/spill.h - a temporary file for bytes that memory lacks space
 * for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_SPILL_H
#define DTI_BASE_MACHINE_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>

/*
 * A file without a name: it is gone when it is closed, however the process
 * ends.  Ranges of it are written, read any number of times, and freed.  A free
 * range is used again for as many bytes; when no range is left, the file is cut
 * to nothing.  Used by one thread at a time.
 */
typedef struct dti_spill dti_spill;

/* Open a file in a folder.  DT_ERR_IO if that cannot be. */
dt_status dti_spill_open(const char *folder, dti_spill **out, dt_error *error);

/* NULL is allowed. */
void dti_spill_close(dti_spill *spill);

/* Write bytes; `offset` receives where they are. */
dt_status dti_spill_write(dti_spill *spill, const void *data, size_t bytes,
                          int64_t *offset, dt_error *error);

dt_status dti_spill_read(const dti_spill *spill, int64_t offset, void *data,
                         size_t bytes, dt_error *error);

/* Free a range that was written. */
void dti_spill_free(dti_spill *spill, int64_t offset, size_t bytes);

#endif
