/* ops/nn/glu.c - gated linear units, and their gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/pointwise/pointwise.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/tables.h"
#include "tensor/order.h"

/* The dimension that is halved is two halves of as many indexes: cut along
 * these, a rank has what belongs together, of both. */

/* ---- Results ------------------------------------------------------------- */

static dt_status check_self(const dt_operation *operation, int self, int *dim)
{
    const dt_meta *meta = operation->metas[self];
    if (dt_dtype_kind_of(meta->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype %s",
                                 dt_dtype_name(meta->dtype));
    if (meta->shape.ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is 0-d; expected at least 1 dimension");
    DTI_TRY(dti_argument_dim(operation, "dim", meta->shape.ndim, dim));
    if (meta->shape.dims[*dim] % 2 == 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "dim %d has extent %" PRId64
                             "; expected an even number",
                             *dim, meta->shape.dims[*dim]);
}

static dt_status glu_meta(dt_operation *operation)
{
    int dim;
    DTI_TRY(check_self(operation, 0, &dim));
    dt_meta half = *operation->metas[0];
    half.shape.dims[dim] /= 2;
    dti_meta_keep_order(&half);
    return dt_operation_add_result(operation, &half);
}

static dt_status glu_backward_meta(dt_operation *operation)
{
    int dim;
    const dt_meta *grad = operation->metas[0], *self = operation->metas[1];
    DTI_TRY(check_self(operation, 1, &dim));
    dt_shape shape = self->shape;
    shape.dims[dim] /= 2;
    if (!dt_shape_equal(grad->shape, shape))
        return dt_operation_fail(
            operation, DT_ERR_INVALID, "grad_output is %s; expected %s",
            dti_shape_show(grad->shape).text, dti_shape_show(shape).text);
    if (grad->dtype != self->dtype)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "grad_output is %s but self is %s; they must match",
            dt_dtype_name(grad->dtype), dt_dtype_name(self->dtype));
    return dti_meta_add(operation, self->dtype, self->shape);
}

static int halved_dim(const dt_operation *operation, int ndim)
{
    const int64_t dim = dti_argument_int(operation, "dim");
    return (int)(dim < 0 ? dim + ndim : dim);
}

/* ---- Kernels ------------------------------------------------------------- */

/* See one half of an array, 0 or 1. */
static dt_status see_half(const dt_operation *operation, dt_array *array,
                          int dim, int half, dt_array **out)
{
    const int64_t count = array->shape.dims[dim] / 2;
    return dti_scratch_own(operation,
                           dt_array_slice(operation->world, array, dim,
                                          half * count, (half + 1) * count, 1,
                                          out),
                           out);
}

static dt_status glu_kernel(dt_operation *operation)
{
    dt_array *out = operation->out[0];
    const int dim = halved_dim(operation, dt_array_ndim(out));
    dti_pointwise_input inputs[2] = {{.array = NULL}};
    for (int i = 0; i < 2; i++) {
        dt_array *half = NULL;
        DTI_TRY(see_half(operation, operation->in[0], dim, i, &half));
        inputs[i].array = half;
    }
    dti_pointwise_apply(DTI_GLU, out->dtype, inputs, out);
    return DT_OK;
}

static void put_gradients(dt_array *grad, dt_array *const self[2],
                          dt_array *const to[2])
{
    const dti_pointwise_input inputs[] = {
        {.array = grad}, {.array = self[1]}, {.array = self[0]}};
    dti_pointwise_apply(DTI_GLU, grad->dtype, inputs, to[0]);
    dti_pointwise_apply(DTI_GATE_BACKWARD, grad->dtype, inputs, to[1]);
}

static dt_status glu_backward_kernel(dt_operation *operation)
{
    dt_array *self[2] = {NULL, NULL}, *to[2] = {NULL, NULL};
    const int dim = halved_dim(operation, dt_array_ndim(operation->in[1]));
    for (int i = 0; i < 2; i++) {
        DTI_TRY(see_half(operation, operation->in[1], dim, i, &self[i]));
        DTI_TRY(see_half(operation, operation->out[0], dim, i, &to[i]));
    }
    put_gradients(operation->in[0], self, to);
    return DT_OK;
}

/* ---- Gradients of gradients ---------------------------------------------- */

/* The same by operators that have gradients: g s and g s (1 - s) a, where s is
 * the sigmoid of the second half and a the first. */
static dt_status glu_backward_recorded(dt_operation *operation)
{
    dt_tensor *g = operation->inputs[0], *self = operation->inputs[1];
    const dt_shape shape = dt_tensor_shape(self);
    const int dim = halved_dim(operation, shape.ndim);
    if (dim < 0 || dim >= shape.ndim || shape.dims[dim] % 2 != 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dim %d of %s has no halves", dim,
                                 dti_shape_show(shape).text);
    const int64_t count = shape.dims[dim] / 2;
    dt_tensor *a = dt_narrow(self, dim, 0, count);
    dt_tensor *s = dt_sigmoid(dt_narrow(self, dim, count, count));
    dt_tensor *first = dt_mul(g, s);
    dt_tensor *second =
        dt_mul(first, dt_mul(a, dt_rsub_scalar(s, dt_integer(1))));
    operation->outputs[0] = dt_cat((dt_tensor *[]){first, second}, 2, dim);
    return DT_OK;
}

/* ---- Rows ---------------------------------------------------------------- */

const dt_op dti_ops_glu[] = {
    {
        .schema = "glu(Tensor self, *, Dim dim=-1) -> Tensor",
        .about = "Multiply the first half of a dimension by the sigmoid of the "
                 "second.",
        .arguments = "dim: dimension to split into two halves",
        .rule = "...(td)->...d; d at dim, t whole",
        .flags = DT_OP_OUT,
        .meta = glu_meta,
        .kernel = glu_kernel,
        .gradient = "self: glu_backward(grad, self, dim)",
        .samples = "(T[m,6], dim=1); (T[m*2,n], dim=0); (T[m,n*2]); "
                   "(T[m,n*2,3], dim=-2)",
        .dtypes = "float",
    },
    {
        .schema =
            "glu_backward(Tensor grad_output, Tensor self, Dim dim) -> Tensor",
        .about = "Gradient of glu.",
        .arguments = "dim: dimension to split into two halves",
        .rule = "...d,...(td)->...(td); d at dim, t whole",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = glu_backward_meta,
        .kernel = glu_backward_kernel,
        .compose = glu_backward_recorded,
        .composes = dti_is_recorded,
        .samples = "(T[m,3], T[m,6], 1); (T[m,n], T[m*2,n], 0); "
                   "(T[m,n], T[m,n*2], -1); (T[m,n,3], T[m,n*2,3], -2)",
        .dtypes = "float",
    },
    {0},
};
