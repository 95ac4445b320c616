/* ops/loss/loss.c - losses of single elements, summed or not. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/loss/loss.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/chain.h"
#include "ops/helpers/loss_gradient.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"

/*
 * Sums of parts add up, and a mean divides by the count of the whole: shards
 * may be uneven, and nothing is sent.
 */

/* ---- What the rows are --------------------------------------------------- */

/* `data` of rows. */
typedef struct facts {
    dti_loss_kind kind;
    bool backward;     /* input 0 is the gradient of the loss */
    int factors;       /* weights among the inputs, after self and target */
    const char *bound; /* name of the argument; NULL: there is none */
} facts;

static const facts *facts_of(const dt_operation *operation)
{
    return operation->op->data;
}

/* The number of self among the inputs; target is the next. */
static int self_of(const facts *of)
{
    return of->backward ? 1 : 0;
}

/* The last of the inputs that elements come from. */
static int last_of(const facts *of)
{
    return self_of(of) + 1 + of->factors;
}

static double bound_of(const dt_operation *operation)
{
    const char *name = facts_of(operation)->bound;
    return name ? dti_argument_real(operation, name) : 0;
}

static dt_reduction reduction_of(const dt_operation *operation)
{
    return (dt_reduction)dti_argument_int(operation, "reduction");
}

/* ---- Results ------------------------------------------------------------ */

/* Elements of all inputs in one dtype and shape. */
static dt_status find_elements(const dt_operation *operation, dt_dtype *dtype,
                               dt_shape *shape)
{
    const facts *of = facts_of(operation);
    const int first = self_of(of);
    DTI_TRY(dti_check_value(operation, "reduction"));
    DTI_TRY(dti_promote_tensors(operation, first, last_of(of), dtype));
    if (dt_dtype_kind_of(*dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype %s",
                                 dt_dtype_name(*dtype));
    return dti_meta_broadcast(operation, first, last_of(of), shape);
}

static dt_status loss_meta(dt_operation *operation)
{
    dt_dtype dtype;
    dt_shape shape;
    DTI_TRY(find_elements(operation, &dtype, &shape));
    if (reduction_of(operation) == DT_REDUCTION_NONE)
        return dti_meta_add_pointwise(operation, dtype, shape, dtype, 0);
    return dti_meta_add(operation, dtype, DT_SHAPE());
}

/* The gradient is broadcast to the elements if there is one for each. */
static dt_status loss_backward_meta(dt_operation *operation)
{
    dt_dtype dtype;
    dt_shape shape, all;
    const dt_meta *grad = operation->metas[0];
    DTI_TRY(find_elements(operation, &dtype, &shape));
    DTI_TRY(
        dti_meta_broadcast(operation, 0, last_of(facts_of(operation)), &all));
    if (!dt_shape_equal(all, shape))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "grad_output of shape %s cannot be broadcast "
                                 "to the losses, of shape %s",
                                 dti_shape_show(grad->shape).text,
                                 dti_shape_show(shape).text);
    DTI_TRY(dti_promote_tensors(operation, 0, last_of(facts_of(operation)),
                                &dtype));
    if (dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype %s",
                                 dt_dtype_name(dtype));
    return dti_meta_add_pointwise(operation, dtype, shape, dtype, 0);
}

/* beta of smooth_l1_loss is not negative, delta of huber_loss positive. */
static dt_status check_bound(const dt_operation *operation)
{
    const facts *of = facts_of(operation);
    const double bound = bound_of(operation);
    if (bound > 0 || (bound == 0 && of->kind != DTI_LOSS_HUBER))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID, "%s is %g", of->bound,
                             bound);
}

/* What comes back through kl_div does not depend on self. */
static bool is_unread(const facts *of, int input)
{
    return of->backward && of->kind == DTI_LOSS_KL && input == self_of(of);
}

/* ---- Kernels ------------------------------------------------------------ */

enum { MOST_INPUTS = 5 };

/* Elements of all inputs, brought to one shape and dtype, in the order in which
 * those of the result lie. */
