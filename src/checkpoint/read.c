/* checkpoint/read.c - bytes of the files of a checkpoint. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/sum.h"

enum { page = 4096 };

/* ---- Bytes
 * ------------------------------------------------------------------------------
 */

/* Map a file, once; where it cannot be mapped, it is read. */
static void map_file(dti_open_file *file)
{
    if (file->map || !file->bytes)
        return;
    void *map =
        mmap(NULL, file->bytes, PROT_READ, MAP_SHARED, file->descriptor, 0);
    file->map = map == MAP_FAILED ? NULL : map;
}

/* Tell whether `count` pages of a mapping, from an address on, are in the page
 * cache. */
static bool are_resident(char *first, size_t count)
{
    unsigned char cached[DTI_READ_MOST / page + 2];
    if (mincore(first, count * page, cached) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(cached[i] & 1))
            return false;
    return true;
}

/*
 * Tell whether a range is in the page cache, and map it.  Looking at every page
 * takes half as long as copying them: if the first, the middle and the last one
 * are there, the others are mapped, and read if they must be, by one call that
 * fails where touching them would raise a signal.
 */
static bool is_cached(const dti_open_file *file, uint64_t offset, size_t bytes)
{
    const uint64_t first = offset / page * page;
    const size_t length = (size_t)(offset + bytes - first);
    const size_t count = (length + page - 1) / page;
    union {
        const char *bytes;
        char *memory;
    } from = {.bytes = file->map + first};
    if (!are_resident(from.memory, 1) ||
        !are_resident(from.memory + count / 2 * page, 1) ||
        !are_resident(from.memory + (count - 1) * page, 1))
        return false;
    if (madvise(from.memory, count * page, MADV_POPULATE_READ) == 0)
        return true;
    return errno == EINVAL && are_resident(from.memory, count);
}

bool dti_is_cached(dt_saved *checkpoint, size_t file, uint64_t offset,
                   size_t bytes)
{
    const uint64_t end = checkpoint->files[file].bytes;
    if (offset > end || bytes > end - offset)
        return false;
    map_file(&checkpoint->files[file]);
    return checkpoint->files[file].map &&
           is_cached(&checkpoint->files[file], offset, bytes);
}

dt_status dti_read_into(const dt_saved *checkpoint, size_t number,
                        uint64_t offset, size_t bytes, void *out,
                        dt_error *error)
{
    const dti_open_file *file = &checkpoint->files[number];
    size_t done = 0;
    while (done < bytes) {
        const ssize_t part = pread(file->descriptor, (char *)out + done,
                                   bytes - done, (off_t)(offset + done));
        if (part > 0) {
            done += (size_t)part;
        } else if (part == 0) {
            return dti_error_set(error, DT_ERR_FORMAT,
                                 "%s: the file ends at byte %" PRIu64
                                 ", where more is expected; it was truncated "
                                 "since it was opened",
                                 file->path, offset + done);
        } else if (errno != EINTR) {
            return dti_error_set(error, DT_ERR_IO,
                                 "%s: %s while reading byte %" PRIu64,
                                 file->path, strerror(errno), offset + done);
        }
    }
    return DT_OK;
}

dt_status dti_fetch(dt_saved *checkpoint, size_t number, uint64_t offset,
                    size_t bytes, const char **out, dt_error *error)
{
    if (dti_is_cached(checkpoint, number, offset, bytes)) {
        *out = checkpoint->files[number].map + offset;
        return DT_OK;
    }
    if (!checkpoint->scratch)
        checkpoint->scratch = malloc(DTI_READ_MOST);
    if (!checkpoint->scratch)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory: %d bytes to read a checkpoint",
                             DTI_READ_MOST);
    DTI_TRY(dti_read_into(checkpoint, number, offset, bytes,
                          checkpoint->scratch, error));
    *out = checkpoint->scratch;
    return DT_OK;
}

/* ---- Properties
 * -------------------------------------------------------------------------- */

const char *dt_saved_path(const dt_saved *checkpoint)
{
    return checkpoint->path;
}

int64_t dt_saved_step(const dt_saved *checkpoint)
{
    return checkpoint->has_manifest ? checkpoint->manifest.step : -1;
}

int64_t dt_saved_ranks(const dt_saved *checkpoint)
{
    return checkpoint->has_manifest ? checkpoint->manifest.ranks : -1;
}

