/* tensor/order.c - the order in which dimensions lie in memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/order.h"

#include <stdbool.h>
#include <string.h>

/*
 * Results of pointwise operators lie in memory as their inputs do, so that a
 * chain of operators on a transposed tensor passes through memory in one run.
 * Strides are the same as PyTorch's (TensorIterator):
 *
 * 1. If all inputs have the shape of the result and are row-major, so is the
 *    result; likewise channels last; and if all have the same dense strides,
 *    the result has them, too.
 * 2. Otherwise dimensions are sorted by the strides of the inputs, and the
 *    result is dense in that order.  The first input that tells two dimensions
 *    apart decides; one that is broadcast along either of them does not.  Equal
 *    strides are told apart by their extents, the shorter one inside.
 *    Dimensions that no input tells apart keep the order that they have.
 *
 * An example of the second: x is (2, 3, 4) with strides (1, 8, 2), y is (4,).
 * Of y there is only the last dimension, so x decides: dimension 0 is
 * innermost, then 2, then 1.  x + y has strides (1, 8, 2).
 */

/* The stride of an input along a dimension of the result; 0 if it is broadcast
 * along that, or repeats it. */
static int64_t stride_of(const dt_meta *input, const dt_meta *result, int dim)
{
    const int own = dim - (result->shape.ndim - input->shape.ndim);
    if (own < 0 ||
        (input->shape.dims[own] == 1 && result->shape.dims[dim] != 1))
        return 0;
    return input->strides[own];
}

/* Compare two dimensions by the strides of all inputs: less than 0 if `a`
 * belongs inside of `b`, more than 0 if outside, 0 if nothing says so. */
static int compare(const dt_meta *result, const dt_meta *const *inputs,
                   int count, int a, int b)
{
    for (int i = 0; i < count; i++) {
        if (!inputs[i])
            continue;
        const int64_t one = stride_of(inputs[i], result, a);
        const int64_t other = stride_of(inputs[i], result, b);
        if (one == 0 || other == 0)
            continue;
        if (one != other)
            return one < other ? -1 : 1;
        if (result->shape.dims[a] > result->shape.dims[b])
            return 1;
    }
    return 0;
}

/* Dimensions are listed from the innermost to the outermost. */
static void list_row_major(int ndim, int *order)
{
    for (int i = 0; i < ndim; i++)
        order[i] = ndim - 1 - i;
}

/*
 * List dimensions by the strides of all inputs.  An insertion sort that
 * looks past dimensions with which a comparison says nothing, as PyTorch's: the
 * order of three dimensions of which two cannot be compared depends on it.
 */
static void sort(const dt_meta *result, const dt_meta *const *inputs, int count,
                 int *order)
{
    list_row_major(result->shape.ndim, order);
    for (int i = 1; i < result->shape.ndim; i++) {
        int place = i;
        for (int before = i - 1; before >= 0; before--) {
            const int found =
                compare(result, inputs, count, order[before], order[place]);
            if (found < 0)
                break;
            if (found == 0)
                continue;
            const int dim = order[before];
            order[before] = order[place];
            order[place] = dim;
            place = before;
        }
    }
}

/* Set strides that are dense in an order. */
static void set_dense(dt_shape shape, const int *order, int64_t *strides)
{
    uint64_t stride = 1; /* shapes that were not checked wrap around */
    for (int i = 0; i < shape.ndim; i++) {
        const int64_t extent = shape.dims[order[i]];
        strides[order[i]] = (int64_t)stride;
        stride *= extent > 1 ? (uint64_t)extent : 1;
    }
}

/* Tell whether a dimension steps over another; both are longer than 1. */
static bool is_outside(const dt_meta *meta, int a, int b)
{
    return meta->strides[a] != meta->strides[b]
               ? meta->strides[a] > meta->strides[b]
               : a < b;
}

/* Tell whether elements lie side by side, in whatever order of dimensions: each
 * stride is what the dimensions inside make.  Strides of extents of 1 do not
 * matter. */
