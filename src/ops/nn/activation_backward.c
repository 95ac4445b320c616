/* ops/nn/activation_backward.c - gradients of activations. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Results ------------------------------------------------------------- */

static dt_status meta_gelu(dt_operation *operation)
{
    DTI_TRY(dti_check_value(operation, "approximate"));
    return dti_pointwise_meta_tensors(operation);
}

/* ---- Numbers that are looked at in every call ---------------------------- */

/* Where the function falls, its result does not tell the argument. */
static dt_status check_slope(const dt_operation *operation, double slope,
                             bool is_result)
{
    if (slope >= 0 || !is_result)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "the slope is %g; must not be negative if is_result is set", slope);
}

static dt_status check_leaky(const dt_operation *operation)
{
    return check_slope(operation,
                       dti_argument_real(operation, "negative_slope"),
                       dti_argument_bool(operation, "self_is_result"));
}

static dt_status check_elu(const dt_operation *operation)
{
    return check_slope(operation, dti_argument_real(operation, "alpha"),
                       dti_argument_bool(operation, "is_result"));
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status kernel_gelu(dt_operation *operation)
{
    return dti_pointwise_run_all(operation,
                                 dti_argument_int(operation, "approximate") ==
                                         DT_APPROXIMATE_TANH
                                     ? DTI_GELU_TANH_BACKWARD
                                     : DTI_GELU_BACKWARD);
}

static dt_status kernel_elu(dt_operation *operation)
{
    const double alpha = dti_argument_real(operation, "alpha");
    const double scale = dti_argument_real(operation, "scale");
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0), dti_pointwise_array(operation, 1),
        dti_pointwise_number(dt_real(alpha * scale)),
        dti_pointwise_number(dt_real(scale)),
        dti_pointwise_number(
            dt_real(dti_argument_real(operation, "input_scale")))};
    return dti_pointwise_run(operation,
                             dti_argument_bool(operation, "is_result")
                                 ? DTI_ELU_RESULT_BACKWARD
                                 : DTI_ELU_BACKWARD,
                             inputs);
}

static dt_status kernel_logit(dt_operation *operation)
{
    return dti_pointwise_run_all(operation,
                                 dti_argument_real(operation, "eps") < 0
                                     ? DTI_LOGIT_BACKWARD
                                     : DTI_LOGIT_WITHIN_BACKWARD);
}

/* ---- Rows ---------------------------------------------------------------- */

/* All are the gradient of the result times something: sums of it pass.  The
 * greatest and least pass where that is never negative. */