int dt_saved_file_count(const dt_saved *checkpoint)
{
    return (int)checkpoint->file_count;
}

const char *dt_saved_file(const dt_saved *checkpoint, int index)
{
    return index >= 0 && (size_t)index < checkpoint->file_count
               ? checkpoint->files[index].name
               : NULL;
}

int64_t dt_saved_count(const dt_saved *checkpoint)
{
    return (int64_t)checkpoint->count;
}

const dt_saved_tensor *dt_saved_at(const dt_saved *checkpoint, int64_t index)
{
    return index >= 0 && (size_t)index < checkpoint->count
               ? &checkpoint->tensors[index].face
               : NULL;
}

const dt_saved_tensor *dt_saved_find(const dt_saved *checkpoint,
                                     const char *name)
{
    const dti_open_tensor *found =
        name ? dti_checkpoint_tensor(checkpoint, name) : NULL;
    return found ? &found->face : NULL;
}

int64_t dt_saved_value_count(const dt_saved *checkpoint)
{
    return (int64_t)checkpoint->value_count;
}

const dt_state_entry *dt_saved_value_at(const dt_saved *checkpoint,
                                        int64_t index)
{
    return index >= 0 && (size_t)index < checkpoint->value_count
               ? &checkpoint->values[index]
               : NULL;
}

/* ---- Chunks
 * -------------------------------------------------------------------------------
 */

/* What a face, which is its first member, belongs to. */
static const dti_open_tensor *opened(const dt_saved_tensor *face)
{
    return (const dti_open_tensor *)face;
}

static dt_saved_chunk show(const dt_saved *checkpoint,
                           const dti_open_chunk *chunk)
{
    return (dt_saved_chunk){.box = chunk->box,
                            .path = checkpoint->files[chunk->file].path,
                            .offset = chunk->offset};
}

int64_t dt_saved_chunks(const dt_saved *checkpoint,
                        const dt_saved_tensor *tensor, dt_saved_chunk *chunks,
                        int64_t capacity)
{
    const dti_open_tensor *from = opened(tensor);
    for (size_t i = 0; i < from->chunk_count && (int64_t)i < capacity; i++)
        chunks[i] =
            show(checkpoint, &checkpoint->chunks[from->first_chunk + i]);
    return (int64_t)from->chunk_count;
}

static bool has_index(const dt_box *box, const int64_t *index)
{
    for (int i = 0; i < box->ndim; i++)
        if (index[i] < box->offset[i] ||
            index[i] - box->offset[i] >= box->size[i])
            return false;
    return true;
}

dt_status dt_saved_find_chunk(const dt_saved *checkpoint, const char *name,
                              const int64_t *index, dt_saved_chunk *out,
                              dt_error *error)
{
    const dti_open_tensor *tensor =
        name ? dti_checkpoint_tensor(checkpoint, name) : NULL;
    if (!tensor)
        return dti_error_set(error, DT_ERR_NOT_FOUND,
                             "%s: no tensor is named " DTI_QUOTED,
                             checkpoint->path, name ? name : "");
    for (size_t i = 0; i < tensor->chunk_count; i++) {
        const dti_open_chunk *chunk =
            &checkpoint->chunks[tensor->first_chunk + i];
        if (has_index(&chunk->box, index)) {
            *out = show(checkpoint, chunk);
            return DT_OK;
        }
    }
    return dti_error_set(error, DT_ERR_NOT_FOUND,
                         "%s: no chunk of tensor " DTI_QUOTED
                         " has this element",
                         checkpoint->path, name);
}

/* ---- Elements
 * -------------------------------------------------------------------------------
 */

dt_status dt_saved_read(dt_saved *checkpoint, const dt_saved_tensor *tensor,
                        uint64_t first, size_t bytes, void *out,
                        dt_error *error)
{
    const dti_open_chunk *chunk =
        &checkpoint->chunks[opened(tensor)->first_chunk];
    if (first > tensor->bytes || bytes > tensor->bytes - first)
        return dti_error_set(error, DT_ERR_INVALID,
                             "tensor " DTI_QUOTED " has %" PRIu64
                             " bytes; bytes %" PRIu64 " to %" PRIu64
                             " are out of range",
                             tensor->name, tensor->bytes, first, first + bytes);
    return dti_read_into(checkpoint, chunk->file, chunk->offset + first, bytes,
                         out, error);
}
