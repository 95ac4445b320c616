/* ops/softmax.c - softmax and its logarithm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/softmax.h"
#include "op/meta.h"
#include "ops/tables.h"

static bool is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

static dt_status softmax_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const dt_argument *option = &operation->arguments[2];
    const dt_dtype dtype =
        option->kind == DT_ARG_NONE ? in->dtype : (dt_dtype)option->as.integer;
    int dim;
    DTI_TRY(dt_operation_dim(operation, operation->arguments[1].as.integer,
                             in->shape.ndim, &dim));
    if (!is_float(dtype))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not in %s; give a dtype of floats",
                                 dt_dtype_name(dtype));
    return dti_meta_add(operation, dtype, in->shape);
}

/* Integers and complex numbers are converted first. */
static dt_status run_softmax(dt_operation *operation, bool logarithm)
{
    dt_array *in = operation->in[0], *cast = NULL, *out = operation->out[0];
    int dim;
    DTI_TRY(dt_operation_dim(operation, operation->arguments[1].as.integer,
                             dt_array_ndim(in), &dim));
    if (!is_float(dt_array_dtype(in))) {
        DTI_TRY(
            dt_array_cast(operation->world, in, dt_array_dtype(out), &cast));
        in = cast;
    }
    dti_softmax_array(logarithm, in, dim, dt_array_data(out),
                      dt_array_dtype(out));
    dt_array_release(cast);
    return DT_OK;
}

static dt_status softmax_kernel(dt_operation *operation)
{
    return run_softmax(operation, false);
}

static dt_status log_softmax_kernel(dt_operation *operation)
{
    return run_softmax(operation, true);
}

const dt_op dti_ops_softmax[] = {
    {
        .schema = "softmax(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "_softmax softmax.int",
        .about = "Give exp(x) / sum(exp(x)) along a dimension.",
        .rule = "...->...; dim whole",
        .meta = softmax_meta,
        .kernel = softmax_kernel,
        .samples = "(T[m,n], -1); (T[m,n], 0); (T[m,3,n], 1); (T[], 0); "
                   "(T[m,n], -1, dtype=f32)",
        .dtypes = "float",
    },
    {
        .schema = "log_softmax(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "_log_softmax log_softmax.int",
        .about = "Give x - log(sum(exp(x))) along a dimension.",
        .rule = "...->...; dim whole",
        .meta = softmax_meta,
        .kernel = log_softmax_kernel,
        .samples = "(T[m,n], -1); (T[m,n], 0); (T[m,3,n], 1); (T[], 0); "
                   "(T[m,n], -1, dtype=f32)",
        .dtypes = "float",
    },
    {0},
};
