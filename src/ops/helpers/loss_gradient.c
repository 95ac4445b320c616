/* ops/helpers/loss_gradient.c - gradients of losses that no row computes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/loss_gradient.h"

#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "base/error.h"
#include "layout/spec.h"

/* x and y are self and target, w and q weight and pos_weight, g the gradient of
 * each loss.  Results are of the shape to which all are broadcast. */

/* ---- The gradient of each loss ------------------------------------------ */

/* How many losses there are: broadcasting joins the inputs from `first` on. */
static int64_t count_losses(const dt_backward_call *call, int first)
{
    int64_t extents[DT_MAX_NDIM], count = 1;
    for (int d = 0; d < DT_MAX_NDIM; d++)
        extents[d] = 1;
    for (int i = first; i < call->input_count; i++) {
        if (!call->in_specs[i])
            continue;
        const dt_shape shape = call->in_specs[i]->meta.shape;
        for (int d = 0; d < shape.ndim; d++) {
            const int64_t one = shape.dims[shape.ndim - 1 - d];
            extents[d] = extents[d] == 1 ? one : extents[d];
        }
    }
    for (int d = 0; d < DT_MAX_NDIM; d++)
        count *= extents[d];
    return count;
}

/* g: a mean gives each loss its share. */
static dt_tensor *share(const dt_backward_call *call, dt_tensor *grad,
                        int first, int reduction)
{
    if (call->arguments[reduction].as.integer != DT_REDUCTION_MEAN)
        return grad;
    return dt_div_scalar(grad, dt_real((double)count_losses(call, first)));
}

static dt_tensor *weigh(dt_tensor *gradient, dt_tensor *weight)
{
    return weight ? dt_mul(gradient, weight) : gradient;
}

/* Give an input its gradient, if it is wanted. */
static dt_status give(dt_backward_call *call, int input, dt_tensor *gradient)
{
    call->gradients[input] = gradient;
    return gradient ? DT_OK : dti_failure_of(call->world);
}

static dt_status refuse(const dt_backward_call *call, const char *name)
{
    return dti_fail(call->world, DT_ERR_UNSUPPORTED,
                    "%.*s: has no gradient with respect to %s; detach it, or "
                    "multiply losses by it",
                    (int)strcspn(call->op->schema, "("), call->op->schema,
                    name);
}

dt_status dti_refuse_weight_gradient(dt_backward_call *call)
{
    return refuse(call, "weight");
}

static dt_status refuse_weights(const dt_backward_call *call, int first)
{
    for (int i = first; i < call->input_count; i++)
        if (call->wanted[i])
            return refuse(call, i == first ? "weight" : "pos_weight");
    return DT_OK;
}

/* ---- Losses ------------------------------------------------------------- */

/* Where elements are complex, sgn(x - y) g. */
static dt_tensor *l1_slope(const dt_backward_call *call, int from, int to)
{
    const dt_reduction reduction = (dt_reduction)call->arguments[2].as.integer;
    dt_tensor *x = call->inputs[from], *y = call->inputs[to];
    if (dt_tensor_dtype(x) != DT_C64 && dt_tensor_dtype(y) != DT_C64)
        return dt_l1_loss_backward(call->grads[0], x, y, reduction);
    return dt_mul(dt_sgn(dt_sub(x, y)), share(call, call->grads[0], 0, 2));
}

dt_status dti_l1_loss_gradient(dt_backward_call *call)
{
    if (call->wanted[0])
        DTI_TRY(give(call, 0, l1_slope(call, 0, 1)));
    return call->wanted[1] ? give(call, 1, l1_slope(call, 1, 0)) : DT_OK;
}

/* The loss is -w (y log(x) + (1 - y) log(1 - x)). */
dt_status dti_bce_gradient(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[0], *w = call->inputs[2];
    DTI_TRY(refuse_weights(call, 2));
    if (!call->wanted[1])
        return DT_OK;
    dt_tensor *slope = dt_neg(dt_logit(x));
    return give(call, 1,
                weigh(dt_mul(slope, share(call, call->grads[0], 0, 3)), w));
}

/* The loss is w ((1 - y) x - (1 + (q - 1) y) log_sigmoid(x)). */
dt_status dti_bce_logits_gradient(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[0], *w = call->inputs[2], *q = call->inputs[3];
    DTI_TRY(refuse_weights(call, 2));
    if (!call->wanted[1])
        return DT_OK;
    dt_tensor *slope = dt_neg(x);
    if (q)
        slope = dt_sub(
            slope, dt_mul(dt_sub_scalar(q, dt_integer(1)), dt_log_sigmoid(x)));
    return give(call, 1,
                weigh(dt_mul(slope, share(call, call->grads[0], 0, 4)), w));
}

