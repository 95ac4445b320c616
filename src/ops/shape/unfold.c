/* ops/shape/unfold.c - windows of a dimension, and their sums. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "kernel/pointwise/pointwise.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

/* `count` windows of `size` neighbours, which begin `step` apart. */
typedef struct windows {
    int dim;
    int64_t size, step, count;
} windows;

/* For a tensor of a shape, along the dimension that an argument names; a 0-d
 * one counts as having a dimension of extent 1. */
static dt_status read_windows(const dt_operation *operation, const char *dim,
                              const dt_shape *shape, windows *out)
{
    out->size = dti_argument_int(operation, "size");
    out->step = dti_argument_int(operation, "step");
    DTI_TRY(dti_argument_dim(operation, dim, shape->ndim, &out->dim));
    int64_t extent = shape->ndim ? shape->dims[out->dim] : 1;
    if (out->size < 0 || out->size > extent)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "size is %lld, which is out of range for dim %d of extent %lld",
            (long long)out->size, out->dim, (long long)extent);
    if (out->step < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "step is %lld; must be positive",
                                 (long long)out->step);
    out->count = (extent - out->size) / out->step + 1;
    return DT_OK;
}

/* The shape of windows of a shape. */
static dt_status shape_of(const dt_operation *operation, const windows *cut,
                          dt_shape *shape)
{
    if (shape->ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self already has %d dimensions, the maximum",
                                 shape->ndim);
    if (shape->ndim > 0)
        shape->dims[cut->dim] = cut->count;
    shape->dims[shape->ndim++] = cut->size;
    return DT_OK;
}

/* See one index of every window in an array that they are of. */
static dt_status see_index(dt_world *world, dt_array *array, const windows *cut,
                           int64_t index, dt_array **out)
{
    if (array->shape.ndim == 0) {
        *out = dt_array_retain(array);
        return DT_OK;
    }
    return dt_array_slice(world, array, cut->dim, index,
                          index + (cut->count - 1) * cut->step + 1, cut->step,
                          out);
}

/* ---- unfold ------------------------------------------------------------- */

static dt_status unfold_meta(dt_operation *operation)
{
    windows cut;
    dt_shape shape = operation->metas[0]->shape;
    DTI_TRY(read_windows(operation, "dimension", &operation->metas[0]->shape,
                         &cut));
    DTI_TRY(shape_of(operation, &cut, &shape));
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

/* Copy an array whose windows overlap. */
static dt_status unfold_kernel(dt_operation *operation)
{
    windows cut;
    dt_array *view = NULL, *in = operation->in[0];
    dt_shape shape = in->shape;
    int64_t strides[DT_MAX_NDIM] = {0};
    DTI_TRY(read_windows(operation, "dimension", &operation->metas[0]->shape,
                         &cut));
    if (operation->out[0]->count == 0)
        return DT_OK;
    for (int i = 0; i < shape.ndim; i++)
        strides[i] = in->strides[i];
    strides[shape.ndim] = shape.ndim ? strides[cut.dim] : 1;
    /* Of one window the step does not matter, and the product might not fit. */
    if (cut.count > 1)
        strides[cut.dim] *= cut.step;
    DTI_TRY(shape_of(operation, &cut, &shape));
    DTI_TRY(dti_scratch_view(operation, in, shape, strides, &view));
    return dt_array_copy(operation->world, view, operation->out[0]);
}

/* ---- unfold_backward ---------------------------------------------------- */

static dt_status read_backward(const dt_operation *operation, dt_shape *shape,
                               windows *out)
{
    DTI_TRY(dti_meta_shape(operation, 1, shape));
    return read_windows(operation, "dim", shape, out);
}

static dt_status backward_meta(dt_operation *operation)
{
    windows cut;
    dt_shape shape, wanted, given = operation->metas[0]->shape;
    DTI_TRY(read_backward(operation, &shape, &cut));
    wanted = shape;
    DTI_TRY(shape_of(operation, &cut, &wanted));
    if (!dt_shape_equal(given, wanted))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "grad_in has shape %s; the windows of shape %s have shape %s",
            dti_shape_show(given).text, dti_shape_show(shape).text,
            dti_shape_show(wanted).text);
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

/* Add one index of every window to where it was taken from: no two of them are
 * of one place. */
static dt_status add_index(dt_operation *operation, const windows *cut,
                           int64_t index)
{
    dt_array *from = NULL, *to = NULL, *grad = operation->in[0];
    dt_world *world = operation->world;
    DTI_TRY(dt_array_select(world, grad, grad->shape.ndim - 1, index, &from));
    dt_status status = see_index(world, operation->out[0], cut, index, &to);
    if (status == DT_OK) {
        const dti_pointwise_input inputs[] = {{.array = to}, {.array = from}};
        dti_pointwise_apply(DTI_ADD, to->dtype, inputs, to);
    }
    dt_array_release(from);
    dt_array_release(to);
    return status;
}

static dt_status backward_kernel(dt_operation *operation)
{
    windows cut;
    dt_shape shape;
    DTI_TRY(read_backward(operation, &shape, &cut));
    DTI_TRY(dt_array_fill_int(operation->world, operation->out[0], 0));
    if (operation->in[0]->count == 0)
        return DT_OK;
    for (int64_t i = 0; i < cut.size; i++)
        DTI_TRY(add_index(operation, &cut, i));
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_unfold[] = {
    {
        .schema = "unfold(Tensor self, Dim dimension, int size, int step) -> "
                  "Tensor",
        .aten = "unfold unfold_copy",
        .about = "Copy windows of `size` elements along a dimension, `step` "
                 "apart, into a new last dimension.",
        .rule = "...d?->...d?s; d at dimension whole, s whole",
        .permutes = "self",
        .flags = DT_OP_OUT,
        .meta = unfold_meta,
        .kernel = unfold_kernel,
        .gradient =
            "self: unfold_backward(grad, shape(self), dimension, size, step)",
        .samples =
            "(T[m,9], 1, 3, 2); (T[7,n], 0, 2, 1); (T[m,3,n], -2, 3, 1); "
            "(T[], 0, 1, 1)",
    },
    {
        .schema = "unfold_backward(Tensor grad_in, Shape input_sizes, Dim dim, "
                  "int size, int step) -> Tensor",
        .about = "Gradient of unfold: sum windows at their positions in a "
                 "tensor of the given shape.",
        .rule = "...d?s->...d?; d at dim whole, s gone",
        .linear = "grad_in",
        .flags = DT_OP_OUT,
        .meta = backward_meta,
        .kernel = backward_kernel,
        .gradient = "grad_in: unfold(grad, dim, size, step)",
        .samples = "(T[m,4,3], [m,9], 1, 3, 2); (T[6,n,2], [7,n], 0, 2, 1); "
                   "(T[1], [], 0, 1, 1)",
        .dtypes = "float int complex",
    },
    {0},
};
