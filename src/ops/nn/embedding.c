/* ops/nn/embedding.c - rows of a table, named by indexes, and what comes back.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "base/error.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"

static dt_status embedding_meta(dt_operation *operation)
{
    const dt_meta *weight = operation->metas[0];
    dt_shape shape = operation->metas[1]->shape;
    int64_t padding = dti_argument_int(operation, "padding_idx");
    DTI_TRY(dti_index_check(operation, 1));
    if (weight->shape.ndim != 2 || shape.ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "weight has shape %s, indices has shape %s; "
                                 "expected 2 dimensions and at most %d",
                                 dti_shape_show(weight->shape).text,
                                 dti_shape_show(shape).text, DT_MAX_NDIM - 1);
    if (padding < -1 || (padding >= weight->shape.dims[0] && padding > 0))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "padding_idx %lld is out of range for a "
                                 "weight of %lld rows; -1 means none",
                                 (long long)padding,
                                 (long long)weight->shape.dims[0]);
    shape.dims[shape.ndim++] = weight->shape.dims[1];
    return dti_meta_add(operation, weight->dtype, shape);
}

static dt_status embedding_kernel(dt_operation *operation)
{
    const dt_array *weight = operation->in[0];
    dt_array *positions = NULL;
    DTI_TRY(dti_index_positions(operation, 1, 0, 0, &positions));
    dti_picking picking = {.item = dt_dtype_size(weight->dtype),
                           .ndim = 2,
                           .dims = {positions->count, weight->shape.dims[1]},
                           .from = dt_array_const_data(weight),
                           .strides = {0, weight->strides[1]},
                           .step = weight->strides[0],
                           .positions = dt_array_const_data(positions),
                           .position_strides = {1, 0}};
    return dti_index_pick(operation, &picking, positions->shape.ndim - 1);
}

/* ---- Backward ----------------------------------------------------------- */

enum { NUM_WEIGHTS = 2, PADDING_IDX, SCALE_BY_FREQ };

static dt_status backward_meta(dt_operation *operation)
{
    const dt_meta *grad = operation->metas[0];
    const dt_shape indices = operation->metas[1]->shape;
    const int64_t rows = dti_argument_int(operation, "num_weights");
    DTI_TRY(dti_index_check(operation, 1));
    if (dt_dtype_kind_of(grad->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "grad_output is %s; expected a floating-point dtype",
            dt_dtype_name(grad->dtype));
    if (rows < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "num_weights is %lld; must not be negative",
                                 (long long)rows);
    bool fits = grad->shape.ndim == indices.ndim + 1;
    for (int i = 0; fits && i < indices.ndim; i++)
        fits = grad->shape.dims[i] == indices.dims[i];
    if (!fits)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "grad_output has shape %s, indices has shape %s; expected the same "
            "shape and one more dimension",
            dti_shape_show(grad->shape).text, dti_shape_show(indices).text);
    return dti_meta_add(operation, grad->dtype,
                        DT_SHAPE(rows, grad->shape.dims[indices.ndim]));
}

/* One over how often each index occurs. */
static dt_status count_indexes(const dt_operation *operation,
                               const dt_array *indexes, dt_array **out)
{
    const int64_t rows = dti_argument_int(operation, "num_weights");
    const int64_t count = dt_array_count(indexes);
    const int64_t *at = dt_array_const_data(indexes);
    dt_array *counts = NULL;
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(rows), &counts));
    DTI_TRY(dti_scratch_create(operation, DT_F64, DT_SHAPE(count), out));
    int64_t *times = dt_array_data(counts);
    double *to = dt_array_data(*out);
    for (int64_t i = 0; i < rows; i++)
        times[i] = 0;
    for (int64_t i = 0; i < count; i++)
        if (at[i] >= 0 && at[i] < rows)
            times[at[i]]++;
    for (int64_t i = 0; i < count; i++)
        to[i] = at[i] >= 0 && at[i] < rows ? 1 / (double)times[at[i]] : 0;
    return DT_OK;
}

typedef struct gradient {
    dt_array *grad;
    dt_array *places;
    dt_array *scales; /* NULL: 1 */
    dt_array *room;
} gradient;

