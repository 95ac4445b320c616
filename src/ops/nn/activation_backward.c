/* ops/nn/activation_backward.c - gradients of activations. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

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

/* ---- Gradients of gradients ---------------------------------------------- */

/* The second derivative of gelu: (2 - x^2) times the normal density. */
static dt_tensor *bend_of_gelu(dt_tensor *x)
{
    dt_tensor *square = dt_square(x);
    dt_tensor *density =
        dt_mul_scalar(dt_exp(dt_mul_scalar(square, dt_real(-0.5))),
                      dt_real(0.39894228040143267794));
    return dt_mul(dt_rsub_scalar(square, dt_integer(2)), density);
}

/* The same of x s, where s = sigmoid(v), v = sqrt(8/pi) (x + 0.044715 x^3):
 * s (1 - s) (2 v' + x v'' + x v'^2 (1 - 2 s)). */
static dt_tensor *bend_of_gelu_tanh(dt_tensor *x)
{
    const double root = 1.59576912160573071176, cubic = 0.044715;
    dt_tensor *square = dt_square(x);
    dt_tensor *v = dt_mul_scalar(
        dt_add(x, dt_mul_scalar(dt_mul(square, x), dt_real(cubic))),
        dt_real(root));
    dt_tensor *v1 = dt_add_scalar(
        dt_mul_scalar(square, dt_real(3 * root * cubic)), dt_real(root));
    dt_tensor *s = dt_sigmoid(v);
    dt_tensor *rest = dt_rsub_scalar(s, dt_integer(1));
    dt_tensor *turn = dt_mul(dt_mul(x, dt_square(v1)), dt_sub(rest, s));
    dt_tensor *sum = dt_add(dt_mul_scalar(v1, dt_integer(2)),
                            dt_mul_scalar(square, dt_real(6 * root * cubic)));
    return dt_mul(dt_mul(s, rest), dt_add(sum, turn));
}

/* Give `number` the gradient of both times a factor. */
static dt_status give(dt_backward_call *call, int number, dt_tensor *factor)
{
    dt_tensor *both = dt_mul(call->grads[0], call->inputs[0]);
    call->gradients[number] = dt_mul(both, factor);
    return call->gradients[number] ? DT_OK : dti_failure_of(call->world);
}

static dt_status gelu_twice(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[1];
    const bool tanh = call->arguments[2].as.integer == DT_APPROXIMATE_TANH;
    return give(call, 1, tanh ? bend_of_gelu_tanh(x) : bend_of_gelu(x));
}

/* Below 0 the gradient is b (r + a s) from a result r, a s b exp(b x) from an
 * argument x. */
