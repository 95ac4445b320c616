/* ops/training/gradient.c - what gradients of several operators have in common.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/index/put.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"

/* ---- sum_to_size -------------------------------------------------------- */

/* The dimensions of a shape that broadcasting made of another one; false if it
 * cannot be so. */
static bool find_repeated(dt_shape shape, dt_shape before, dt_dims *out)
{
    int front = shape.ndim - before.ndim;
    *out = (dt_dims){.ndim = 0};
    for (int i = 0; i < shape.ndim; i++) {
        int64_t extent = i < front ? 1 : before.dims[i - front];
        if (i >= front && extent == shape.dims[i])
            continue;
        if (extent != 1)
            return false;
        out->dims[out->ndim++] = i;
    }
    return front >= 0;
}

static dt_dims first_dims(int count)
{
    dt_dims out = {.ndim = count};
    for (int i = 0; i < count; i++)
        out.dims[i] = i;
    return out;
}

static dt_status sum_to_size(dt_operation *operation)
{
    dt_dims dims;
    dt_tensor *self = operation->inputs[0];
    const dt_argument *size = dti_argument(operation, "size");
    dt_shape shape = dt_tensor_shape(self);
    dt_shape before = size->count <= shape.ndim
                          ? dt_shape_make(size->count, size->as.integers)
                          : shape;
    if (size->count > shape.ndim || !find_repeated(shape, before, &dims))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "shape %s cannot be reduced to %s: it is not a broadcast of that",
            dti_shape_show(shape).text,
            size->count <= shape.ndim ? dti_shape_show(before).text
                                      : "more dimensions");
    int front = shape.ndim - before.ndim;
    bool fronts_alone = dims.ndim == front;
    if (dims.ndim == 0 && before.ndim > 0) {
        operation->outputs[0] = dt_alias(self);
        return DT_OK;
    }
    dt_tensor *sum = dt_sum(self, dims, !fronts_alone);
    if (front > 0 && !fronts_alone) {
        dt_tensor *kept = sum;
        sum = dt_squeeze(kept, first_dims(front));
        dt_tensor_release_early(kept);
    }
    operation->outputs[0] = sum;
    return DT_OK;
}

/* ---- Values that were selected ------------------------------------------ */

enum { GRAD, INDICES };

/* What was selected from: its shape, and the dimension that is gone, or of
 * extent 1, in the tensors that are given. */
typedef struct source {
    dt_shape shape;
    int dim;
    bool keeps;
} source;

static dt_status read_source(const dt_operation *operation, source *out)
{
    const dt_argument *given = operation->arguments;
    DTI_TRY(dti_meta_shape(operation, 3, &out->shape));
    out->keeps = given[4].as.integer != 0 || out->shape.ndim == 0;
    return dt_operation_dim(operation, given[1].as.integer, out->shape.ndim,
                            &out->dim);
}

/* The shape of what is given. */
static dt_shape selected_shape(const source *from)
{
    dt_shape shape = DT_SHAPE();
    for (int i = 0; i < from->shape.ndim; i++) {
        if (i != from->dim)
            shape.dims[shape.ndim++] = from->shape.dims[i];
        else if (from->keeps)
            shape.dims[shape.ndim++] = 1;
    }
    return shape;
}

static dt_status selecting_meta(dt_operation *operation)
{
    source from;
    DTI_TRY(read_source(operation, &from));
    DTI_TRY(dti_index_check(operation, INDICES));
    for (int i = GRAD; i <= INDICES; i++) {
        dt_shape wanted = selected_shape(&from);
        dt_shape given = operation->metas[i]->shape;
        if (!dt_shape_equal(given, wanted))
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "%s has shape %s; the result of selecting "
                                     "along dim %d of %s has shape %s",
                                     i == GRAD ? "grad" : "indices",
                                     dti_shape_show(given).text, from.dim,
                                     dti_shape_show(from.shape).text,
                                     dti_shape_show(wanted).text);
    }
    return dti_meta_add(operation, operation->metas[GRAD]->dtype, from.shape);
}

static dt_status selecting_factors(const dt_operation *operation,
                                   dt_factors *out)
{
    source from;
    DTI_TRY(read_source(operation, &from));
    *out = (dt_factors){.in_count = 2, .out_count = 1};
    for (int i = 0; i < from.shape.ndim; i++) {
        int own = i - (!from.keeps && i > from.dim);
        if (i == from.dim)
            continue;
        int factor = dti_factor_add(out, DT_FACTOR_FREE, from.shape.dims[i]);
        dti_factor_put(&out->in[GRAD].dims[own], factor);
        dti_factor_put(&out->in[INDICES].dims[own], factor);
        dti_factor_put(&out->out[0].dims[i], factor);
    }
    return DT_OK;
}

/* One position for each element that is given, in the places of the other
 * dimensions. */
