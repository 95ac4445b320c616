/* ops/helpers/reduce_backward.c - gradients of reductions over dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/reduce_backward.h"

#include <math.h>

#include <dtensor/autograd.h>
#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "layout/spec.h"
#include "ops/helpers/gradient.h"

/*
 * Functions of operators return NULL if an argument is NULL, and keep the first
 * error: only the last result is checked.
 */

/* What was reduced: `dims` and `keepdim` are arguments. */
typedef struct reduction {
    dt_shape shape;
    dt_dims dims;
    bool keepdim;
} reduction;

static reduction read_reduction(const dt_backward_call *call, int dims)
{
    const dt_argument *list = &call->arguments[dims];
    return (reduction){.shape = call->in_specs[0]->meta.shape,
                       .dims = dt_shape_make(list->count, list->as.integers),
                       .keepdim = list[1].as.integer != 0};
}

/* Repeat what has the shape of the result to the shape of the input. */
static dt_tensor *spread(const reduction *of, dt_tensor *tensor)
{
    return dt_expand_reduced(tensor, of->shape, of->dims, of->keepdim);
}

/* How many elements were reduced to one. */
static double count_of(const dt_backward_call *call)
{
    return (double)dt_shape_count(call->in_specs[0]->meta.shape) /
           (double)dt_shape_count(call->out_specs[0]->meta.shape);
}

static dt_tensor *zero_where(dt_tensor *tensor, dt_tensor *zero)
{
    return dt_masked_fill(tensor, dt_eq_scalar(zero, dt_integer(0)),
                          dt_integer(0));
}

/* A quotient, 0 where the divisor is; so are its gradients. */
static dt_tensor *divide_or_zero(dt_tensor *tensor, dt_tensor *divisor)
{
    dt_tensor *zero = dt_eq_scalar(divisor, dt_integer(0));
    dt_tensor *safe = dt_masked_fill(divisor, zero, dt_integer(1));
    return dt_masked_fill(dt_div(tensor, safe), zero, dt_integer(0));
}

dt_status dti_mean_backward(dt_backward_call *call)
{
    const reduction of = read_reduction(call, 1);
    const double count = count_of(call); /* NaN if there is no result */
    dt_tensor *share =
        dt_div_scalar(call->grads[0], dt_real(count > 0 ? count : 1));
    return dti_give_gradient(call, 0, spread(&of, share));
}

/* ---- Extremes ----------------------------------------------------------- */

/* Divide a gradient among the elements that a mask has. */
static dt_tensor *divide(const reduction *of, dt_tensor *grad, dt_tensor *mask)
{
    dt_tensor *count = dt_sum(mask, of->dims, of->keepdim);
    return dt_mul(spread(of, dt_div(grad, count)), mask);
}

static dt_tensor *extreme_gradient(const reduction *of, dt_tensor *self,
                                   dt_tensor *extreme, dt_tensor *grad)
{
    return divide(of, grad, dt_eq(self, spread(of, extreme)));
}

static dt_tensor *extreme_abs_gradient(const reduction *of, dt_tensor *self,
                                       dt_tensor *extreme, dt_tensor *grad)
{
    return dt_mul(extreme_gradient(of, dt_abs(self), extreme, grad),
                  dt_sgn(self));
}

/* Of amax and amin, and of aminmax, which has both. */
dt_status dti_extreme_backward(dt_backward_call *call)
{
    const reduction of = read_reduction(call, 1);
    dt_tensor *sum = NULL;
    for (int i = 0; i < call->result_count; i++) {
        dt_tensor *part = extreme_gradient(&of, call->inputs[0],
                                           call->results[i], call->grads[i]);
        sum = i == 0 ? part : dt_add(sum, part);
    }
    return dti_give_gradient(call, 0, sum);
}

dt_status dti_extreme_abs_backward(dt_backward_call *call)
{
    const reduction of = read_reduction(call, 1);
    return dti_give_gradient(call, 0,
                             extreme_abs_gradient(&of, call->inputs[0],
                                                  call->results[0],
                                                  call->grads[0]));
}

