/* ops/index/index_add.c - indexes of a dimension put where a 1-d tensor says.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "kernel/index/put.h"
#include "kernel/pointwise/pointwise.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"
#include "ops/index/put.h"

/* Tensors of all these: self, the index, and what is put. */
enum { SELF, INDEX, SOURCE };

static dt_status read_dim(const dt_operation *operation, int *dim)
{
    return dti_argument_dim(operation, "dim",
                            operation->metas[SELF]->shape.ndim, dim);
}

/* ---- Checks ------------------------------------------------------------- */

static dt_status check_index(const dt_operation *operation)
{
    dt_shape index = operation->metas[INDEX]->shape;
    DTI_TRY(dti_index_check(operation, INDEX));
    if (index.ndim > 1)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "index has shape %s; expected at most 1 dimension",
            dti_shape_show(index).text);
    return DT_OK;
}

/* What is put has as many indexes of the dimension as the index has elements;
 * a 0-d tensor counts as one of one. */
static dt_status check_source(const dt_operation *operation, int dim)
{
    dt_shape self = operation->metas[SELF]->shape;
    dt_shape source = operation->metas[SOURCE]->shape, wanted = self;
    int64_t count = dt_shape_count(operation->metas[INDEX]->shape);
    if (self.ndim > 0)
        wanted.dims[dim] = count;
    bool one = count == 1 && dt_shape_count(source) == 1 && source.ndim <= 1;
    if (self.ndim == 0 ? one : dt_shape_equal(source, wanted))
        return DT_OK;
    if (self.ndim == 1 && source.ndim == 0 && count == 1)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "source has shape %s, which does not match %lld "
                             "indexes of dim %d of shape %s",
                             dti_shape_show(source).text, (long long)count, dim,
                             dti_shape_show(self).text);
}

static dt_status put_meta(dt_operation *operation)
{
    int dim;
    dt_dtype self = operation->metas[SELF]->dtype;
    dt_dtype source = operation->metas[SOURCE]->dtype;
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(check_index(operation));
    DTI_TRY(check_source(operation, dim));
    if (self != source)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self is %s but source is %s; the dtypes must be equal",
            dt_dtype_name(self), dt_dtype_name(source));
    return dti_meta_like_first(operation);
}

static dt_status fill_scalar_meta(dt_operation *operation)
{
    int dim;
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(check_index(operation));
    return dti_meta_like_first(operation);
}

static dt_status fill_meta(dt_operation *operation)
{
    dt_dtype self = operation->metas[SELF]->dtype;
    const dt_meta *value = operation->metas[SOURCE];
    if (value->shape.ndim != 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "value has shape %s; expected a 0-d tensor",
                                 dti_shape_show(value->shape).text);
    if (dt_dtype_kind_of(value->dtype) == DT_KIND_COMPLEX && self != DT_C64)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "value is c64 and cannot be stored in self, which is %s",
            dt_dtype_name(self));
    return fill_scalar_meta(operation);
}

/* A factor has to be a number of the kind that is computed with. */
static dt_status check_alpha(const dt_operation *operation)
{
    dt_dtype dtype = operation->results[0].dtype;
    dt_number alpha = dti_argument_number(operation, "alpha");
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if ((alpha.kind == DT_KIND_FLOAT && kind != DT_KIND_FLOAT &&
         kind != DT_KIND_COMPLEX) ||
        (alpha.kind == DT_KIND_BOOLEAN && kind != DT_KIND_BOOLEAN))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "alpha is %g and cannot be applied to dtype %s",
            dt_number_real(alpha), dt_dtype_name(dtype));
    return DT_OK;
}

/* ---- Putting ------------------------------------------------------------ */

/* A position for each index of the dimension that is put. */
static dti_putting slices(const dt_operation *operation, int dim,
                          const dt_array *positions)
{
    dt_array *out = operation->out[0];
    dti_putting putting = {.dtype = out->dtype,
                           .ndim = out->shape.ndim ? out->shape.ndim : 1,
                           .to = dt_array_data(out),
                           .step = out->shape.ndim ? out->strides[dim] : 0,
                           .positions = dt_array_const_data(positions)};
    for (int i = 0; i < putting.ndim; i++) {
        putting.dims[i] = i == dim ? positions->count : out->shape.dims[i];
        putting.strides[i] = i == dim ? 0 : out->strides[i];
        putting.position_strides[i] = i == dim;
    }
    return putting;
}

/* Put an array, or one element for all. */
static dt_status put_with(dt_operation *operation, const dt_array *source,
                          const dt_array *positions, int dim, dti_put_mode mode)
{
    DTI_TRY(dti_put_begin(operation));
    if (positions->count == 0 || operation->out[0]->count == 0)
        return DT_OK;
    dti_putting putting = slices(operation, dim, positions);
    putting.from = dt_array_const_data(source);
    for (int i = 0; i < source->shape.ndim; i++)
        putting.from_strides[i] = source->strides[i];
    dti_put_elements(&putting, mode);
    return DT_OK;
}

