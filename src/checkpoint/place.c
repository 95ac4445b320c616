/* checkpoint/place.c - elements of a checkpoint, put where they are wanted. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/place.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/read.h"

/*
 * A box of a tensor is runs of bytes in the file.  For example, columns 2 and 3
 * of a tensor of 4 columns: two elements of every row.  A part of the box whose
 * runs are within DTI_READ_MOST bytes is read at once if it is one run, and
 * copied at once otherwise, by a strided copy from the page cache; larger boxes
 * are split along their first dimension that has several indexes.  What is not
 * in the cache is read first, with the gaps between runs if these are short.
 */
enum { least_run = 64 << 10 }; /* bytes that are worth a read of their own */

/* A copy under way. */
typedef struct placing {
    dt_world *world;
    dt_saved *checkpoint;
    const dti_open_tensor *tensor;
    const dti_open_chunk *chunk;
    int64_t strides[DT_MAX_NDIM]; /* of the chunk, in elements */
    uint64_t item;                /* bytes of an element of the file */
    dt_dtype dtype;               /* as which elements are read */
    dt_array *array;
    int64_t origin[DT_MAX_NDIM]; /* global index of the array's first element
                                  */
} placing;

/* Elements from the first of a box to its last, in the chunk. */
static uint64_t span_of(const placing *at, const dt_box *box)
{
    uint64_t span = 1;
    for (int i = 0; i < box->ndim; i++)
        span += (uint64_t)((box->size[i] - 1) * at->strides[i]);
    return span;
}

static uint64_t first_of(const placing *at, const dt_box *box)
{
    uint64_t first = 0;
    for (int i = 0; i < box->ndim; i++)
        first += (uint64_t)((box->offset[i] - at->chunk->box.offset[i]) *
                            at->strides[i]);
    return first;
}

/* Consecutive elements of a box in the chunk. */
static uint64_t run_of(const placing *at, const dt_box *box)
{
    uint64_t run = 1;
    for (int i = box->ndim - 1; i >= 0; i--) {
        run *= (uint64_t)box->size[i];
        if (box->size[i] != at->chunk->box.size[i])
            break;
    }
    return run;
}

static dt_status fail(const placing *at, const dt_error *error)
{
    return dti_fail(at->world, error->code, "tensor " DTI_QUOTED ": %.700s",
                    at->tensor->face.name, error->message);
}

/* View the part of the array where a box goes. */
static dt_status view_box(const placing *at, const dt_box *box, dt_array **out)
{
    int64_t offset = at->array->offset;
    for (int i = 0; i < box->ndim; i++)
        offset += (box->offset[i] - at->origin[i]) * at->array->strides[i];
    return dti_array_view(at->world, at->array,
                          dt_shape_make(box->ndim, box->size),
                          at->array->strides, offset, out);
}

/* Copy a box from bytes that begin with its first element. */
static dt_status copy_box(const placing *at, const dt_box *box,
                          const char *data)
{
    dt_array *from = NULL, *to = NULL;
    union {
        const char *bytes;
        void *memory;
    } own = {.bytes = data};
    dt_wrap_options wrap = DT_WRAP_OPTIONS_INIT;
    wrap.data = own.memory;
    wrap.dtype = at->dtype;
    wrap.shape = dt_shape_make(box->ndim, box->size);
    wrap.strides = at->strides;
    wrap.read_only = true;
    DTI_TRY(dt_array_wrap(at->world, &wrap, &from));
    dt_status status = view_box(at, box, &to);
    if (status == DT_OK)
        status = dt_array_copy(at->world, from, to);
    dt_array_release(from);
    dt_array_release(to);
    return status;
}

/* Read a box that is consecutive in the file and in the array, without a copy
 * in between; `done` tells whether it is. */
static dt_status read_box(const placing *at, const dt_box *box, bool *done)
{
    dt_error error;
    dt_array *to = NULL;
    const uint64_t span = span_of(at, box);
    *done = false;
    if (run_of(at, box) != span || at->dtype != at->array->dtype)
        return DT_OK;
    DTI_TRY(view_box(at, box, &to));
    dt_status status = DT_OK;
    *done = to->contiguous && !to->storage->pending;
    if (*done && dti_read_into(at->checkpoint, at->chunk->file,
                               at->chunk->offset + first_of(at, box) * at->item,
                               (size_t)(span * at->item), dti_array_address(to),
                               &error) != DT_OK)
        status = fail(at, &error);
    dt_array_release(to);
    return status;
}