dt_status dti_median_backward(dt_backward_call *call)
{
    const reduction of = {.shape = call->in_specs[0]->meta.shape};
    dt_tensor *self = call->inputs[0], *median = call->results[0];
    dt_tensor *both = dt_logical_and(dt_isnan(self), dt_isnan(median));
    dt_tensor *mask = dt_logical_or(dt_eq(self, median), both);
    return dti_give_gradient(call, 0, divide(&of, call->grads[0], mask));
}

/* ---- Norms -------------------------------------------------------------- */

/* The gradient of |x|^p, divided by p; 0 where it is infinite at x = 0. */
static dt_tensor *power_slope(dt_tensor *self, double p)
{
    if (p == 2)
        return self;
    if (p == 1)
        return dt_sgn(self);
    if (p > 2)
        return dt_mul(self, dt_pow_scalar(dt_abs(self), dt_real(p - 2)));
    dt_tensor *power = dt_pow_scalar(dt_abs(self), dt_real(p - 1));
    return dt_mul(dt_sgn(self), p < 1 ? zero_where(power, self) : power);
}

/* grad / norm^(p - 1), which is 0 where the norm is. */
static dt_tensor *norm_scale(dt_tensor *norm, double p, dt_tensor *grad)
{
    if (p == 1)
        return grad;
    if (p < 1)
        return dt_mul(grad, dt_pow_scalar(norm, dt_real(1 - p)));
    dt_tensor *power = p == 2 ? norm : dt_pow_scalar(norm, dt_real(p - 1));
    return divide_or_zero(grad, power);
}

static dt_tensor *norm_gradient(const reduction *of, dt_tensor *self, double p,
                                dt_tensor *norm, dt_tensor *grad)
{
    if (isinf(p))
        return extreme_abs_gradient(of, self, norm, grad);
    return dt_mul(power_slope(self, p), spread(of, norm_scale(norm, p, grad)));
}

dt_tensor *dti_norm_gradient(dt_tensor *self, double p, dt_tensor *norm,
                             dt_tensor *grad)
{
    const reduction all = {.shape = dt_tensor_shape(self)};
    return norm_gradient(&all, self, p, norm, grad);
}

/* The number of elements that are not 0 has no slope. */
dt_status dti_norm_backward(dt_backward_call *call)
{
    const double p = call->arguments[1].as.real;
    const reduction of = read_reduction(call, 2);
    if (p == 0)
        return DT_OK;
    return dti_give_gradient(call, 0,
                             norm_gradient(&of, call->inputs[0], p,
                                           call->results[0], call->grads[0]));
}

dt_status dti_powsum_backward(dt_backward_call *call)
{
    const double p = call->arguments[1].as.real;
    const reduction of = read_reduction(call, 2);
    if (p == 0)
        return DT_OK;
    dt_tensor *grad = dt_mul_scalar(call->grads[0], dt_real(p));
    return dti_give_gradient(
        call, 0, dt_mul(power_slope(call->inputs[0], p), spread(&of, grad)));
}

/* ---- Variances ---------------------------------------------------------- */

/*
 * The gradient of a variance is 2 (x - mean) / (count - correction).  Without
 * freedom it is infinite, but NaN for an element that is the mean.
 */
static dt_tensor *var_gradient(const dt_backward_call *call,
                               const reduction *of, dt_tensor *mean,
                               dt_tensor *grad)
{
    const double freedom = count_of(call) - call->arguments[3].as.real;
    dt_tensor *self = call->inputs[0];
    if (freedom > 0)
        return dt_mul(spread(of, dt_mul_scalar(grad, dt_real(2 / freedom))),
                      dt_sub(self, mean));
    dt_tensor *apart = dt_cast(dt_ne(self, mean), dt_tensor_dtype(grad));
    return dt_mul(spread(of, grad), dt_mul_scalar(apart, dt_real(INFINITY)));
}

/* With the mean as the second result, that is read and has a gradient too. */
static dt_status variance_gradient(dt_backward_call *call, dt_tensor *grad)
{
    const reduction of = read_reduction(call, 1);
    if (dt_shape_count(of.shape) == 0)
        return DT_OK; /* of no elements there is none */
    if (call->result_count == 1) {
        dt_tensor *mean = dt_mean(call->inputs[0], of.dims, true);
        return dti_give_gradient(call, 0, var_gradient(call, &of, mean, grad));
    }
    dt_tensor *mean = spread(&of, call->results[1]);
    dt_tensor *share = dt_div_scalar(call->grads[1], dt_real(count_of(call)));
    return dti_give_gradient(
        call, 0,
        dt_add(var_gradient(call, &of, mean, grad), spread(&of, share)));
}

