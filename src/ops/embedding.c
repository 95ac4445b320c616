/* ops/embedding.c - rows of a table, named by indexes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "op/meta.h"
#include "ops/index.h"
#include "ops/tables.h"

static dt_status embedding_meta(dt_operation *operation)
{
    const dt_meta *weight = operation->metas[0];
    dt_shape shape = operation->metas[1]->shape;
    int64_t padding = operation->arguments[2].as.integer;
    DTI_TRY(dti_index_check(operation, 1));
    if (weight->shape.ndim != 2 || shape.ndim == DT_MAX_NDIM)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "weight is %s, indices is %s; weight has 2 dimensions, indices %d "
            "at most",
            dti_shape_show(weight->shape).text, dti_shape_show(shape).text,
            DT_MAX_NDIM - 1);
    if (padding < -1 || (padding >= weight->shape.dims[0] && padding > 0))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "padding_idx %lld of a weight of %lld "
                                 "rows; -1 is none",
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
    dt_status status =
        dti_index_pick(operation, &picking, positions->shape.ndim - 1);
    dt_array_release(positions);
    return status;
}

const dt_op dti_ops_embedding[] = {
    {
        .schema = "embedding(Tensor weight, Tensor indices, *, "
                  "int padding_idx=-1) -> Tensor",
        .aten = "embedding",
        .about = "Take the rows of a table that indexes name.  `padding_idx` "
                 "matters to gradients alone.",
        .rule = "vd,...->...d; v masked",
        .moves = "weight",
        .meta = embedding_meta,
        .kernel = embedding_kernel,
        .samples = "(T[7,d], i64[m]<7); (T[7,d], i32[m,n]<7); "
                   "(T[7,3], i64[]<7); (T[7,d], i64[m,2]<7, padding_idx=2)",
        .dtypes = "float",
    },
    {0},
};