static bool is_dense(const dt_meta *meta)
{
    for (int i = 0; i < meta->shape.ndim; i++) {
        int64_t inside = 1;
        for (int j = 0; j < meta->shape.ndim; j++)
            if (meta->shape.dims[j] > 1 && j != i && is_outside(meta, i, j))
                inside *= meta->shape.dims[j];
        if (meta->shape.dims[i] > 1 && meta->strides[i] != inside)
            return dt_shape_count(meta->shape) == 0;
    }
    return true;
}

/* Tell whether elements lie side by side in an order of dimensions. */
static bool is_dense_in(const dt_meta *meta, const int *order)
{
    int64_t strides[DT_MAX_NDIM];
    set_dense(meta->shape, order, strides);
    for (int i = 0; i < meta->shape.ndim; i++)
        if (meta->shape.dims[i] > 1 && meta->strides[i] != strides[i])
            return dt_shape_count(meta->shape) == 0;
    return true;
}

void dti_meta_make_dense(dt_meta *meta)
{
    int order[DT_MAX_NDIM];
    const dt_meta *const self = meta;
    sort(meta, &self, 1, order);
    set_dense(meta->shape, order, meta->strides);
}

void dti_meta_keep_order(dt_meta *meta)
{
    if (!is_dense(meta))
        dti_meta_make_dense(meta);
}

/* ---- Results ------------------------------------------------------------- */

static bool have_shape(dt_shape shape, const dt_meta *const *inputs, int count)
{
    for (int i = 0; i < count; i++)
        if (inputs[i] && !dt_shape_equal(inputs[i]->shape, shape))
            return false;
    return true;
}

/* Let the result be dense in an order if all inputs are, which have its shape;
 * false if they are not. */
static bool set_if_dense(dt_meta *result, const dt_meta *const *inputs,
                         int count, const int *order)
{
    for (int i = 0; i < count; i++)
        if (inputs[i] && !is_dense_in(inputs[i], order))
            return false;
    set_dense(result->shape, order, result->strides);
    return true;
}

static bool have_equal_strides(const dt_meta *a, const dt_meta *b)
{
    return memcmp(a->strides, b->strides,
                  (size_t)a->shape.ndim * sizeof *a->strides) == 0;
}

/* Copy the strides of inputs that have the result's shape, if they are dense
 * and all the same; false if they are not. */
static bool copy_strides(dt_meta *result, const dt_meta *const *inputs,
                         int count)
{
    const dt_meta *first = NULL;
    for (int i = 0; i < count; i++) {
        if (!inputs[i])
            continue;
        if (!first)
            first = inputs[i];
        if (!is_dense(inputs[i]) || !have_equal_strides(first, inputs[i]))
            return false;
    }
    if (first)
        memcpy(result->strides, first->strides, sizeof result->strides);
    return first;
}

/* The first rule above; false if it does not apply. */
static bool follow_all(dt_meta *result, const dt_meta *const *inputs, int count)
{
    static const int channels_last[] = {1, 3, 2, 0};
    int row_major[DT_MAX_NDIM];
    if (!have_shape(result->shape, inputs, count))
        return false;
    list_row_major(result->shape.ndim, row_major);
    return set_if_dense(result, inputs, count, row_major) ||
           (result->shape.ndim == 4 &&
            set_if_dense(result, inputs, count, channels_last)) ||
           copy_strides(result, inputs, count);
}

void dti_meta_order(dt_meta *result, const dt_meta *const *inputs, int count)
{
    int order[DT_MAX_NDIM];
    memset(result->strides, 0, sizeof result->strides);
    if (follow_all(result, inputs, count))
        return;
    sort(result, inputs, count, order);
    set_dense(result->shape, order, result->strides);
}

/* ---- Local arrays -------------------------------------------------------- */

void dti_spec_form(const dt_spec *spec, dt_array *out)
{
    int order[DT_MAX_NDIM];
    const dt_meta *const meta = &spec->meta;
    dti_array_form(meta->dtype, spec->local_shape, out);
    if (!spec->member)
        return;
    sort(meta, &meta, 1, order);
    set_dense(spec->local_shape, order, out->strides);
    out->contiguous = dti_strides_are_row_major(out->shape, out->strides);
}
