/* ops/nn/activation.c - activations. */
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
    return dti_pointwise_meta(operation);
}

static dt_status meta_softsign(dt_operation *operation)
{
    if (operation->metas[0]->dtype == DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype bool");
    return dti_pointwise_meta(operation);
}

/* Bounds do not change the dtype. */
static dt_status meta_hardtanh(dt_operation *operation)
{
    if (operation->metas[0]->dtype == DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype bool");
    return dti_pointwise_meta_tensors(operation);
}

/* ---- Numbers that are looked at in every call ---------------------------- */

static dt_status check_celu(const dt_operation *operation)
{
    if (dti_argument_real(operation, "alpha") != 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "alpha is 0; expected a nonzero number, because "
                             "elements are divided by it");
}

static dt_status check_lambd(const dt_operation *operation)
{
    const double lambd = dti_argument_real(operation, "lambd");
    if (lambd >= 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "lambd is %g; must not be negative", lambd);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status kernel_gelu(dt_operation *operation)
{
    return dti_pointwise_run_all(operation,
                                 dti_argument_int(operation, "approximate") ==
                                         DT_APPROXIMATE_TANH
                                     ? DTI_GELU_TANH
                                     : DTI_GELU);
}

static dt_status kernel_relu6(dt_operation *operation)
{
    const dti_pointwise_input inputs[] = {dti_pointwise_array(operation, 0),
                                          dti_pointwise_number(dt_integer(0)),
                                          dti_pointwise_number(dt_integer(6))};
    return dti_pointwise_run(operation, DTI_CLAMP, inputs);
}

/* scale x; below 0, scale alpha (exp(input_scale x) - 1). */
static dt_status run_elu(dt_operation *operation, double alpha, double scale,
                         double input_scale)
{
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_number(dt_real(alpha * scale)),
        dti_pointwise_number(dt_real(scale)),
        dti_pointwise_number(dt_real(input_scale))};
    return dti_pointwise_run(operation, DTI_ELU, inputs);
}

static dt_status kernel_elu(dt_operation *operation)
{
    return run_elu(operation, dti_argument_real(operation, "alpha"),
                   dti_argument_real(operation, "scale"),
                   dti_argument_real(operation, "input_scale"));
}

static dt_status kernel_celu(dt_operation *operation)
{
    const double alpha = dti_argument_real(operation, "alpha");
    return run_elu(operation, alpha, 1, 1 / alpha);
}

/* Klambauer and others, Self-Normalizing Neural Networks, 2017. */
static dt_status kernel_selu(dt_operation *operation)
{
    return run_elu(operation, 1.6732632423543772848, 1.0507009873554804934, 1);
}

/* ---- Rows ---------------------------------------------------------------- */

/*
 * Which partial values pass is said of what grows whatever the options are, and
 * is a number at -infinity and infinity, which stand for parts that are empty.
 * A slope may be negative, and softplus falls a little at its threshold.
 */
const dt_op dti_ops_activation[] = {
    {
        .schema = "relu(Tensor self) -> Tensor",
        .about = "max(x, 0).",
        DTI_UNARY(DTI_RELU),
        .monotone = "self",
        .gradient = "self: threshold_backward(grad, result, 0)",
        .dtypes = "float int",
    },
    {
        .schema = "relu6(Tensor self) -> Tensor",
        .about = "min(max(x, 0), 6).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE,
        .meta = dti_pointwise_meta,
        .kernel = kernel_relu6,
        DTI_FUNCTION(DTI_CLAMP),
        .gradient = "self: hardtanh_backward(grad, result, 0, 6)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int",
    },
    {
        .schema = "hardtanh(Tensor self, *, Number min_val=-1, Number "
                  "max_val=1) -> Tensor",
        .about = "min(max(x, min_val), max_val).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_hardtanh,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_CLAMP),
        .gradient = "self: hardtanh_backward(grad, self, min_val, max_val)",
        .samples =
            "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], min_val=0, max_val=2)",
        .dtypes = "float i8 i16 i32 i64",
    },
    {
        .schema =
            "threshold(Tensor self, Number threshold, Number value) -> Tensor",
        .about = "x if x > threshold, else value.",
        .arguments = "value: replaces elements up to the threshold",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_TENSORS(DTI_THRESHOLD),
        .check = dti_pointwise_check_numbers,
        .gradient = "self: threshold_backward(grad, self, threshold)",
        .samples = "(T[m,n], 1, 3); (T[m], 2, 0); (T[], 1, 5)",
        .dtypes = "float int",
    },
    {
        .schema = "sigmoid(Tensor self) -> Tensor",
        .about = "1 / (1 + exp(-x)).",
        DTI_UNARY_OF_FLOATS(DTI_SIGMOID),
        .monotone = "self",
        .gradient = "self: sigmoid_backward(grad, result)",
    },
    {
        .schema = "log_sigmoid(Tensor self) -> Tensor",
        .about = "log(1 / (1 + exp(-x))).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_LOG_SIGMOID),
        .gradient = "self: log_sigmoid_backward(grad, self)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float",
    },
    {
        .schema = "silu(Tensor self) -> Tensor",
        .about = "x / (1 + exp(-x)).",
        DTI_UNARY(DTI_SILU),
        .gradient = "self: silu_backward(grad, conj(self))",
        .dtypes = "float complex",
    },
    {
        .schema =
            "gelu(Tensor self, *, Approximate approximate=none) -> Tensor",
        .about = "x times the normal distribution function, or its tanh "
                 "approximation.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_gelu,
        .kernel = kernel_gelu,
        DTI_FUNCTION(DTI_GELU),
        .gradient = "self: gelu_backward(grad, self, approximate=approximate)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], approximate=tanh)",
        .dtypes = "float",
    },
    {
        .schema = "mish(Tensor self) -> Tensor",
        .about = "x tanh(log(1 + exp(x))).",
        DTI_UNARY(DTI_MISH),
        .gradient = "self: mish_backward(grad, self)",
        .dtypes = "float",
    },
    {
        .schema = "softplus(Tensor self, *, float beta=1, float threshold=20) "
                  "-> Tensor",
        .about = "log(1 + exp(beta x)) / beta; x where beta x exceeds the "
                 "threshold.",
        .arguments = "beta: multiplier of x",
        .rule = "...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_SOFTPLUS),
        .gradient = "self: softplus_backward(grad, self, beta, threshold)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], beta=2, threshold=3)",
        .dtypes = "float",
    },
    {
        .schema =
            "leaky_relu(Tensor self, *, float negative_slope=0.01) -> Tensor",
        .about = "x if x > 0, else negative_slope * x.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE(DTI_LEAKY_RELU),
        .gradient = "self: leaky_relu_backward(grad, self, negative_slope, "
                    "false)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], negative_slope=0.5)",
        .dtypes = "float",
    },
    {
        .schema = "elu(Tensor self, *, float alpha=1, float scale=1, float "
                  "input_scale=1) -> Tensor",
        .about = "scale x if x > 0, else scale alpha (exp(input_scale x) - 1).",
        .arguments = "scale: multiplier of the result",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .kernel = kernel_elu,
        DTI_FUNCTION(DTI_ELU),
        .gradient = "self: elu_backward(grad, alpha, scale, input_scale, "
                    "false, self)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], alpha=2, scale=0.5, "
                   "input_scale=3)",
        .dtypes = "float",
    },
    {
        .schema = "celu(Tensor self, *, float alpha=1) -> Tensor",
        .about = "x if x > 0, else alpha (exp(x / alpha) - 1).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE,
        .meta = dti_pointwise_meta,
        .check = check_celu,
        .kernel = kernel_celu,
        DTI_FUNCTION(DTI_ELU),
        .gradient =
            "self: elu_backward(grad, alpha, 1, 1 / alpha, false, self)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], alpha=2)",
        .dtypes = "float",
    },
    {
        .schema = "selu(Tensor self) -> Tensor",
        .about =
            "Exponential linear unit that preserves mean 0 and variance 1.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE,
        .meta = dti_pointwise_meta,
        .kernel = kernel_selu,
        DTI_FUNCTION(DTI_ELU),
        .gradient = "self: elu_backward(grad, 1.6732632423543772848, "
                    "1.0507009873554804934, 1, false, self)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float",
    },
    {
        .schema = "hardsigmoid(Tensor self) -> Tensor",
        .about = "min(max(x + 3, 0), 6) / 6.",
        DTI_UNARY(DTI_HARDSIGMOID),
        .monotone = "self",
        .gradient = "self: hardsigmoid_backward(grad, self)",
        .dtypes = "float",
    },
    {
        .schema = "hardswish(Tensor self) -> Tensor",
        .about = "x min(max(x + 3, 0), 6) / 6.",
        DTI_UNARY(DTI_HARDSWISH),
        .gradient = "self: hardswish_backward(grad, self)",
        .dtypes = "float",
    },
    {
        .schema = "softsign(Tensor self) -> Tensor",
        .aten = "",
        .about = "x / (1 + |x|).",
        .rule = "...->...",
        .meta = meta_softsign,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION_OF_FLOATS(DTI_SOFTSIGN),
        .gradient = "self: grad / (1 + abs(self)) - sgn(self) * real_part(grad "
                    "* conj(self)) / square(1 + abs(self))",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int complex",
    },
    {
        .schema = "hardshrink(Tensor self, *, float lambd=0.5) -> Tensor",
        .about = "0 if |x| <= lambd, else x.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_HARDSHRINK),
        .gradient = "self: hardshrink_backward(grad, self, lambd)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], lambd=2)",
        .dtypes = "float",
    },
    {
        .schema = "softshrink(Tensor self, *, float lambd=0.5) -> Tensor",
        .about = "0 if |x| <= lambd, else x moved towards 0 by lambd.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_OUT,
        .check = check_lambd,
        DTI_POINTWISE(DTI_SOFTSHRINK),
        .gradient = "self: softshrink_backward(grad, self, lambd)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], lambd=2)",
        .dtypes = "float",
    },
    {0},
};