/* The loss is y (log(y) - x), or exp(y) (y - x); a target of 0 has none. */
dt_status dti_kl_div_gradient(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[0], *y = call->inputs[1], *slope;
    const bool logarithm = call->arguments[3].as.integer;
    if (!call->wanted[1])
        return DT_OK;
    slope = dt_sub(logarithm ? y : dt_log(y), x);
    slope = dt_add_scalar(slope, dt_integer(1));
    slope = logarithm ? dt_mul(slope, dt_exp(y))
                      : dt_masked_fill(slope, dt_eq_scalar(y, dt_integer(0)),
                                       dt_integer(0));
    return give(call, 1, dt_mul(slope, share(call, call->grads[0], 0, 2)));
}

/* ---- Gradients of gradients --------------------------------------------- */

/* What the gradients of the slope of a loss are multiplied by. */
static dt_tensor *second_share(const dt_backward_call *call, int reduction)
{
    return share(call, dt_mul(call->grads[0], call->inputs[0]), 1, reduction);
}

/* Of smooth_l1_loss and huber_loss: the slope is (x - y) / beta, or x - y,
 * below a bound. */
dt_status dti_smooth_l1_second_gradient(dt_backward_call *call)
{
    const double bound = call->arguments[4].as.real;
    const bool smooth = strncmp(call->op->schema, "smooth", 6) == 0;
    dt_tensor *far = dt_ge_scalar(
        dt_abs(dt_sub(call->inputs[1], call->inputs[2])), dt_real(bound));
    dt_tensor *out = second_share(call, 3);
    if (smooth && bound > 0)
        out = dt_div_scalar(out, dt_real(bound));
    out = dt_masked_fill(out, far, dt_integer(0));
    if (call->wanted[1])
        DTI_TRY(give(call, 1, out));
    return call->wanted[2] ? give(call, 2, dt_neg(out)) : DT_OK;
}

/* The slope is w (x - y) / (x (1 - x)); of that y / x^2 + (1 - y) / (1 - x)^2
 * by x, and -1 / (x (1 - x)) by y. */
dt_status dti_bce_second_gradient(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[1], *y = call->inputs[2];
    DTI_TRY(refuse_weights(call, 3));
    dt_tensor *g = weigh(second_share(call, 4), call->inputs[3]);
    dt_tensor *rest = dt_rsub_scalar(x, dt_integer(1));
    if (call->wanted[1]) {
        dt_tensor *one = dt_div(y, dt_square(x));
        dt_tensor *other =
            dt_div(dt_rsub_scalar(y, dt_integer(1)), dt_square(rest));
        DTI_TRY(give(call, 1, dt_mul(g, dt_add(one, other))));
    }
    if (!call->wanted[2])
        return DT_OK;
    return give(call, 2, dt_neg(dt_div(g, dt_mul(x, rest))));
}

/* The slope is w ((1 - y) - (1 + (q - 1) y) sigmoid(-x)). */
dt_status dti_bce_logits_second_gradient(dt_backward_call *call)
{
    dt_tensor *x = call->inputs[1], *y = call->inputs[2], *q = call->inputs[4];
    DTI_TRY(refuse_weights(call, 3));
    dt_tensor *g = weigh(second_share(call, 5), call->inputs[3]);
    dt_tensor *more = q ? dt_sub_scalar(q, dt_integer(1)) : NULL;
    if (call->wanted[1]) {
        dt_tensor *s = dt_sigmoid(x);
        dt_tensor *out = dt_mul(g, dt_mul(s, dt_rsub_scalar(s, dt_integer(1))));
        if (q)
            out = dt_mul(out, dt_add_scalar(dt_mul(more, y), dt_integer(1)));
        DTI_TRY(give(call, 1, out));
    }
    if (!call->wanted[2])
        return DT_OK;
    dt_tensor *slope = g;
    if (q)
        slope = dt_mul(g, dt_add_scalar(dt_mul(more, dt_sigmoid(dt_neg(x))),
                                        dt_integer(1)));
    return give(call, 2, dt_neg(slope));
}

/* The slope is -y, or -exp(y). */
dt_status dti_kl_div_second_gradient(dt_backward_call *call)
{
    if (!call->wanted[2])
        return DT_OK;
    dt_tensor *out = dt_neg(second_share(call, 3));
    if (call->arguments[4].as.integer)
        out = dt_mul(out, dt_exp(call->inputs[2]));
    return give(call, 2, out);
}
