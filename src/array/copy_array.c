/* array/copy_array.c - copying arrays into arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "array/copy.h"
#include "array/given.h"
#include "base/error.h"
#include "base/handles.h"
#include "work/work.h"

/* Elements that are converted at a time where they do not lie side by side. */
enum { chunk = 256, chunk_bytes = chunk * 8 };

/* Find the strides with which the source has the destination's shape. */
static dt_status broadcast(dt_world *world, const dt_array *source,
                           const dt_array *destination, int64_t *strides)
{
    int front = destination->shape.ndim - source->shape.ndim;
    bool fits = front >= 0;
    for (int i = 0; fits && i < destination->shape.ndim; i++) {
        int64_t extent = i < front ? 1 : source->shape.dims[i - front];
        fits = extent == 1 || extent == destination->shape.dims[i];
        strides[i] = extent == 1 ? 0 : source->strides[i - front];
    }
    if (!fits)
        return dti_fail(world, DT_ERR_INVALID,
                        "shape %s cannot be broadcast to shape %s",
                        dti_shape_show(source->shape).text,
                        dti_shape_show(destination->shape).text);
    return DT_OK;
}

dt_status dti_array_check_writable(dt_world *world, const dt_array *array)
{
    if (dt_array_is_read_only(array))
        return dti_fail(world, DT_ERR_INVALID,
                        "cannot write to an array of shape %s: it is read-only",
                        dti_shape_show(array->shape).text);
    for (int i = 0; array->count > 0 && i < array->shape.ndim; i++)
        if (array->strides[i] == 0 && array->shape.dims[i] > 1)
            return dti_fail(world, DT_ERR_INVALID,
                            "cannot write to an array whose dimension %d is "
                            "expanded; use dt_array_clone first",
                            i);
    return DT_OK;
}

bool dti_arrays_overlap(const dt_array *a, const dt_array *b)
{
    uintptr_t a_start = (uintptr_t)dti_array_address(a);
    uintptr_t b_start = (uintptr_t)dti_array_address(b);
    return a_start < b_start + dti_array_span(b) &&
           b_start < a_start + dti_array_span(a);
}

/* Tell whether two arrays of one shape are the same elements. */
static bool is_same(const dt_array *source, const int64_t *source_strides,
                    const dt_array *destination)
{
    if (source->dtype != destination->dtype ||
        dti_array_address(source) != dti_array_address(destination))
        return false;
    for (int i = 0; i < destination->shape.ndim; i++)
        if (destination->shape.dims[i] > 1 &&
            source_strides[i] != destination->strides[i])
            return false;
    return true;
}

/* Convert a row of elements that lie `_step` bytes apart. */
static void cast_row(const char *from, int64_t from_step, dt_dtype from_dtype,
                     char *to, int64_t to_step, dt_dtype to_dtype,
                     int64_t count)
{
    char in[chunk_bytes], out[chunk_bytes];
    const int64_t from_item = (int64_t)dt_dtype_size(from_dtype);
    const int64_t to_item = (int64_t)dt_dtype_size(to_dtype);
    if (count == 1 || (from_step == from_item && to_step == to_item)) {
        dti_cast(from, from_dtype, to, to_dtype, count);
        return;
    }
    for (int64_t done = 0; done < count; done += chunk) {
        int64_t part = count - done < chunk ? count - done : chunk;
        dti_copy_strided(in, &from_item, from + done * from_step, &from_step,
                         &part, 1, (size_t)from_item);
        dti_cast(in, from_dtype, out, to_dtype, part);
        dti_copy_strided(to + done * to_step, &to_step, out, &to_item, &part, 1,
                         (size_t)to_item);
    }
}

/* A copy with strides in bytes on both sides. */
typedef struct strided {
    const char *from;
    char *to;
    int64_t from_steps[DT_MAX_NDIM];
    int64_t to_steps[DT_MAX_NDIM];
    dt_shape shape;
} strided;

static void cast_strided(const strided *copy, dt_dtype from, dt_dtype to)
{
    int last = copy->shape.ndim - 1;
    int64_t index[DT_MAX_NDIM] = {0};
    int64_t from_at = 0, to_at = 0;
    int dim;
    do {
        cast_row(copy->from + from_at, copy->from_steps[last], from,
                 copy->to + to_at, copy->to_steps[last], to,
                 copy->shape.dims[last]);
        for (dim = last - 1; dim >= 0; dim--) {
            from_at += copy->from_steps[dim];
            to_at += copy->to_steps[dim];
            if (++index[dim] < copy->shape.dims[dim])
                break;
            from_at -= copy->from_steps[dim] * index[dim];
            to_at -= copy->to_steps[dim] * index[dim];
            index[dim] = 0;
        }
    } while (dim >= 0);
}

/* A conversion, whose dimension `cut` threads take in ranges. */
typedef struct shared_cast {
    const strided *copy;
    int cut;
    dt_dtype from, to;
} shared_cast;

static void cast_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_cast *shared = context;
    strided copy = *shared->copy;
    (void)slot;
    copy.from += begin * copy.from_steps[shared->cut];
    copy.to += begin * copy.to_steps[shared->cut];
    copy.shape.dims[shared->cut] = end - begin;
    cast_strided(&copy, shared->from, shared->to);
}