static dt_status put_slices(dt_operation *operation, const dt_array *source,
                            dti_put_mode mode, bool wraps)
{
    int dim;
    dt_array *positions = NULL;
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(wraps
                ? dti_index_wrapped(operation, INDEX, SELF, dim, &positions)
                : dti_index_positions(operation, INDEX, SELF, dim, &positions));
    return put_with(operation, source, positions, dim, mode);
}

static dt_status copy_kernel(dt_operation *operation)
{
    return put_slices(operation, operation->in[SOURCE], DTI_PUT_SET, false);
}

static dt_status add_kernel(dt_operation *operation)
{
    dt_array *scaled = NULL;
    dt_array *source = operation->in[SOURCE];
    dt_number alpha = dti_argument_number(operation, "alpha");
    if (dt_number_is(alpha, 1) || source->count == 0)
        return put_slices(operation, source, DTI_PUT_ADD, false);
    const dti_pointwise_input inputs[] = {{.array = source}, {.number = alpha}};
    DTI_TRY(
        dti_scratch_create(operation, source->dtype, source->shape, &scaled));
    dti_pointwise_apply(DTI_MUL, source->dtype, inputs, scaled);
    return put_slices(operation, scaled, DTI_PUT_ADD, false);
}

static dt_status fill_kernel(dt_operation *operation)
{
    dt_array *value = NULL;
    DTI_TRY(dti_scratch_cast(operation, operation->in[SOURCE],
                             operation->out[0]->dtype, &value));
    return put_slices(operation, value, DTI_PUT_SET, true);
}

static dt_status fill_scalar_kernel(dt_operation *operation)
{
    dt_array *value = NULL;
    DTI_TRY(dti_put_number(operation, dti_argument_number(operation, "value"),
                           &value));
    return put_slices(operation, value, DTI_PUT_SET, true);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_index_add[] = {
    {
        .schema = "index_add(Tensor self, Dim dim, Tensor index, "
                  "Tensor source, *, Number alpha=1) -> Tensor",
        .about =
            "Add each slice of source along a dimension, multiplied by alpha, "
            "to the slice of self at the index given by a 1-d tensor.",
        .arguments = "alpha: multiplier of source",
        .rule = "...d?,i?,...i?->...d?; d at dim, i at dim",
        .linear = "self + source",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = put_meta,
        .check = check_alpha,
        .kernel = add_kernel,
        .gradient = "self: grad; index: none; source: index_select(grad, dim, "
                    "index) * conj(alpha)",
        .samples = "(T[5,n], 0, i64[m]<5, T[m,n]); "
                   "(T[m,7], -1, i32[n]<7, T[m,n], alpha=2); "
                   "(T[m,3,n], 1, i64[4]<3, T[m,4,n], alpha=-1); "
                   "(T[m], 0, i64[]<m, T[])",
        .dtypes = "float int complex",
    },
    {
        .schema = "index_copy(Tensor self, Dim dim, Tensor index, "
                  "Tensor source) -> Tensor",
        .about =
            "Copy each slice of source along a dimension to the index given by "
            "a 1-d tensor; of several at one index, the last is stored.",
        .rule = "...d?,i?,...i?->...d?; d at dim, i at dim whole",
        .permutes = "self source",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = put_meta,
        .kernel = copy_kernel,
        .gradient = "self: index_fill_scalar(grad, dim, index, 0); index: "
                    "none; source: index_select(grad, dim, index)",
        .samples = "(T[5,n], 0, i64[m]<5, T[m,n]); "
                   "(T[m,7], -1, i32[n]<7, T[m,n]); "
                   "(T[m,3,n], 1, i64[4]<3, T[m,4,n])",
    },
    {
        .schema = "index_fill_scalar(Tensor self, Dim dim, Tensor index, "
                  "Number value) -> Tensor",
        .aten = "index_fill.int_Scalar",
        .about = "Set the indexes of a dimension listed in a 1-d tensor to a "
                 "number; negative indexes count from the end.",
        .rule = "...d?,i?->...d?; d at dim, i whole",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = fill_scalar_meta,
        .check = dti_value_check_argument,
        .kernel = fill_scalar_kernel,
        .gradient = "self: index_fill_scalar(grad, dim, index, 0); index: none",
        .samples = "(T[5,n], 0, i64[m]<5, 3); (T[m,7], -1, i32[n]<7, true); "
                   "(T[m,3,n], 1, i64[2]<3, 0)",
    },
    {
        .schema = "index_fill(Tensor self, Dim dim, Tensor index, "
                  "Tensor value) -> Tensor",
        .aten = "index_fill.int_Tensor",
        .about = "Set the indexes of a dimension listed in a 1-d tensor to the "
                 "value of a 0-d tensor; negative indexes count from the end.",
        .rule = "...d?,i?,->...d?; d at dim, i whole",
        .permutes = "self value",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = fill_meta,
        .kernel = fill_kernel,
        .gradient =
            "self: index_fill_scalar(grad, dim, index, 0); index: none; value: "
            "masked_fill(grad, eq_scalar(index_fill_scalar(zeros(self), dim, "
            "index, 1), 0), 0)",
        .samples = "(T[5,n], 0, i64[m]<5, T[]); (T[m,7], -1, i32[n]<7, T[])",
    },
    {0},
};