static void put_selected(const dt_operation *operation, const source *from,
                         const dt_array *positions)
{
    const dt_array *grad = operation->in[GRAD];
    dt_array *out = operation->out[0];
    dti_putting putting = {.dtype = out->dtype,
                           .to = dt_array_data(out),
                           .step =
                               from->shape.ndim ? out->strides[from->dim] : 0,
                           .positions = dt_array_const_data(positions),
                           .from = dt_array_const_data(grad)};
    for (int i = 0; i < from->shape.ndim; i++) {
        int own = i - (!from->keeps && i > from->dim), to = putting.ndim;
        if (i == from->dim)
            continue;
        putting.dims[to] = out->shape.dims[i];
        putting.strides[to] = out->strides[i];
        putting.position_strides[to] = positions->strides[own];
        putting.from_strides[to] = grad->strides[own];
        putting.ndim++;
    }
    dti_put_elements(&putting, DTI_PUT_SET);
}

static dt_status selecting_kernel(dt_operation *operation)
{
    source from;
    dt_array *positions = NULL;
    dt_array *out = operation->out[0];
    DTI_TRY(read_source(operation, &from));
    DTI_TRY(dt_array_fill_int(operation->world, out, 0));
    if (operation->in[INDICES]->count == 0)
        return DT_OK;
    DTI_TRY(dt_array_cast(operation->world, operation->in[INDICES], DT_I64,
                          &positions));
    dt_status status =
        dti_index_locate(operation, INDICES, operation->out_specs[0], from.dim,
                         NULL, dt_array_data(positions), positions->count);
    if (status == DT_OK)
        put_selected(operation, &from, positions);
    dt_array_release(positions);
    return status;
}

/* What was put is taken from where it was put. */
static dt_status selecting_backward(dt_backward_call *call)
{
    const int ndim = call->out_specs[0]->meta.shape.ndim;
    const int dim = (int)call->arguments[1].as.integer;
    const bool keeps = call->arguments[4].as.integer != 0 || ndim == 0;
    dt_tensor *indices = call->inputs[INDICES];
    dt_tensor *taken = dt_gather(call->grads[0], dim,
                                 keeps ? indices : dt_unsqueeze(indices, dim));
    call->gradients[GRAD] = keeps ? taken : dt_squeeze(taken, DT_DIMS(dim));
    return call->gradients[GRAD] ? DT_OK : dti_failure_of(call->world);
}

/* ---- expand_reduced ------------------------------------------------------ */

/* Give a shape the dimensions that a reduction removed, with extent 1. */
static dt_status find_kept(const dt_operation *operation, dt_shape size,
                           dt_shape *out)
{
    const dt_argument *dims = dti_argument(operation, "dims");
    *out = size;
    for (int i = 0; i < size.ndim && dims->count == 0; i++)
        out->dims[i] = 1;
    for (int i = 0; i < dims->count; i++) {
        int dim;
        DTI_TRY(
            dt_operation_dim(operation, dims->as.integers[i], size.ndim, &dim));
        if (dim < size.ndim)
            out->dims[dim] = 1;
    }
    return DT_OK;
}

static dt_status expand_reduced(dt_operation *operation)
{
    const dt_argument *given = dti_argument(operation, "size");
    dt_tensor *self = operation->inputs[0];
    const dt_shape size = dt_shape_make(given->count, given->as.integers);
    dt_shape kept;
    DTI_TRY(find_kept(operation, size, &kept));
    if (!dt_shape_equal(dt_tensor_shape(self), kept))
        self = dt_reshape(self, kept);
    operation->outputs[0] = dt_expand(self, size);
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_gradient[] = {
    {
        .schema = "sum_to_size(Tensor self, Shape size) -> Tensor",
        .about = "Sum over broadcast dimensions to a shape: the gradient of an "
                 "expanded tensor.",
        .flags = DT_OP_HELPER,
        .compose = sum_to_size,
        .gradient = "self: expand(grad, shape(self))",
        .samples = "(T[m,n], [m,1]); (T[m,n], [n]); (T[3,m,n], [1,n]); "
                   "(T[m,n], []); (T[m,n], [m,n]); (T[1,n], [1]); (T[], [])",
    },
    {
        .schema = "expand_reduced(Tensor self, Shape size, Dims dims, bool "
                  "keepdim) -> Tensor",
        .aten = "",
        .about = "Expand the result of a reduction along dimensions to the "
                 "shape that was reduced: the gradient of a sum.",
        .flags = DT_OP_HELPER,
        .compose = expand_reduced,
        .samples = "(T[m], [m,3], [1], false); (T[m,1], [m,3], [1], true); "
                   "(T[], [m,n], [], false); (T[1,n], [m,n], [-2], true)",
    },
    {
        .schema = "value_selecting_reduction_backward(Tensor grad, Dim dim, "
                  "Tensor indices, Shape sizes, bool keepdim) -> Tensor",
        .about = "Gradient of max_dim, median_dim, mode and similar: a tensor "
                 "of the given shape with elements at the selected indexes "
                 "along a dimension and zeros elsewhere.",
        .permutes = "grad",
        .meta = selecting_meta,
        .factors = selecting_factors,
        .kernel = selecting_kernel,
        .gradient = "grad: function(indices); indices: none",
        .backward = selecting_backward,
        .samples = "(T[m], 1, i64[m]<5, [m,5], false); "
                   "(T[1,n], 0, i32[1,n]<7, [7,n], true); "
                   "(T[m,n], -2, i64[m,n]<3, [m,3,n], false); "
                   "(T[], 0, i64[]<4, [4], false); "
                   "(T[], 0, i64[]<1, [], false)",
    },
    {0},
};