const dt_op dti_ops_activation_backward[] = {
    {
        .schema =
            "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
        .aten = "sigmoid_backward",
        .about = "The gradient of sigmoid, from its result.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SIGMOID_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
        .aten = "tanh_backward",
        .about = "The gradient of tanh, from its result.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_TANH_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
        .aten = "silu_backward",
        .about = "The gradient of silu.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SILU_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "gelu_backward(Tensor grad_output, Tensor self, *, "
                  "Approximate approximate=none) -> Tensor",
        .aten = "gelu_backward",
        .about = "The gradient of gelu.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = meta_gelu,
        .kernel = kernel_gelu,
        DTI_FUNCTION(DTI_GELU_BACKWARD),
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m,n], T[m,n], approximate=tanh)",
        .dtypes = "float",
    },
    {
        .schema = "mish_backward(Tensor grad_output, Tensor self) -> Tensor",
        .aten = "mish_backward",
        .about = "The gradient of mish.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_MISH_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
        .aten = "hardswish_backward",
        .about = "The gradient of hardswish.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_HARDSWISH_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
        .aten = "hardsigmoid_backward",
        .about = "The gradient of hardsigmoid.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_HARDSIGMOID_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "log_sigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
        .aten = "log_sigmoid_backward",
        .about = "The gradient of log_sigmoid.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_LOG_SIGMOID_BACKWARD),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema = "threshold_backward(Tensor grad_output, Tensor self, Number "
                  "threshold) -> Tensor",
        .aten = "threshold_backward",
        .about = "The gradient of threshold, and of relu if that is 0: 0 where "
                 "self is not more.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_THRESHOLD_BACKWARD),
        .samples = "(T[m,n], T[m,n], 0); (T[m,n], T[n], 0); (T[m,1], T[3,1,n], "
                   "0); (T[], T[m], 0); (T[m,n], T[m,n], 2)",
        .dtypes = "float int",
    },
    {
        .schema = "leaky_relu_backward(Tensor grad_output, Tensor self, float "
                  "negative_slope, bool self_is_result) -> Tensor",
        .aten = "leaky_relu_backward",
        .about = "The gradient of leaky_relu, from its argument or its result.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .check = check_leaky,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_LEAKY_RELU_BACKWARD),
        .samples = "(T[m,n], T[m,n], 0.5, false); (T[m,n], T[n], 0.5, false); "
                   "(T[m,1], T[3,1,n], 0.5, false); (T[], T[m], 0.5, false); "
                   "(T[m,n], T[m,n], 0.25, true)",
        .dtypes = "float",
    },
    {
        .schema =
            "elu_backward(Tensor grad_output, float alpha, float scale, float "
            "input_scale, bool is_result, Tensor self_or_result) -> Tensor",
        .aten = "elu_backward",
        .about = "The gradient of elu, from its argument or its result.",
        .arguments = "scale: multiplier of the result of elu",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .check = check_elu,
        .kernel = kernel_elu,
        DTI_FUNCTION(DTI_ELU_BACKWARD),
        .samples = "(T[m,n], 1, 1, 1, false, T[m,n]); (T[m,n], 2, 0.5, 3, "
                   "true, T[n]); (T[], 1, 1, 1, true, T[m]); (T[m,1], 1, 2, 1, "
                   "false, T[3,1,n])",
        .dtypes = "float",
    },
    {
        .schema = "softplus_backward(Tensor grad_output, Tensor self, float "
                  "beta, float threshold) -> Tensor",
        .aten = "softplus_backward",
        .about = "The gradient of softplus.",
        .arguments = "beta: multiplier of x",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SOFTPLUS_BACKWARD),
        .samples =
            "(T[m,n], T[m,n], 1, 20); (T[m,n], T[n], 1, 20); (T[m,1], "
            "T[3,1,n], 1, 20); (T[], T[m], 1, 20); (T[m,n], T[m,n], 2, 3)",
        .dtypes = "float",
    },
    {
        .schema = "hardtanh_backward(Tensor grad_output, Tensor self, Number "
                  "min_val, Number max_val) -> Tensor",
        .aten = "hardtanh_backward",
        .about = "The gradient of hardtanh: 0 where self is not between two "
                 "numbers.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_HARDTANH_BACKWARD),
        .samples =
            "(T[m,n], T[m,n], -1, 1); (T[m,n], T[n], -1, 1); (T[m,1], "
            "T[3,1,n], -1, 1); (T[], T[m], -1, 1); (T[m,n], T[m,n], 0, 3)",
        .dtypes = "float",
    },
    {
        .schema = "hardshrink_backward(Tensor grad_output, Tensor self, float "
                  "lambd) -> Tensor",
        .aten = "hardshrink_backward",
        .about = "The gradient of hardshrink.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .monotone = "grad_output",
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SHRINK_BACKWARD),
        .samples = "(T[m,n], T[m,n], 0.5); (T[m,n], T[n], 0.5); (T[m,1], "
                   "T[3,1,n], 0.5); (T[], T[m], 0.5); (T[m,n], T[m,n], 2)",
        .dtypes = "float",
    },
    {
        .schema = "softshrink_backward(Tensor grad_output, Tensor self, float "
                  "lambd) -> Tensor",
        .aten = "softshrink_backward",
        .about = "The gradient of softshrink.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SHRINK_BACKWARD),
        .samples = "(T[m,n], T[m,n], 0.5); (T[m,n], T[n], 0.5); (T[m,1], "
                   "T[3,1,n], 0.5); (T[], T[m], 0.5); (T[m,n], T[m,n], 2)",
        .dtypes = "float",
    },
    {
        .schema = "logit_backward(Tensor grad_output, Tensor self, *, float "
                  "eps=-1) -> Tensor",
        .aten = "logit_backward",
        .about = "The gradient of logit.",
        .arguments =
            "eps: least distance of elements from 0 and 1, negative for none",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = kernel_logit,
        DTI_FUNCTION(DTI_LOGIT_BACKWARD),
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m,n], T[m,n], eps=0.25)",
        .dtypes = "float",
    },
    {0},
};
