/* ops/sort.c - the largest or least elements, in order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/topk.h"
#include "op/meta.h"
#include "ops/tables.h"

static dt_status topk_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const int64_t k = operation->arguments[1].as.integer;
    dt_shape shape = in->shape;
    int dim;
    DTI_TRY(dt_operation_dim(operation, operation->arguments[2].as.integer,
                             shape.ndim, &dim));
    if (in->dtype == DT_C64 || in->dtype == DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "not of %s",
                                 dt_dtype_name(in->dtype));
    const int64_t extent = shape.ndim ? shape.dims[dim] : 1;
    if (k < 0 || k > extent)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "k is %" PRId64 ", dimension %d has %" PRId64
                                 " elements",
                                 k, dim, extent);
    if (shape.ndim == 0 && k == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "k is 0 of a 0-d tensor");
    if (shape.ndim)
        shape.dims[dim] = k;
    DTI_TRY(dti_meta_add(operation, in->dtype, shape));
    return dti_meta_add(operation, DT_I64, shape);
}

static dt_status topk_kernel(dt_operation *operation)
{
    const int64_t k = operation->arguments[1].as.integer;
    dt_array *in = operation->in[0], *scratch = NULL;
    int dim;
    DTI_TRY(dt_operation_dim(operation, operation->arguments[2].as.integer,
                             dt_array_ndim(in), &dim));
    DTI_TRY(
        dt_array_create(operation->world, DT_I64, DT_SHAPE(2 * k), &scratch));
    dti_topk_array(in, dim, k, operation->arguments[3].as.integer,
                   dt_array_data(operation->out[0]),
                   dt_array_data(operation->out[1]), dt_array_data(scratch));
    dt_array_release(scratch);
    return DT_OK;
}

const dt_op dti_ops_sort[] = {
    {
        .schema = "topk(Tensor self, int k, Dim dim, bool largest, "
                  "bool sorted) -> (Tensor values, Tensor indices)",
        .aten = "topk",
        .about = "Give the k largest or least elements along a dimension, the "
                 "first of these first, whether `sorted` or not.  NaN is "
                 "larger than every number; of equal elements the one with the "
                 "smaller index comes first.",
        .rule = "...->..., ...; dim whole",
        .meta = topk_meta,
        .kernel = topk_kernel,
        .samples = "(T[m,7], 3, -1, true, true); (T[5,n], 2, 0, false, true); "
                   "(T[m,4,n], 4, 1, true, false); (T[], 1, 0, true, true); "
                   "(T[m,n], 0, 1, true, true)",
        .dtypes = "float int",
    },
    {0},
};
