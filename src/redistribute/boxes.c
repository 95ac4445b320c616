/* redistribute/boxes.c - copying what two parts of a tensor share. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/boxes.h"

#include "array/array.h"
#include "array/copy.h"

dti_block_view dti_view_array(const dt_array *array, bool to_write)
{
    dti_block_view view = {.data = NULL};
    int64_t item = (int64_t)dti_dtype_size(array->dtype);
    if (array->storage && array->count > 0) {
        dti_array_wait(array, to_write);
        view.data = dti_array_address(array);
    }
    for (int i = 0; i < array->shape.ndim; i++)
        view.strides[i] = array->strides[i] * item;
    return view;
}

dti_block_view dti_view_dense(void *data, const dti_part *part, size_t item)
{
    dti_block_view view = {.data = data};
    int64_t stride = (int64_t)item;
    for (int i = part->ndim - 1; i >= 0; i--) {
        view.strides[i] = stride;
        stride *= part->dims[i].size;
    }
    return view;
}

/* The box that an overlap stands at. */
static int64_t box_dims(const dti_overlap *at, int64_t *dims)
{
    int64_t count = 1;
    for (int i = 0; i < at->a->ndim; i++)
        count *= dims[i] = at->runs[i].length;
    return count;
}

static char *address_in_a(const dti_overlap *at, const dti_block_view *view)
{
    char *address = view->data;
    for (int i = 0; i < at->a->ndim; i++)
        address += at->runs[i].a * view->strides[i];
    return address;
}

static char *address_in_b(const dti_overlap *at, const dti_block_view *view)
{
    char *address = view->data;
    for (int i = 0; i < at->b->ndim; i++)
        address += at->runs[i].b * view->strides[i];
    return address;
}

/* The strides in bytes of a box that lies densely. */
static void dense_strides(const int64_t *dims, int ndim, size_t item,
                          int64_t *out)
{
    int64_t stride = (int64_t)item;
    for (int i = ndim - 1; i >= 0; i--) {
        out[i] = stride;
        stride *= dims[i];
    }
}

void dti_copy_shared(const dti_part *from, const dti_block_view *source,
                     const dti_part *to, const dti_block_view *destination,
                     size_t item)
{
    dti_overlap at;
    int64_t dims[DT_MAX_NDIM];
    dti_overlap_begin(&at, from, to);
    while (dti_overlap_next(&at)) {
        box_dims(&at, dims);
        dti_copy_strided(address_in_b(&at, destination), destination->strides,
                         address_in_a(&at, source), source->strides, dims,
                         from->ndim, item);
    }
}

size_t dti_pack_shared(const dti_part *from, const dti_block_view *source,
                       const dti_part *to, char *packed, size_t item)
{
    dti_overlap at;
    int64_t dims[DT_MAX_NDIM], strides[DT_MAX_NDIM];
    size_t done = 0;
    dti_overlap_begin(&at, from, to);
    while (dti_overlap_next(&at)) {
        size_t bytes = (size_t)box_dims(&at, dims) * item;
        dense_strides(dims, from->ndim, item, strides);
        dti_copy_strided(packed + done, strides, address_in_a(&at, source),
                         source->strides, dims, from->ndim, item);
        done += bytes;
    }
    return done;
}

size_t dti_unpack_shared(const dti_part *from, const char *packed,
                         const dti_part *to, const dti_block_view *destination,
                         size_t item)
{
    dti_overlap at;
    int64_t dims[DT_MAX_NDIM], strides[DT_MAX_NDIM];
    size_t done = 0;
    dti_overlap_begin(&at, from, to);
    while (dti_overlap_next(&at)) {
        size_t bytes = (size_t)box_dims(&at, dims) * item;
        dense_strides(dims, from->ndim, item, strides);
        dti_copy_strided(address_in_b(&at, destination), destination->strides,
                         packed + done, strides, dims, from->ndim, item);
        done += bytes;
    }
    return done;
}