static dt_status elu_twice(dt_backward_call *call)
{
    const dt_argument *given = call->arguments;
    const dt_number scale = dt_real(given[3].as.real);
    dt_tensor *x = call->inputs[1];
    dt_tensor *bend = dt_lt_scalar(x, dt_integer(0));
    if (!given[4].as.integer) {
        const double most = given[1].as.real * given[2].as.real;
        dt_tensor *below =
            dt_exp(dt_mul_scalar(dt_clamp_max(x, dt_integer(0)), scale));
        bend = dt_mul_scalar(dt_mul(below, bend),
                             dt_real(most * given[3].as.real));
    }
    return give(call, 1, dt_mul_scalar(bend, scale));
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
#define BACKWARD(name)                                                         \
    .rule = "...,...->...", .linear = "grad_output",                           \
    DTI_POINTWISE_OF_TENSORS(name)

const dt_op dti_ops_activation_backward[] = {
    {
        .schema =
            "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
        .about = "Gradient of sigmoid, from its result.",
        BACKWARD(DTI_SIGMOID_BACKWARD),
        .flags = DT_OP_OUT,
        .gradient = "grad_output: sigmoid_backward(grad, conj(output)); "
                    "output: conj(grad) * grad_output * conj(1 - 2 * output)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
        .about = "Gradient of tanh, from its result.",
        BACKWARD(DTI_TANH_BACKWARD),
        .flags = DT_OP_OUT,
        .gradient = "grad_output: tanh_backward(grad, conj(output)); output: "
                    "-2 * conj(grad) * grad_output * conj(output)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
        .about = "Gradient of silu.",
        BACKWARD(DTI_SILU_BACKWARD),
        .flags = DT_OP_OUT,
        .gradient =
            "grad_output: silu_backward(grad, conj(self)); self: grad * "
            "conj(grad_output * sigmoid(self) * (1 - sigmoid(self)) * "
            "(2 + self * (1 - 2 * sigmoid(self))))",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "gelu_backward(Tensor grad_output, Tensor self, *, "
                  "Approximate approximate=none) -> Tensor",
        .about = "Gradient of gelu.",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = meta_gelu,
        .kernel = kernel_gelu,
        DTI_FUNCTION(DTI_GELU_BACKWARD),
        .gradient = "grad_output: gelu_backward(grad, self, "
                    "approximate=approximate); self: function(grad_output, "
                    "self)",
        .backward = gelu_twice,
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m,n], T[m,n], approximate=tanh)",
        .dtypes = "float",
    },
    {
        .schema = "mish_backward(Tensor grad_output, Tensor self) -> Tensor",
        .about = "Gradient of mish.",
        BACKWARD(DTI_MISH_BACKWARD),
        .gradient = "grad_output: mish_backward(grad, self); self: grad * "
                    "grad_output * sigmoid(self) * (1 - "
                    "square(tanh(softplus(self)))) * (2 + self * (1 - "
                    "sigmoid(self) * (1 + 2 * tanh(softplus(self)))))",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
        .about = "Gradient of hardswish.",
        BACKWARD(DTI_HARDSWISH_BACKWARD),
        .gradient = "grad_output: hardswish_backward(grad, self); self: "
                    "hardtanh_backward(grad * grad_output / 3, self, -3, 3)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
        .about = "Gradient of hardsigmoid.",
        BACKWARD(DTI_HARDSIGMOID_BACKWARD),
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .gradient = "grad_output: hardsigmoid_backward(grad, self); self: "
                    "zeros(self)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema =
            "log_sigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
        .about = "Gradient of log_sigmoid.",
        BACKWARD(DTI_LOG_SIGMOID_BACKWARD),
        .gradient = "grad_output: log_sigmoid_backward(grad, self); self: "
                    "-sigmoid_backward(grad * grad_output, sigmoid(self))",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema = "threshold_backward(Tensor grad_output, Tensor self, Number "
                  "threshold) -> Tensor",
        .about = "Gradient of threshold, and of relu with threshold 0: 0 where "
                 "self does not exceed the threshold.",
        BACKWARD(DTI_THRESHOLD_BACKWARD),
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .check = dti_pointwise_check_numbers,
        .gradient = "grad_output: threshold_backward(grad, self, threshold); "
                    "self: zeros(self)",
        .samples = "(T[m,n], T[m,n], 0); (T[m,n], T[n], 0); (T[m,1], T[3,1,n], "
                   "0); (T[], T[m], 0); (T[m,n], T[m,n], 2)",
        .dtypes = "float int",
    },
    {
        .schema = "leaky_relu_backward(Tensor grad_output, Tensor self, float "
                  "negative_slope, bool self_is_result) -> Tensor",
        .about = "Gradient of leaky_relu, from its input or its result.",
        BACKWARD(DTI_LEAKY_RELU_BACKWARD),
        .flags = DT_OP_OUT,
        .check = check_leaky,
        .gradient = "grad_output: leaky_relu_backward(grad, self, "
                    "negative_slope, self_is_result); self: zeros(self)",
        .samples = "(T[m,n], T[m,n], 0.5, false); (T[m,n], T[n], 0.5, false); "
                   "(T[m,1], T[3,1,n], 0.5, false); (T[], T[m], 0.5, false); "
                   "(T[m,n], T[m,n], 0.25, true)",
        .dtypes = "float",
    },
    {
        .schema =
            "elu_backward(Tensor grad_output, float alpha, float scale, float "
            "input_scale, bool is_result, Tensor self_or_result) -> Tensor",
        .about = "Gradient of elu, from its input or its result.",
        .arguments = "scale: multiplier of the result of elu",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .check = check_elu,
        .kernel = kernel_elu,
        DTI_FUNCTION(DTI_ELU_BACKWARD),
        .gradient = "grad_output: elu_backward(grad, alpha, scale, "
                    "input_scale, is_result, self_or_result); self_or_result: "
                    "function(grad_output, self_or_result)",
        .backward = elu_twice,
        .samples = "(T[m,n], 1, 1, 1, false, T[m,n]); (T[m,n], 2, 0.5, 3, "
                   "true, T[n]); (T[], 1, 1, 1, true, T[m]); (T[m,1], 1, 2, 1, "
                   "false, T[3,1,n])",
        .dtypes = "float",
    },
    {
        .schema = "softplus_backward(Tensor grad_output, Tensor self, float "
                  "beta, float threshold) -> Tensor",
        .about = "Gradient of softplus.",
        .arguments = "beta: multiplier of x",
        BACKWARD(DTI_SOFTPLUS_BACKWARD),
        .flags = DT_OP_OUT,
        .gradient = "grad_output: softplus_backward(grad, self, beta, "
                    "threshold); self: sigmoid_backward(grad * grad_output * "
                    "beta, sigmoid(self * beta)) * le_scalar(self * beta, "
                    "threshold)",
        .samples =
            "(T[m,n], T[m,n], 1, 20); (T[m,n], T[n], 1, 20); (T[m,1], "
            "T[3,1,n], 1, 20); (T[], T[m], 1, 20); (T[m,n], T[m,n], 2, 3)",
        .dtypes = "float",
    },
    {
        .schema = "hardtanh_backward(Tensor grad_output, Tensor self, Number "
                  "min_val, Number max_val) -> Tensor",
        .about = "Gradient of hardtanh: 0 where self is outside the bounds.",
        BACKWARD(DTI_HARDTANH_BACKWARD),
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .gradient = "grad_output: hardtanh_backward(grad, self, min_val, "
                    "max_val); self: zeros(self)",
        .samples =
            "(T[m,n], T[m,n], -1, 1); (T[m,n], T[n], -1, 1); (T[m,1], "
            "T[3,1,n], -1, 1); (T[], T[m], -1, 1); (T[m,n], T[m,n], 0, 3)",
        .dtypes = "float",
    },
    {
        .schema = "hardshrink_backward(Tensor grad_output, Tensor self, float "
                  "lambd) -> Tensor",
        .about = "Gradient of hardshrink.",
        BACKWARD(DTI_SHRINK_BACKWARD),
        .monotone = "grad_output",
        .gradient = "grad_output: hardshrink_backward(grad, self, lambd); "
                    "self: zeros(self)",
        .samples = "(T[m,n], T[m,n], 0.5); (T[m,n], T[n], 0.5); (T[m,1], "
                   "T[3,1,n], 0.5); (T[], T[m], 0.5); (T[m,n], T[m,n], 2)",
        .dtypes = "float",
    },
    {
        .schema = "softshrink_backward(Tensor grad_output, Tensor self, float "
                  "lambd) -> Tensor",
        .about = "Gradient of softshrink.",
        BACKWARD(DTI_SHRINK_BACKWARD),
        .monotone = "grad_output",
        .flags = DT_OP_OUT,
        .gradient = "grad_output: softshrink_backward(grad, self, lambd); "
                    "self: zeros(self)",
        .samples = "(T[m,n], T[m,n], 0.5); (T[m,n], T[n], 0.5); (T[m,1], "
                   "T[3,1,n], 0.5); (T[], T[m], 0.5); (T[m,n], T[m,n], 2)",
        .dtypes = "float",
    },
    {
        .schema = "logit_backward(Tensor grad_output, Tensor self, *, float "
                  "eps=-1) -> Tensor",
        .about = "Gradient of logit.",
        .arguments =
            "eps: least distance of elements from 0 and 1, negative for none",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dti_pointwise_meta_tensors,
        .kernel = kernel_logit,
        DTI_FUNCTION(DTI_LOGIT_BACKWARD),
        .gradient = "grad_output: logit_backward(grad, self, eps=eps); self: "
                    "logit_backward(logit_backward(grad * grad_output, self, "
                    "eps=eps), self, eps=eps) * (2 * self - 1)",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m,n], T[m,n], eps=0.25)",
        .dtypes = "float",
    },
    {0},
};
