/* checkpoint/verify.c - comparing a checkpoint with its checksums. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/read.h"
#include "checkpoint/sum.h"

/* A verification under way. */
typedef struct verification {
    dt_saved *checkpoint;
    dti_share share;
    int64_t turn; /* ranges so far */
    dt_saved_progress progress;
    void *arg;
    uint64_t done, total;
    uint64_t checked;
} verification;

static dt_status report(verification *at, dt_error *error)
{
    if (at->progress && !at->progress(at->arg, at->done, at->total))
        return dti_error_set(error, DT_ERR_INVALID, "the call was ended");
    return DT_OK;
}

/* Compare a range of a file with its sum; of one that has none the bytes are
 * read. */
static dt_status check_range(verification *at, size_t file, uint64_t offset,
                             uint64_t bytes, const uint64_t *hash,
                             const char *what, dt_error *error)
{
    const char *data = NULL;
    at->done += bytes;
    if (at->turn++ % at->share.count != at->share.number)
        return DT_OK;
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t left = bytes - done;
        const size_t part =
            (size_t)(left < DTI_READ_MOST ? left : DTI_READ_MOST);
        DTI_TRY(
            dti_fetch(at->checkpoint, file, offset + done, part, &data, error));
        done += part;
        if (hash && (part != bytes || dti_sum_of(data, part) != *hash))
            return dti_error_set(
                error, DT_ERR_FORMAT,
                "%s: %s: bytes %" PRIu64 " to %" PRIu64
                " do not have the checksum that was saved: the file is damaged",
                at->checkpoint->files[file].path, what, offset, offset + bytes);
    }
    if (hash)
        at->checked += bytes;
    return report(at, error);
}

static dt_status check_header(verification *at, size_t number, dt_error *error)
{
    const dt_saved *checkpoint = at->checkpoint;
    const dti_open_file *file = &checkpoint->files[number];
    const uint64_t *hash = NULL;
    for (size_t i = 0; i < checkpoint->manifest.file_count; i++)
        if (strcmp(checkpoint->manifest.files[i].name, file->name) == 0)
            hash = &checkpoint->manifest.files[i].header;
    if (file->data <= DTI_READ_MOST)
        return check_range(at, number, 0, file->data, hash, "header", error);
    /* A sum is of one range of memory. */
    if (at->turn++ % at->share.count != at->share.number)
        return DT_OK;
    dti_header header = {0};
    uint64_t bytes, found;
    DTI_TRY(dti_read_header(file->descriptor, file->path, &bytes, &found,
                            &header, error));
    dti_header_free(&header);
    at->done += file->data;
    at->checked += hash ? file->data : 0;
    if (hash && found != *hash)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "%s: the header does not have the checksum that "
                             "was saved: the file is damaged",
                             file->path);
    return report(at, error);
}

static dt_status check_tensor(verification *at, const dti_open_tensor *tensor,
                              dt_error *error)
{
    char what[300];
    snprintf(what, sizeof what, "tensor " DTI_QUOTED, tensor->face.name);
    if (tensor->face.same)
        return DT_OK;
    const dti_open_chunk *chunk = &at->checkpoint->chunks[tensor->first_chunk];
    if (!tensor->sums)
        return check_range(at, chunk->file, chunk->offset, tensor->face.bytes,
                           NULL, what, error);
    uint64_t offset = chunk->offset;
    for (size_t i = 0; i < tensor->sums->count; i++) {
        const dti_sum *sum = &tensor->sums->sums[i];
        DTI_TRY(check_range(at, chunk->file, offset, sum->bytes, &sum->hash,
                            what, error));
        offset += sum->bytes;
    }
    return DT_OK;
}

dt_status dti_checkpoint_verify(dt_saved *checkpoint, dti_share share,
                                dt_saved_progress progress, void *arg,
                                uint64_t *checked, dt_error *error)
{
    verification at = {.checkpoint = checkpoint,
                       .share = share,
                       .progress = progress,
                       .arg = arg};
    for (size_t i = 0; i < checkpoint->file_count; i++)
        at.total += checkpoint->files[i].bytes;
    for (size_t i = 0; i < checkpoint->file_count; i++)
        DTI_TRY(check_header(&at, i, error));
    for (size_t i = 0; i < checkpoint->count; i++)
        DTI_TRY(check_tensor(&at, &checkpoint->tensors[i], error));
    if (checked)
        *checked = at.checked;
    return DT_OK;
}

dt_status dt_saved_verify(dt_saved *checkpoint, dt_saved_progress progress,
                          void *arg, uint64_t *checked, dt_error *error)
{
    return dti_checkpoint_verify(checkpoint, (dti_share){0, 1}, progress, arg,
                                 checked, error);
}
