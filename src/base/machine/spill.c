/* base/machine/spill.c - a temporary file for bytes that memory lacks space
 * for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

typedef struct range {
    int64_t offset;
    size_t bytes;
} range;

struct dti_spill {
    int descriptor;
    int64_t end;    /* of what was ever written since the file was empty */
    int64_t in_use; /* ranges */
    range *free;    /* in no order */
    size_t free_count, free_capacity;
    char folder[]; /* for messages */
};

static dt_status fail_io(dt_error *error, const char *folder, int reason,
                         const char *doing)
{
    return dti_error_set(error, reason == ENOMEM ? DT_ERR_NO_MEMORY : DT_ERR_IO,
                         "%s: %s while %s a temporary file", folder,
                         strerror(reason), doing);
}

dt_status dti_spill_open(const char *folder, dti_spill **out, dt_error *error)
{
    char path[PATH_MAX];
    const size_t length = strlen(folder);
    if ((size_t)snprintf(path, sizeof path, "%s/dtensor-XXXXXX", folder) >=
        sizeof path)
        return fail_io(error, folder, ENAMETOOLONG, "creating");
    dti_spill *spill = calloc(1, sizeof *spill + length + 1);
    if (!spill)
        return fail_io(error, folder, ENOMEM, "creating");
    memcpy(spill->folder, folder, length + 1);
    spill->descriptor = mkostemp(path, O_CLOEXEC);
    if (spill->descriptor < 0 || unlink(path) != 0) {
        const int reason = errno;
        dti_spill_close(spill);
        return fail_io(error, folder, reason, "creating");
    }
    *out = spill;
    return DT_OK;
}

void dti_spill_close(dti_spill *spill)
{
    if (!spill)
        return;
    if (spill->descriptor >= 0)
        close(spill->descriptor);
    free(spill->free);
    free(spill);
}

/* ---- Ranges ------------------------------------------------------------- */

/* Take a free range of a size, or one at the end. */
static int64_t take_range(dti_spill *spill, size_t bytes)
{
    for (size_t i = 0; i < spill->free_count; i++) {
        if (spill->free[i].bytes != bytes)
            continue;
        const int64_t offset = spill->free[i].offset;
        spill->free[i] = spill->free[--spill->free_count];
        return offset;
    }
    spill->end += (int64_t)bytes;
    return spill->end - (int64_t)bytes;
}

/* Without memory for the list the range is not used again until the file is
 * empty. */
static void keep_free(dti_spill *spill, range one)
{
    if (spill->free_count == spill->free_capacity) {
        const size_t capacity = 2 * spill->free_capacity + 16;
        range *more = realloc(spill->free, capacity * sizeof *more);
        if (!more)
            return;
        spill->free = more;
        spill->free_capacity = capacity;
    }
    spill->free[spill->free_count++] = one;
}

void dti_spill_free(dti_spill *spill, int64_t offset, size_t bytes)
{
    keep_free(spill, (range){offset, bytes});
    if (--spill->in_use > 0 || ftruncate(spill->descriptor, 0) != 0)
        return;
    spill->end = 0;
    spill->free_count = 0;
}

/* ---- Bytes -------------------------------------------------------------- */

/* Move all bytes; errno tells why that failed.  A file that ends early is
 * EIO. */
static bool move_bytes(int descriptor, char *data, size_t bytes, int64_t offset,
                       bool writes)
{
    while (bytes > 0) {
        const ssize_t moved =
            writes ? pwrite(descriptor, data, bytes, (off_t)offset)
                   : pread(descriptor, data, bytes, (off_t)offset);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved == 0)
            errno = EIO;
        if (moved <= 0)
            return false;
        data += moved;
        offset += moved;
        bytes -= (size_t)moved;
    }
    return true;
}

dt_status dti_spill_write(dti_spill *spill, const void *data, size_t bytes,
                          int64_t *offset, dt_error *error)
{
    char *from = (char *)(uintptr_t)data;
    *offset = take_range(spill, bytes);
    spill->in_use++;
    if (move_bytes(spill->descriptor, from, bytes, *offset, true))
        return DT_OK;
    const int reason = errno;
    dti_spill_free(spill, *offset, bytes);
    return fail_io(error, spill->folder, reason, "writing");
}

dt_status dti_spill_read(const dti_spill *spill, int64_t offset, void *data,
                         size_t bytes, dt_error *error)
{
    if (move_bytes(spill->descriptor, data, bytes, offset, false))
        return DT_OK;
    return fail_io(error, spill->folder, errno, "reading");
}