/* Convert by the threads of the rank: the longest dimension is cut. */
static void share_cast(const strided *copy, dt_dtype from, dt_dtype to)
{
    shared_cast shared = {copy, 0, from, to};
    const dt_shape *shape = &copy->shape;
    int64_t bytes = (int64_t)(dt_dtype_size(from) + dt_dtype_size(to));
    for (int i = 0; i < shape->ndim; i++) {
        bytes *= shape->dims[i];
        if (shape->dims[i] > shape->dims[shared.cut])
            shared.cut = i;
    }
    const int64_t extent = shape->dims[shared.cut];
    dti_work_ranges(extent, extent >= 4 * chunk ? chunk : 1, bytes / extent,
                    cast_range, &shared);
}

/* Leave out extents of 1 and join dimensions that both sides pass through in
 * one stride; one dimension at least is left. */
static void merge_dims(strided *copy)
{
    int last = -1;
    for (int i = 0; i < copy->shape.ndim; i++) {
        const int64_t extent = copy->shape.dims[i];
        if (extent == 1)
            continue;
        if (last >= 0 &&
            copy->from_steps[last] == copy->from_steps[i] * extent &&
            copy->to_steps[last] == copy->to_steps[i] * extent)
            copy->shape.dims[last] *= extent;
        else
            copy->shape.dims[++last] = extent;
        copy->from_steps[last] = copy->from_steps[i];
        copy->to_steps[last] = copy->to_steps[i];
    }
    if (last < 0)
        copy->shape.dims[++last] = 1;
    copy->shape.ndim = last + 1;
}

static void copy_elements(const dt_array *source, const int64_t *source_strides,
                          dt_array *destination)
{
    int64_t from_item = (int64_t)dt_dtype_size(source->dtype);
    int64_t to_item = (int64_t)dt_dtype_size(destination->dtype);
    strided copy = {.from = dti_array_address(source),
                    .to = dti_array_address(destination),
                    .shape = destination->shape};
    for (int i = 0; i < copy.shape.ndim; i++) {
        copy.from_steps[i] = source_strides[i] * from_item;
        copy.to_steps[i] = destination->strides[i] * to_item;
    }
    if (source->dtype == destination->dtype) {
        dti_copy_strided(copy.to, copy.to_steps, copy.from, copy.from_steps,
                         copy.shape.dims, copy.shape.ndim, (size_t)to_item);
        return;
    }
    merge_dims(&copy);
    share_cast(&copy, source->dtype, destination->dtype);
}

/* Copy between memory that does not overlap; the source's strides are those of
 * the destination's shape.  Nothing of the source is under way or lost. */
static void copy_apart(const dt_array *source, const int64_t *source_strides,
                       dt_array *destination)
{
    dti_array_wait(destination, true);
    copy_elements(source, source_strides, destination);
    dti_array_renew(destination);
}

dt_status dt_array_copy(dt_world *world, const dt_array *source,
                        dt_array *destination)
{
    int64_t strides[DT_MAX_NDIM] = {0};
    DTI_TRY(dti_array_given(world, source, "dt_array_copy"));
    DTI_TRY(dti_array_given(world, destination, "dt_array_copy"));
    DTI_TRY(broadcast(world, source, destination, strides));
    DTI_TRY(dti_array_check_writable(world, destination));
    if (dt_array_is_meta(source) != dt_array_is_meta(destination))
        return dti_fail(world, DT_ERR_INVALID,
                        "the %s is a meta array, without elements",
                        dt_array_is_meta(source) ? "source" : "destination");
    if (dt_array_is_meta(source) || destination->count == 0)
        return DT_OK;
    DTI_TRY(dti_array_settle(world, source));
    dti_array_prepare(destination);
    if (!dti_arrays_overlap(source, destination)) {
        copy_apart(source, strides, destination);
        return DT_OK;
    }
    if (is_same(source, strides, destination))
        return DT_OK;
    dt_array *between = NULL;
    DTI_TRY(dt_array_clone(world, source, &between));
    dt_status status = broadcast(world, between, destination, strides);
    if (status == DT_OK)
        copy_apart(between, strides, destination);
    dt_array_release(between);
    return status;
}

void dti_array_gather(const dt_array *array, int64_t first, int64_t count,
                      void *out)
{
    const int64_t item = (int64_t)dt_dtype_size(array->dtype);
    const char *base = dti_array_address(array);
    char *to = out;
    if (array->contiguous) {
        dti_copy_bytes(to, base + first * item, (size_t)(count * item));
        return;
    }
    /* Not contiguous, so there is a last dimension. */
    int last = array->shape.ndim - 1;
    int64_t row = array->shape.dims[last];
    int64_t step = array->strides[last] * item;
    while (count > 0) {
        int64_t column = first % row, rest = first / row;
        int64_t offset = column * array->strides[last];
        for (int i = last - 1; i >= 0; i--) {
            offset += rest % array->shape.dims[i] * array->strides[i];
            rest /= array->shape.dims[i];
        }
        int64_t part = count < row - column ? count : row - column;
        dti_copy_strided(to, &item, base + offset * item, &step, &part, 1,
                         (size_t)item);
        to += part * item;
        first += part;
        count -= part;
    }
}

dt_status dt_array_clone(dt_world *world, const dt_array *array, dt_array **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_clone"));
    return dt_array_cast(world, array, array->dtype, out);
}

dt_status dt_array_contiguous(dt_world *world, dt_array *array, dt_array **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_contiguous"));
    if (!array->contiguous)
        return dt_array_clone(world, array, out);
    *out = dt_array_retain(array);
    return DT_OK;
}
