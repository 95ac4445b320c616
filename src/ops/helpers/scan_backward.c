/* ops/helpers/scan_backward.c - gradients of running sums and products. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/ops.h>

#include "layout/spec.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/reduce_backward.h"

static int dim_of(const dt_backward_call *call)
{
    return (int)call->arguments[1].as.integer;
}

/* Scan from the end. */
static dt_tensor *scan_back(dt_tensor *(*scan)(dt_tensor *, int),
                            dt_tensor *tensor, int dim)
{
    const int64_t dims[] = {dim};
    if (!tensor || dt_tensor_ndim(tensor) == 0)
        return scan(tensor, dim);
    return dt_flip(scan(dt_flip(tensor, dims, 1), dim), dims, 1);
}

dt_status dti_cumsum_backward(dt_backward_call *call)
{
    return dti_give_gradient(
        call, 0, scan_back(dt_cumsum, call->grads[0], dim_of(call)));
}

/* ---- cumprod ------------------------------------------------------------ */

/*
 * Row i of a matrix has the products without element i, which are of interest
 * from i on: quadratic, but it can be differentiated again where elements are
 * 0.
 */
static dt_tensor *products_gradient(dt_tensor *self, dt_tensor *grad, int dim)
{
    dt_tensor *rows =
        dti_all_but_one(dt_movedim(self, DT_DIMS(dim), DT_DIMS(-1)));
    dt_tensor *products = dt_triu(dt_conj(dt_cumprod(rows, -1)), 0);
    dt_tensor *grads =
        dt_unsqueeze(dt_movedim(grad, DT_DIMS(dim), DT_DIMS(-1)), -2);
    dt_tensor *sums = dt_sum(dt_mul(products, grads), DT_DIMS(-1), false);
    return dt_movedim(sums, DT_DIMS(-1), DT_DIMS(dim));
}

/*
 * Before the first 0 the products of the others are those of the result divided
 * by the element; at the first 0 they are the products without it; after it
 * they are 0.
 */
static dt_tensor *quotients_gradient(dt_tensor *self, dt_tensor *result,
                                     dt_tensor *grad, int dim)
{
    const dt_number one = dt_integer(1);
    dt_tensor *zero = dt_eq_scalar(self, dt_integer(0));
    dt_tensor *count = dt_cumsum(zero, dim);
    dt_tensor *first = dt_logical_and(zero, dt_eq_scalar(count, one));
    dt_tensor *before = dt_eq_scalar(count, dt_integer(0));
    dt_tensor *without = dt_cumprod(dt_masked_fill(self, first, one), dim);
    dt_tensor *safe = dt_masked_fill(self, zero, one);
    dt_tensor *sums = scan_back(dt_cumsum, dt_mul(grad, dt_conj(result)), dim);
    dt_tensor *sums_without =
        scan_back(dt_cumsum, dt_mul(grad, dt_conj(without)), dim);
    return dt_add(dt_mul(dt_div(sums, dt_conj(safe)), before),
                  dt_mul(sums_without, first));
}

dt_status dti_cumprod_backward(dt_backward_call *call)
{
    const int dim = dim_of(call);
    dt_tensor *self = dti_input_as_result(call), *grad = call->grads[0];
    if (dt_tensor_ndim(grad) == 0)
        return dti_give_gradient(call, 0, grad);
    return dti_give_gradient(
        call, 0,
        dt_tensor_requires_grad(self)
            ? products_gradient(self, grad, dim)
            : quotients_gradient(self, call->results[0], grad, dim));
}

/* ---- logcumsumexp ------------------------------------------------------- */

/* exp(x) times the running sum from the end of grad / exp(result), of what is
 * positive; in logarithms, so that nothing overflows. */
static dt_tensor *positive_part(const dt_backward_call *call, dt_tensor *grad)
{
    /* A logarithm of 0, but finite: differences of infinite ones are NaN. */
    const double nothing = dt_tensor_dtype(grad) == DT_F16 ? -6e4 : -1e30;
    dt_tensor *negative = dt_le_scalar(grad, dt_integer(0));
    dt_tensor *safe = dt_masked_fill(grad, negative, dt_integer(1));
    dt_tensor *logs = dt_masked_fill(dt_log(safe), negative, dt_real(nothing));
    dt_tensor *sums = scan_back(dt_logcumsumexp, dt_sub(logs, call->results[0]),
                                dim_of(call));
    return dt_exp(dt_add(sums, call->inputs[0]));
}

dt_status dti_logcumsumexp_backward(dt_backward_call *call)
{
    dt_tensor *grad = call->grads[0];
    return dti_give_gradient(
        call, 0,
        dt_sub(positive_part(call, grad), positive_part(call, dt_neg(grad))));
}
