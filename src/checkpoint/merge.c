/* checkpoint/merge.c - a checkpoint as one safetensors file. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/sys/file.h>

#include "base/error.h"
#include "base/text/json.h"
#include "checkpoint/open.h"
#include "checkpoint/read.h"
#include "checkpoint/values.h"

/* A file that is being written. */
typedef struct merging {
    dt_saved *from;
    const dti_open_tensor **order; /* tensors as they are written */
    size_t count;
    dt_file *file;
    dt_saved_progress progress;
    void *arg;
    uint64_t done, total;
} merging;

static int compare(const void *a, const void *b)
{
    const dt_saved_tensor *x = &(*(const dti_open_tensor *const *)a)->face,
                          *y = &(*(const dti_open_tensor *const *)b)->face;
    const int order = dti_file_dtype_compare(
        dti_file_dtype_find(x->dtype_name, strlen(x->dtype_name)),
        dti_file_dtype_find(y->dtype_name, strlen(y->dtype_name)));
    return order ? order : strcmp(x->name, y->name);
}

static bool order_tensors(merging *at)
{
    at->order = calloc(at->from->count + 1, sizeof(void *));
    if (!at->order)
        return false;
    for (size_t i = 0; i < at->from->count; i++)
        if (!at->from->tensors[i].face.same)
            at->order[at->count++] = &at->from->tensors[i];
    if (at->count)
        qsort(at->order, at->count, sizeof *at->order, compare);
    return true;
}

/* ---- The header
 * -------------------------------------------------------------------- */

static void put_metadata(const merging *at, FILE *stream)
{
    fputs("\"format\":\"pt\"", stream);
    for (size_t i = 0; i < at->from->count; i++) {
        const dt_saved_tensor *tensor = &at->from->tensors[i].face;
        if (!tensor->same)
            continue;
        putc(',', stream);
        dti_json_quote(stream, tensor->name);
        putc(':', stream);
        dti_json_quote(stream, tensor->same);
    }
}

static void put_tensors(merging *at, FILE *stream)
{
    for (size_t i = 0; i < at->count; i++) {
        const dt_saved_tensor *face = &at->order[i]->face;
        /* Written and not changed. */
        char *name = (char *)(uintptr_t)face->name;
        dti_file_tensor form = {.name = name,
                                .dtype = dti_file_dtype_find(
                                    face->dtype_name, strlen(face->dtype_name)),
                                .shape = face->shape,
                                .begin = at->total,
                                .end = at->total + face->bytes};
        dti_header_put_tensor(stream, &form);
        at->total = form.end;
    }
}

/* Write one of the parts of a header that are made by a stream. */
static bool write_part(merging *at, bool tensors, char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);
    if (!stream)
        return false;
    if (tensors)
        put_tensors(at, stream);
    else
        put_metadata(at, stream);
    const bool good = !ferror(stream);
    return fclose(stream) == 0 && good;
}

static bool write_header(merging *at)
{
    char *texts[3] = {NULL};
    size_t sizes[3] = {0};
    dti_values_text values;
    bool good = write_part(at, false, &texts[0], &sizes[0]) &&
                write_part(at, true, &texts[2], &sizes[2]) &&
                dti_values_begin(&values);
    for (size_t i = 0; good && i < at->from->value_count; i++)
        dti_values_add(&values, &at->from->values[i]);
    good = good && dti_values_end(&values, &texts[1], &sizes[1]);
    const uint64_t size = dti_header_size(sizes[0] + sizes[1] + sizes[2]);
    char *header = good ? malloc((size_t)size) : NULL;
    if (header) {
        const dti_header_text_part parts[] = {
            {texts[0], sizes[0]}, {texts[1], sizes[1]}, {texts[2], sizes[2]}};
        dti_header_build(parts, header, size);
        DT_IGNORE(dt_file_write(at->file, header, (size_t)size));
    }
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    free(header);
    return header;
}

/* ---- Elements
 * ------------------------------------------------------------------------ */

static dt_status copy_tensor(merging *at, const dti_open_tensor *tensor,
                             char *buffer, dt_error *error)
{
    for (uint64_t first = 0; first < tensor->face.bytes;) {
        const uint64_t left = tensor->face.bytes - first;
        const size_t part =
            (size_t)(left < DTI_READ_MOST ? left : DTI_READ_MOST);
        DTI_TRY(
            dt_saved_read(at->from, &tensor->face, first, part, buffer, error));
        /* A failure is kept, and found at the end. */
        DT_IGNORE(dt_file_write(at->file, buffer, part));
        first += part;
        at->done += part;
        if (at->progress && !at->progress(at->arg, at->done, at->total))
            return dti_error_set(error, DT_ERR_INVALID, "the call was ended");
    }
    return DT_OK;
}

static dt_status copy_all(merging *at, dt_error *error)
{
    char *buffer = malloc(DTI_READ_MOST);
    dt_status status = DT_OK;
    if (!buffer || !order_tensors(at) || !write_header(at))
        status = dti_error_set(error, DT_ERR_NO_MEMORY,
                               "out of memory for a safetensors file");
    for (size_t i = 0; i < at->count && status == DT_OK; i++)
        status = copy_tensor(at, at->order[i], buffer, error);
    free(buffer);
    free(at->order);
    return status;
}

dt_status dt_saved_merge(dt_saved *saved, const char *path,
                         dt_saved_progress progress, void *arg, dt_error *error)
{
    merging at = {.from = saved, .progress = progress, .arg = arg};
    if (!path)
        return dti_error_set(error, DT_ERR_INVALID,
                             "dt_saved_merge: path is NULL");
    DTI_TRY(dt_file_create(path, &at.file, error));
    const dt_status status = copy_all(&at, error);
    if (status == DT_OK)
        return dt_file_commit(at.file, error);
    dt_file_abandon(at.file);
    return status;
}