typedef struct elements {
    dt_array *in[MOST_INPUTS];
    dt_array *out, *room;
    dti_loss loss;
} elements;

static dt_status bring(const dt_operation *operation, dt_array *array,
                       dt_shape shape, dt_dtype dtype, dt_array **out)
{
    dt_array *wide = NULL, *turned = NULL;
    if (!array)
        return DT_OK;
    DTI_TRY(dti_scratch_expand(operation, array, shape, &wide));
    DTI_TRY(dti_scratch_in_order(operation, wide, operation->out[0], &turned));
    return dti_scratch_cast(operation, turned, dtype, out);
}

/* The shape of this rank's elements. */
static dt_shape local_shape(const dt_operation *operation)
{
    const facts *of = facts_of(operation);
    dt_shape shape = DT_SHAPE();
    if (of->backward)
        return dt_array_shape(operation->out[0]);
    for (int i = self_of(of); i <= last_of(of); i++) {
        if (!operation->in[i])
            continue;
        const dt_shape one = dt_array_shape(operation->in[i]);
        dt_shape joined = one.ndim > shape.ndim ? one : shape;
        const dt_shape less = one.ndim > shape.ndim ? shape : one;
        for (int d = 0; d < less.ndim; d++) {
            int64_t *extent = &joined.dims[joined.ndim - less.ndim + d];
            *extent = *extent == 1 ? less.dims[d] : *extent;
        }
        shape = joined;
    }
    return shape;
}

static const void *data_of(const dt_array *array)
{
    return array ? dt_array_const_data(array) : NULL;
}

static dti_loss_kind kind_of(const dt_operation *operation)
{
    const facts *of = facts_of(operation);
    if (of->kind == DTI_LOSS_KL && dti_argument_bool(operation, "log_target"))
        return DTI_LOSS_KL_LOG;
    /* Without a bound, nothing is smooth. */
    if (of->kind == DTI_LOSS_SMOOTH && bound_of(operation) == 0)
        return DTI_LOSS_ABSOLUTE;
    return of->kind;
}

static dt_status open_elements(dt_operation *operation, elements *at)
{
    const facts *of = facts_of(operation);
    const dt_dtype dtype = dti_rows_carrier(dt_array_dtype(operation->out[0]));
    const dt_shape shape = local_shape(operation);
    const int first = self_of(of);
    for (int i = first + is_unread(of, first); i <= last_of(of); i++)
        DTI_TRY(bring(operation, operation->in[i], shape, dtype, &at->in[i]));
    at->loss = (dti_loss){
        .kind = kind_of(operation),
        .dtype = dtype,
        .bound = bound_of(operation),
        .count = dt_shape_count(shape),
        .x = data_of(at->in[first + is_unread(of, first)]),
        .y = data_of(at->in[first + 1]),
        .weight = of->factors > 0 ? data_of(at->in[first + 2]) : NULL,
        .q = of->factors > 1 ? data_of(at->in[first + 3]) : NULL,
        .level = dti_cpu_level_used()};
    return DT_OK;
}

static dt_status check_probabilities(const dt_operation *operation,
                                     const dti_loss *loss)
{
    const int64_t wrong =
        loss->kind == DTI_LOSS_PROBABILITY ? dti_loss_find_wrong(loss) : -1;
    double value = 0;
    if (wrong < 0)
        return DT_OK;
    const char *x = loss->x;
    dti_cast(x + wrong * (int64_t)dt_dtype_size(loss->dtype), loss->dtype,
             &value, DT_F64, 1);
    return dti_fail_value(
        operation, dti_inputs_are_everywhere(operation),
        "self has the element %g; expected a probability from 0 to 1", value);
}

/* Room for results of the dtype that is worked in: out itself, perhaps. */
static dt_status make_room(dt_operation *operation, elements *at)
{
    dt_array *out = operation->out[0];
    DTI_TRY(dti_scratch_in_order(operation, out, out, &at->out));
    return dti_rows_room(operation, at->out, dt_array_ndim(out), at->loss.dtype,
                         &at->room);
}