static dt_status open_gradient(dt_operation *operation, gradient *at)
{
    dt_array *grad = operation->in[0], *out = operation->out[0];
    const dt_dtype carrier = dti_rows_carrier(dt_array_dtype(out));
    const int64_t padding = dti_argument_int(operation, "padding_idx");
    DTI_TRY(dti_scratch_copy(operation, operation->in[1], DT_I64, &at->places));
    if (dti_argument_bool(operation, "scale_grad_by_freq"))
        DTI_TRY(count_indexes(operation, at->places, &at->scales));
    if (dt_array_count(at->places) > 0)
        DTI_TRY(dti_index_locate(operation, 1, operation->out_specs[0], 0,
                                 &padding, dt_array_data(at->places),
                                 dt_array_count(at->places)));
    DTI_TRY(dti_scratch_cast(operation, grad, carrier, &at->grad));
    return dti_rows_room(operation, out, 2, carrier, &at->room);
}

static dt_status backward_kernel(dt_operation *operation)
{
    gradient at = {NULL, NULL, NULL, NULL};
    DTI_TRY(open_gradient(operation, &at));
    const dti_along runs = dti_rows_runs(at.grad);
    if (dt_array_count(at.room) > 0) {
        memset(dt_array_data(at.room), 0, dt_array_bytes(at.room));
        dti_along_gather(&runs, dt_array_const_data(at.grad),
                         dt_array_const_data(at.places),
                         at.scales ? dt_array_const_data(at.scales) : NULL,
                         dt_array_data(at.room));
    }
    return dti_rows_settle(operation, at.room, 2, operation->out[0]);
}

/* ---- Gradients ---------------------------------------------------------- */

static dt_status give(dt_backward_call *call, dt_tensor *weight)
{
    call->gradients[0] = weight;
    return weight ? DT_OK : dti_failure_of(call->world);
}

static dt_status embedding_gradient(dt_backward_call *call)
{
    return give(call, dt_embedding_dense_backward(
                          call->grads[0], call->inputs[1],
                          dt_spec_shape(call->in_specs[0]).dims[0],
                          call->arguments[2].as.integer, false));
}

/* Each index takes its row again, but that of padding takes zeros. */
static dt_status embedding_second_gradient(dt_backward_call *call)
{
    dt_tensor *indices = call->inputs[1];
    const int64_t padding = call->arguments[PADDING_IDX].as.integer;
    if (call->arguments[SCALE_BY_FREQ].as.integer)
        return dti_fail(call->world, DT_ERR_UNSUPPORTED,
                        "embedding_dense_backward: has no gradient if "
                        "scale_grad_by_freq is set");
    dt_tensor *taken = dt_embedding(call->grads[0], indices);
    if (padding >= 0)
        taken = dt_masked_fill(
            taken, dt_unsqueeze(dt_eq_scalar(indices, dt_integer(padding)), -1),
            dt_integer(0));
    return give(call, taken);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_embedding[] = {
    {
        .schema = "embedding(Tensor weight, Tensor indices, *, "
                  "int padding_idx=-1) -> Tensor",
        .about = "Select rows of a table by index.  `padding_idx` only matters "
                 "to gradients.",
        .rule = "vd,...->...d; v masked",
        .permutes = "weight",
        .flags = DT_OP_ZEROES_MASK,
        .meta = embedding_meta,
        .kernel = embedding_kernel,
        .gradient = "weight: function(indices); indices: none",
        .backward = embedding_gradient,
        .samples = "(T[7,d], i64[m]<7); (T[7,d], i32[m,n]<7); "
                   "(T[7,3], i64[]<7); (T[7,d], i64[m,2]<7, padding_idx=2)",
        .dtypes = "float",
    },
    {
        .schema = "embedding_dense_backward(Tensor grad_output, "
                  "Tensor indices, int num_weights, int padding_idx, "
                  "bool scale_grad_by_freq) -> Tensor",
        .aten = "embedding_dense_backward embedding_backward",
        .about = "Gradient of embedding with respect to its weight: the sum, "
                 "or the mean if scale_grad_by_freq, of the gradients of each "
                 "row; zero for the row padding_idx.",
        .rule = "...d,...->vd; ... sum, ... whole if scale_grad_by_freq",
        .linear = "grad_output",
        .meta = backward_meta,
        .kernel = backward_kernel,
        .gradient = "grad_output: function(indices); indices: none",
        .backward = embedding_second_gradient,
        .samples = "(T[m,d], i64[m]<7, 7, -1, false); "
                   "(T[m,n,d], i32[m,n]<5, 5, 2, false); "
                   "(T[m,3], i64[m]<7, 9, -1, true); "
                   "(T[d], i64[]<4, 4, 0, false)",
        .dtypes = "float",
    },
    {0},
};