/* Find the bytes of a box and copy them; those in the cache may begin anywhere,
 * and elements may not. */
static dt_status place_part(const placing *at, const dt_box *box)
{
    dt_error error;
    const char *data = NULL;
    dt_saved *checkpoint = at->checkpoint;
    const uint64_t offset = at->chunk->offset + first_of(at, box) * at->item;
    const size_t bytes = (size_t)(span_of(at, box) * at->item);
    bool done = false;
    DTI_TRY(read_box(at, box, &done));
    if (done)
        return DT_OK;
    if (dti_fetch(checkpoint, at->chunk->file, offset, bytes, &data, &error) !=
        DT_OK)
        return fail(at, &error);
    if ((uintptr_t)data % dti_dtype_alignment(at->dtype) == 0)
        return copy_box(at, box, data);
    char *aligned = malloc(bytes);
    if (!aligned)
        return dti_fail_memory(at->world, bytes, "unaligned elements");
    memcpy(aligned, data, bytes);
    const dt_status status = copy_box(at, box, aligned);
    free(aligned);
    return status;
}

/* Tell whether a box is copied at once. */
static bool is_whole(const placing *at, const dt_box *box)
{
    const uint64_t span = span_of(at, box) * at->item;
    const uint64_t run = run_of(at, box) * at->item;
    if (span > DTI_READ_MOST)
        return false;
    return run == span || run < least_run ||
           dti_is_cached(at->checkpoint, at->chunk->file,
                         at->chunk->offset + first_of(at, box) * at->item,
                         (size_t)span);
}

/* Place a box, in parts if it is large. */
static dt_status place(const placing *at, const dt_box *box)
{
    if (is_whole(at, box))
        return place_part(at, box);
    int dim = 0;
    while (box->size[dim] == 1)
        dim++;
    dt_box part = *box;
    part.size[dim] = 1;
    const uint64_t one = span_of(at, &part) * at->item;
    const uint64_t step = (uint64_t)at->strides[dim] * at->item;
    const uint64_t run = run_of(at, &part) * at->item;
    const bool gaps = run < step;
    int64_t rows = 1;
    if (one < DTI_READ_MOST && !(gaps && run >= least_run))
        rows += (int64_t)((DTI_READ_MOST - one) / step);
    for (int64_t done = 0; done < box->size[dim]; done += rows) {
        const int64_t left = box->size[dim] - done;
        part.offset[dim] = box->offset[dim] + done;
        part.size[dim] = left < rows ? left : rows;
        DTI_TRY(place(at, &part));
    }
    return DT_OK;
}

/* Intersect two boxes; false if nothing is left. */
static bool intersect(const dt_box *a, const dt_box *b, dt_box *out)
{
    *out = (dt_box){.ndim = a->ndim};
    for (int i = 0; i < a->ndim; i++) {
        const int64_t first =
            a->offset[i] > b->offset[i] ? a->offset[i] : b->offset[i];
        const int64_t a_end = a->offset[i] + a->size[i],
                      b_end = b->offset[i] + b->size[i];
        out->offset[i] = first;
        out->size[i] = (a_end < b_end ? a_end : b_end) - first;
        if (out->size[i] <= 0)
            return false;
    }
    return true;
}

dt_status dti_place_box(dt_world *world, dt_saved *checkpoint,
                        const dti_open_tensor *tensor, const dt_box *box,
                        dt_array *array, const int64_t *local)
{
    placing at = {.world = world,
                  .checkpoint = checkpoint,
                  .tensor = tensor,
                  .dtype = tensor->face.dtype,
                  .array = array};
    /* Bytes other than 0 and 1 become true. */
    if (at.dtype == DT_BOOL && array->dtype == DT_BOOL)
        at.dtype = DT_U8;
    at.item = dti_dtype_size(at.dtype);
    for (int i = 0; i < box->ndim; i++)
        at.origin[i] = box->offset[i] - local[i];
    for (size_t c = 0; c < tensor->chunk_count; c++) {
        dt_box shared;
        at.chunk = &checkpoint->chunks[tensor->first_chunk + c];
        int64_t stride = 1;
        for (int i = box->ndim - 1; i >= 0; i--) {
            at.strides[i] = stride;
            stride *= at.chunk->box.size[i];
        }
        if (intersect(box, &at.chunk->box, &shared))
            DTI_TRY(place(&at, &shared));
    }
    return DT_OK;
}