static dt_status settle(dt_operation *operation, elements *at)
{
    return dti_rows_settle(operation, at->room, dt_array_ndim(at->out),
                           at->out);
}

static dt_status put_sum(dt_operation *operation, const dti_loss *loss)
{
    dt_array *out = operation->out[0];
    const facts *of = facts_of(operation);
    double sum = dti_loss_sum(loss);
    dt_shape whole;
    DTI_TRY(dti_meta_broadcast(operation, self_of(of), last_of(of), &whole));
    if (reduction_of(operation) == DT_REDUCTION_MEAN)
        sum /= (double)dt_shape_count(whole);
    dti_cast(&sum, DT_F64, dt_array_data(out), dt_array_dtype(out), 1);
    return DT_OK;
}

static dt_status loss_kernel(dt_operation *operation)
{
    elements at = {.room = NULL};
    DTI_TRY(open_elements(operation, &at));
    DTI_TRY(check_probabilities(operation, &at.loss));
    if (reduction_of(operation) != DT_REDUCTION_NONE)
        return put_sum(operation, &at.loss);
    DTI_TRY(make_room(operation, &at));
    if (at.loss.count > 0)
        dti_loss_each(&at.loss, dt_array_data(at.room));
    return settle(operation, &at);
}

/* A gradient of one number goes into the scale.  A part of several does not,
 * if it is one number as well: products have one order for all ranks. */
static dt_status take_gradient(dt_operation *operation, elements *at,
                               double *scale)
{
    const facts *of = facts_of(operation);
    dt_array *grad = operation->in[0];
    dt_shape whole;
    *scale = 1;
    if (dt_shape_count(operation->metas[0]->shape) == 1 &&
        dt_array_count(grad) == 1)
        dti_cast(dt_array_const_data(grad), dt_array_dtype(grad), scale, DT_F64,
                 1);
    else
        DTI_TRY(bring(operation, grad, local_shape(operation), at->loss.dtype,
                      &at->in[0]));
    if (reduction_of(operation) != DT_REDUCTION_MEAN)
        return DT_OK;
    DTI_TRY(dti_meta_broadcast(operation, self_of(of), last_of(of), &whole));
    *scale /= (double)dt_shape_count(whole);
    return DT_OK;
}

static dt_status loss_backward_kernel(dt_operation *operation)
{
    elements at = {.room = NULL};
    double scale;
    DTI_TRY(open_elements(operation, &at));
    DTI_TRY(take_gradient(operation, &at, &scale));
    DTI_TRY(make_room(operation, &at));
    if (at.loss.count > 0)
        dti_loss_slope(&at.loss, data_of(at.in[0]), scale,
                       dt_array_data(at.room));
    return settle(operation, &at);
}

/* ---- Complex numbers ---------------------------------------------------- */

static bool is_complex(const dt_operation *operation)
{
    return dt_tensor_dtype(operation->inputs[0]) == DT_C64 ||
           dt_tensor_dtype(operation->inputs[1]) == DT_C64;
}

