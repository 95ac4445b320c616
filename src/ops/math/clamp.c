/* ops/math/clamp.c - larger and smaller ones, and bounds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Results ------------------------------------------------------------- */

static dt_status meta_clamp_tensor(dt_operation *operation)
{
    if (!operation->metas[1] && !operation->metas[2])
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "min and max are both missing; at least one is required");
    return dti_pointwise_meta(operation);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status kernel_clamp_tensor(dt_operation *operation)
{
    const bool low = operation->metas[1], high = operation->metas[2];
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_array(operation, low ? 1 : 2),
        dti_pointwise_array(operation, 2)};
    return dti_pointwise_run(operation,
                             low && high ? DTI_CLAMP_TO
                             : low       ? DTI_MAXIMUM
                                         : DTI_MINIMUM,
                             inputs);
}

/* ---- Rows ---------------------------------------------------------------- */

/* NaN wins among parts of a maximum, and loses in fmax and fmin: these say
 * nothing of partial values. */
const dt_op dti_ops_clamp[] = {
    {
        .schema = "clamp(Tensor self, Number min, Number max) -> Tensor",
        .aten = "clamp",
        .about = "Keep elements between two numbers; max if min is more.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta_numbers,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_CLAMP),
        .samples =
            "(T[m,n], 1, 2); (T[m], 0, 1); (T[], 3, 1); (T[m,n], -0.5, 0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_min(Tensor self, Number min) -> Tensor",
        .aten = "clamp_min",
        .about = "max(x, min).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta_numbers,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_MAXIMUM),
        .samples = "(T[m,n], 2); (T[m], 0); (T[], 1); (T[m], -0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_max(Tensor self, Number max) -> Tensor",
        .aten = "clamp_max",
        .about = "min(x, max).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta_numbers,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_MINIMUM),
        .samples = "(T[m,n], 2); (T[m], 0); (T[], 1); (T[m], -0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema =
            "clamp_tensor(Tensor self, Tensor? min, Tensor? max) -> Tensor",
        .aten = "clamp.Tensor",
        .about = "Keep elements between those of two tensors, one of which may "
                 "be missing.",
        .rule = "...,...,...->...",
        .monotone = "self min max",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_clamp_tensor,
        .kernel = kernel_clamp_tensor,
        DTI_FUNCTION(DTI_CLAMP_TO),
        .samples = "(T[m,n], T[m,n], T[m,n]); (T[m,n], T[n], T[]); (T[m,1], "
                   "T[3,1,n], None); (T[m,n], None, T[n])",
        .dtypes = "float int",
    },
    {
        .schema = "clamp_min_tensor(Tensor self, Tensor min) -> Tensor",
        .aten = "clamp_min.Tensor",
        .about = "The larger of two elements; NaN if one is.",
        .rule = "...,...->...",
        .monotone = "self min",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE(DTI_MAXIMUM),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_max_tensor(Tensor self, Tensor max) -> Tensor",
        .aten = "clamp_max.Tensor",
        .about = "The smaller of two elements; NaN if one is.",
        .rule = "...,...->...",
        .monotone = "self max",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE(DTI_MINIMUM),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "maximum(Tensor self, Tensor other) -> Tensor",
        .aten = "maximum",
        .about = "The larger of two elements; NaN if one is.",
        .rule = "...,...->...",
        .monotone = "self other",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_MAXIMUM),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "minimum(Tensor self, Tensor other) -> Tensor",
        .aten = "minimum",
        .about = "The smaller of two elements; NaN if one is.",
        .rule = "...,...->...",
        .monotone = "self other",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_MINIMUM),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "fmax(Tensor self, Tensor other) -> Tensor",
        .aten = "fmax",
        .about = "The larger of two elements; the other one of NaN.",
        .rule = "...,...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_FMAX),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "fmin(Tensor self, Tensor other) -> Tensor",
        .aten = "fmin",
        .about = "The smaller of two elements; the other one of NaN.",
        .rule = "...,...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_FMIN),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {0},
};