dt_status dti_var_backward(dt_backward_call *call)
{
    return variance_gradient(call, call->grads[0]);
}

dt_status dti_std_backward(dt_backward_call *call)
{
    dt_tensor *twice = dt_mul_scalar(call->results[0], dt_integer(2));
    return variance_gradient(call, divide_or_zero(call->grads[0], twice));
}

/* ---- Products ----------------------------------------------------------- */

dt_tensor *dti_input_as_result(const dt_backward_call *call)
{
    const dt_dtype dtype = call->out_specs[0]->meta.dtype;
    dt_tensor *self = call->inputs[0];
    return dt_tensor_dtype(self) == dtype ? self : dt_cast(self, dtype);
}

dt_tensor *dti_all_but_one(dt_tensor *self)
{
    if (!self)
        return NULL;
    dt_shape wide = dt_tensor_shape(self);
    const int last = wide.ndim - 1;
    wide.dims[wide.ndim++] = wide.dims[last];
    dt_tensor *rows = dt_expand(dt_unsqueeze(self, last), wide);
    return dt_diagonal_scatter(rows, dt_ones_like(self), 0, last, last + 1);
}

/* The dimensions that stay, then those that are reduced. */
static dt_dims order_of(const reduction *of, int *kept)
{
    unsigned bits = of->dims.ndim == 0 ? ~0u : 0;
    dt_dims out = {0, {0}};
    for (int i = 0; i < of->dims.ndim; i++)
        bits |= 1u << (of->dims.dims[i] +
                       (of->dims.dims[i] < 0 ? of->shape.ndim : 0));
    for (int pass = 0; pass < 2; pass++) {
        for (int d = 0; d < of->shape.ndim; d++)
            if ((int)(bits >> d & 1) == pass)
                out.dims[out.ndim++] = d;
        if (pass == 0)
            *kept = out.ndim;
    }
    return out;
}

/*
 * The products of all elements but one, for each, as products that can be
 * differentiated again: quadratic, but right where elements are 0.
 */
static dt_tensor *products_of_others(const reduction *of, dt_tensor *self)
{
    int kept;
    const dt_dims order = order_of(of, &kept);
    dt_dims back = {.ndim = order.ndim};
    dt_shape flat = {.ndim = kept + 1}, apart = {.ndim = order.ndim};
    flat.dims[kept] = 1;
    for (int i = 0; i < order.ndim; i++) {
        back.dims[order.dims[i]] = i;
        apart.dims[i] = of->shape.dims[order.dims[i]];
        if (i < kept)
            flat.dims[i] = apart.dims[i];
        else
            flat.dims[kept] *= apart.dims[i];
    }
    dt_tensor *rows =
        dti_all_but_one(dt_reshape(dt_permute(self, order), flat));
    dt_tensor *others = dt_prod(rows, DT_DIMS(kept + 1), false);
    return dt_permute(dt_reshape(others, apart), back);
}

/*
 * The product of elements that are not 0, divided by each of these: the product
 * of the others, if 0 is not among them.
 */
static dt_tensor *quotients(const reduction *of, dt_tensor *self)
{
    dt_tensor *zero = dt_eq_scalar(self, dt_integer(0));
    dt_tensor *safe = dt_masked_fill(self, zero, dt_integer(1));
    dt_tensor *product = dt_prod(safe, of->dims, of->keepdim);
    dt_tensor *zeros = dt_sum(zero, of->dims, of->keepdim);
    dt_tensor *alone = dt_eq(spread(of, zeros), zero);
    return dt_mul(dt_div(spread(of, product), safe), alone);
}

dt_status dti_prod_backward(dt_backward_call *call)
{
    const reduction of = read_reduction(call, 1);
    dt_tensor *self = dti_input_as_result(call);
    dt_tensor *others = dt_tensor_requires_grad(self)
                            ? products_of_others(&of, self)
                            : quotients(&of, self);
    return dti_give_gradient(
        call, 0, dt_mul(spread(&of, call->grads[0]), dt_conj(others)));
}