static dt_status l1_loss_complex(dt_operation *operation)
{
    const int64_t reduction = dti_argument_int(operation, "reduction");
    DTI_TRY(dti_check_value(operation, "reduction"));
    dt_tensor *out = dt_sub(operation->inputs[0], operation->inputs[1]);
    out = dti_chain(dt_abs(out), out);
    if (reduction == DT_REDUCTION_MEAN)
        out = dti_chain(dt_mean(out, DT_DIMS(), false), out);
    else if (reduction == DT_REDUCTION_SUM)
        out = dti_chain(dt_sum(out, DT_DIMS(), false), out);
    operation->outputs[0] = out;
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

#define FORWARD .meta = loss_meta, .kernel = loss_kernel, .dtypes = "float"
#define BACKWARD                                                               \
    .meta = loss_backward_meta, .kernel = loss_backward_kernel,                \
    .dtypes = "float"

const dt_op dti_ops_loss[] = {
    {
        .data = &(const facts){.kind = DTI_LOSS_SQUARE},
        .schema =
            "mse_loss(Tensor self, Tensor target, *, Reduction reduction=mean) "
            "-> Tensor",
        .about = "Squared differences, reduced to their mean or sum.",
        .rule = "...,...->...; ... sum",
        .flags = DT_OP_OUT,
        FORWARD,
        .gradient = "self: mse_loss_backward(grad, self, target, reduction); "
                    "target: mse_loss_backward(grad, target, self, reduction)",
        .samples = "(T[m,n], T[m,n]); (T[m,3], T[m,3], reduction=sum); "
                   "(T[m,n], T[n], reduction=none); (T[m,1], T[n]); (T[], T[])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_SQUARE, .backward = true},
        .schema = "mse_loss_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Reduction reduction) -> Tensor",
        .about = "Gradient of mse_loss with respect to self, in the shape "
                 "to which self and target are broadcast.",
        .rule = "...,...,...->...",
        .linear = "grad_output*self + grad_output*target",
        BACKWARD,
        .gradient = "grad_output: mse_loss_backward(grad, self, target, "
                    "reduction); self: mse_loss_backward(grad * grad_output, "
                    "zeros(self) + 1, zeros(target), reduction); target: "
                    "-mse_loss_backward(grad * grad_output, zeros(self) + 1, "
                    "zeros(target), reduction)",
        .samples = "(T[], T[m,n], T[m,n], mean); (T[], T[m,3], T[m,3], sum); "
                   "(T[m,n], T[m,n], T[n], none); (T[], T[], T[], mean)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_ABSOLUTE},
        .schema =
            "l1_loss(Tensor self, Tensor target, *, Reduction reduction=mean) "
            "-> Tensor",
        .about = "Absolute differences, reduced to their mean or sum.",
        .rule = "...,...->...; ... sum",
        FORWARD,
        .compose = l1_loss_complex,
        .composes = is_complex,
        .gradient = "self, target: function(self, target)",
        .backward = dti_l1_loss_gradient,
        .samples = "(T[m,n], T[m,n]); (T[m,3], T[m,3], reduction=sum); "
                   "(T[m,n], T[n], reduction=none); (T[], T[])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_ABSOLUTE, .backward = true},
        .schema = "l1_loss_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Reduction reduction) -> Tensor",
        .aten = "",
        .about = "Gradient of l1_loss with respect to self.",
        .rule = "...,...,...->...",
        .linear = "grad_output",
        BACKWARD,
        .gradient = "grad_output: l1_loss_backward(grad, self, target, "
                    "reduction); self: zeros(self); target: zeros(target)",
        .samples = "(T[], T[m,n], T[m,n], mean); (T[], T[m,3], T[m,3], sum); "
                   "(T[m,n], T[m,n], T[n], none); (T[], T[], T[], mean)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_SMOOTH, .bound = "beta"},
        .schema = "smooth_l1_loss(Tensor self, Tensor target, *, "
                  "Reduction reduction=mean, float beta=1) -> Tensor",
        .about = "d^2 / (2 beta) for differences d below beta, |d| - beta / 2 "
                 "for others; reduced to their mean or sum.",
        .arguments = "beta: difference below which the loss is quadratic",
        .rule = "...,...->...; ... sum",
        .flags = DT_OP_OUT,
        FORWARD,
        .check = check_bound,
        .gradient = "self: smooth_l1_loss_backward(grad, self, target, "
                    "reduction, beta); target: smooth_l1_loss_backward(grad, "
                    "target, self, reduction, beta)",
        .samples = "(T[m,n], T[m,n]); (T[m,3], T[m,3], reduction=sum, beta=3); "
                   "(T[m,n], T[n], reduction=none, beta=0.5); (T[], T[])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_SMOOTH,
                               .backward = true,
                               .bound = "beta"},
        .schema = "smooth_l1_loss_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Reduction reduction, float beta) -> Tensor",
        .about = "Gradient of smooth_l1_loss with respect to self.",
        .arguments = "beta: difference below which the loss is quadratic",
        .rule = "...,...,...->...",
        .linear = "grad_output",
        BACKWARD,
        .check = check_bound,
        .gradient = "grad_output: smooth_l1_loss_backward(grad, self, target, "
                    "reduction, beta); self, target: function(grad_output, "
                    "self, target)",
        .backward = dti_smooth_l1_second_gradient,
        .samples =
            "(T[], T[m,n], T[m,n], mean, 1); "
            "(T[], T[m,3], T[m,3], sum, 3.5); "
            "(T[m,n], T[m,n], T[n], none, 0.5); (T[], T[], T[], mean, 2)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_HUBER, .bound = "delta"},
        .schema = "huber_loss(Tensor self, Tensor target, *, Reduction "
                  "reduction=mean, "
                  "float delta=1) -> Tensor",
        .about = "d^2 / 2 for differences d up to delta, delta (|d| - delta / "
                 "2) for others; reduced to their mean or sum.",
        .rule = "...,...->...; ... sum",
        .flags = DT_OP_OUT,
        FORWARD,
        .check = check_bound,
        .gradient = "self: huber_loss_backward(grad, self, target, reduction, "
                    "delta); target: huber_loss_backward(grad, target, self, "
                    "reduction, delta)",
        .samples =
            "(T[m,n], T[m,n]); (T[m,3], T[m,3], reduction=sum, delta=3); "
            "(T[m,n], T[n], reduction=none, delta=0.5); (T[], T[])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_HUBER,
                               .backward = true,
                               .bound = "delta"},
        .schema = "huber_loss_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Reduction reduction, float delta) -> Tensor",
        .about = "Gradient of huber_loss with respect to self.",
        .rule = "...,...,...->...",
        .linear = "grad_output",
        BACKWARD,
        .check = check_bound,
        .gradient = "grad_output: huber_loss_backward(grad, self, target, "
                    "reduction, delta); self, target: function(grad_output, "
                    "self, target)",
        .backward = dti_smooth_l1_second_gradient,
        .samples =
            "(T[], T[m,n], T[m,n], mean, 1); "
            "(T[], T[m,3], T[m,3], sum, 3.5); "
            "(T[m,n], T[m,n], T[n], none, 0.5); (T[], T[], T[], mean, 2)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_PROBABILITY, .factors = 1},
        .schema = "binary_cross_entropy(Tensor self, Tensor target, "
                  "Tensor? weight, *, Reduction reduction=mean) -> Tensor",
        .about = "Cross-entropy of probabilities and targets, times weight; "
                 "reduced to its mean or sum.",
        .rule = "...,...,...->...; ... sum",
        .linear = "weight",
        .flags = DT_OP_OUT,
        FORWARD,
        .gradient = "self: binary_cross_entropy_backward(grad, self, target, "
                    "weight, reduction=reduction); target, weight: "
                    "function(self, weight)",
        .backward = dti_bce_gradient,
        .samples = "(T[m,n]>0<1, T[m,n], None); "
                   "(T[m,3]>0<1, T[m,3], T[m,3], reduction=sum); "
                   "(T[m,n]>0<1, T[m,n], T[n], reduction=none); "
                   "(f32[0,n], T[0,n], None)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_PROBABILITY,
                               .backward = true,
                               .factors = 1},
        .schema = "binary_cross_entropy_backward(Tensor grad_output, "
                  "Tensor self, Tensor target, Tensor? weight, *, "
                  "Reduction reduction=mean) -> Tensor",
        .about = "Gradient of binary_cross_entropy with respect to self.",
        .rule = "...,...,...,...->...",
        .linear = "grad_output*weight",
        .meta = loss_backward_meta,
        .kernel = loss_backward_kernel,
        .gradient = "grad_output: binary_cross_entropy_backward(grad, self, "
                    "target, weight, reduction=reduction); self, target, "
                    "weight: function(grad_output, self, target, weight)",
        .backward = dti_bce_second_gradient,
        .samples = "(T[], T[m,n], T[m,n], None); "
                   "(T[], T[m,3], T[m,3], T[m,3], reduction=sum); "
                   "(T[m,n], T[m,n], T[m,n], T[n], reduction=none)",
        .dtypes = "f32 f64 bf16",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_LOGIT, .factors = 2},
        .schema = "binary_cross_entropy_with_logits(Tensor self, "
                  "Tensor target, Tensor? weight, Tensor? pos_weight, *, "
                  "Reduction reduction=mean) -> Tensor",
        .about = "Cross-entropy of the sigmoid of logits and targets, times "
                 "weight; pos_weight is the weight of positive targets.  "
                 "Reduced to its mean or sum.",
        .rule = "...,...,...,...->...; ... sum",
        .linear = "weight",
        .flags = DT_OP_OUT,
        FORWARD,
        .gradient = "self: binary_cross_entropy_logits_backward(grad, self, "
                    "target, weight, pos_weight, reduction=reduction); target, "
                    "weight, pos_weight: function(self, target, weight, "
                    "pos_weight)",
        .backward = dti_bce_logits_gradient,
        .samples = "(T[m,n], T[m,n], None, None); "
                   "(T[m,3], T[m,3], T[m,3], None, reduction=sum); "
                   "(T[m,n], T[m,n], T[n], T[n], reduction=none); "
                   "(T[m,n], T[m,n], None, T[n])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_LOGIT,
                               .backward = true,
                               .factors = 2},
        .schema =
            "binary_cross_entropy_logits_backward("
            "Tensor grad_output, Tensor self, Tensor target, "
            "Tensor? weight, Tensor? pos_weight, *, Reduction reduction=mean) "
            "-> Tensor",
        .aten = "",
        .about = "Gradient of binary_cross_entropy_with_logits with "
                 "respect to self.",
        .rule = "...,...,...,...,...->...",
        .linear = "grad_output*weight",
        BACKWARD,
        .gradient = "grad_output: binary_cross_entropy_logits_backward(grad, "
                    "self, target, weight, pos_weight, reduction=reduction); "
                    "self, target, weight, pos_weight: function(grad_output, "
                    "self, target, weight, pos_weight)",
        .backward = dti_bce_logits_second_gradient,
        .samples = "(T[], T[m,n], T[m,n], None, None); "
                   "(T[], T[m,3], T[m,3], T[m,3], None, reduction=sum); "
                   "(T[m,n], T[m,n], T[m,n], T[n], T[n], reduction=none)",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_KL},
        .schema =
            "kl_div(Tensor self, Tensor target, *, Reduction reduction=mean, "
            "bool log_target=false) -> Tensor",
        .about =
            "target (log(target) - self), where self has log-probabilities, "
            "and target too if log_target; reduced to their mean or sum.",
        .rule = "...,...->...; ... sum",
        FORWARD,
        .gradient = "self: kl_div_backward(grad, self, target, "
                    "reduction=reduction, log_target=log_target); target: "
                    "function(self, target)",
        .backward = dti_kl_div_gradient,
        .samples =
            "(T[m,n], T[m,n]>0); (T[m,3], T[m,3]>0, reduction=sum); "
            "(T[m,n], T[n], reduction=none, log_target=true); (T[], T[])",
    },
    {
        .data = &(const facts){.kind = DTI_LOSS_KL, .backward = true},
        .schema = "kl_div_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, *, Reduction reduction=mean, bool "
                  "log_target=false) "
                  "-> Tensor",
        .aten = "",
        .about = "Gradient of kl_div with respect to self.",
        .rule = "...,...,...->...; self unread",
        .linear = "grad_output",
        BACKWARD,
        .gradient = "grad_output: kl_div_backward(grad, self, target, "
                    "reduction=reduction, log_target=log_target); self: "
                    "zeros(self); target: function(grad_output, target)",
        .backward = dti_kl_div_second_gradient,
        .samples =
            "(T[], T[m,n], T[m,n]); (T[], T[m,3], T[m,3], reduction=sum); "
            "(T[m,n], T[m,n], T[n], reduction=none, log_target=true)",
    },
    {0},
};
