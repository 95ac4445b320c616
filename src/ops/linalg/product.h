/* ops/linalg/product.h - products of this rank's parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_LINALG_PRODUCT_H
#define DTI_OPS_LINALG_PRODUCT_H

#include <dtensor/ops.h>
#include <dtensor/sys/op.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/gemm/gemm.h"
#include "kernel/pointwise/pointwise.h"

/* Check that tensors have one dtype, and one that can be multiplied. */
static inline dt_status dti_product_check(const dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    for (int i = 1; i < operation->input_count; i++)
        if (operation->metas[i] && operation->metas[i]->dtype != dtype)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "the dtypes are %s and %s; all tensors "
                                     "must have the same dtype",
                                     dt_dtype_name(dtype),
                                     dt_dtype_name(operation->metas[i]->dtype));
    if (dtype == DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype bool");
    return DT_OK;
}

/* Compute into an array; `product` has all but addresses. */
static inline dt_status dti_product_compute(dt_world *world, dti_gemm *product,
                                            const dt_array *a,
                                            const dt_array *b, dt_array *out)
{
    dt_array *scratch = NULL;
    product->dtype = out->dtype;
    product->a = dt_array_const_data(a);
    product->b = dt_array_const_data(b);
    product->c = dt_array_data(out);
    const size_t bytes = dti_gemm_scratch(product);
    if (bytes > 0)
        DTI_TRY(
            dt_array_create(world, DT_U8, DT_SHAPE((int64_t)bytes), &scratch));
    dti_gemm_run(product, scratch ? dt_array_data(scratch) : NULL);
    dt_array_release(scratch);
    return DT_OK;
}

/*
 * The same with complex factors: kernels of products know real ones, so that
 * the product is multiplied, and the addend added, element by element.
 */
static inline dt_status dti_product_scaled(dt_operation *operation,
                                           const dti_gemm *product,
                                           const dt_array *a, const dt_array *b,
                                           const dt_array *addend)
{
    dt_world *world = operation->world;
    dt_array *out = operation->out[0], *terms = NULL;
    const bool adds = addend && !dt_number_is(product->beta, 0);
    dti_gemm plain = *product;
    plain.alpha = dt_integer(1);
    plain.beta = dt_integer(0);
    DTI_TRY(dt_array_create(world, out->dtype, out->shape, &terms));
    dt_status status = dti_product_compute(world, &plain, a, b, terms);
    const dti_pointwise_input scaled[] = {{.array = terms},
                                          {.number = product->alpha}};
    const dti_pointwise_input sum[] = {
        {.array = terms}, {.array = addend}, {.number = product->beta}};
    if (status == DT_OK)
        dti_pointwise_apply(DTI_MUL, out->dtype, scaled, adds ? terms : out);
    if (status == DT_OK && adds)
        dti_pointwise_apply(DTI_ADD_SCALED, out->dtype, sum, out);
    dt_array_release(terms);
    return status;
}

/*
 * Compute result 0 of an operation: alpha a b, and beta times an addend, which
 * is broadcast; NULL if there is none.  The result may lie where an operand
 * does.
 */
static inline dt_status dti_product_run(dt_operation *operation,
                                        dti_gemm *product, const dt_array *a,
                                        const dt_array *b,
                                        const dt_array *addend)
{
    dt_world *world = operation->world;
    dt_array *out = operation->out[0], *target = out;
    dt_status status = DT_OK;
    if (out->count == 0)
        return DT_OK;
    if (product->alpha.kind == DT_KIND_COMPLEX ||
        product->beta.kind == DT_KIND_COMPLEX)
        return dti_product_scaled(operation, product, a, b, addend);
    if (out->storage == a->storage || out->storage == b->storage) {
        target = NULL;
        DTI_TRY(dt_array_create(world, out->dtype, out->shape, &target));
    }
    if (addend && dt_number_real(product->beta) != 0)
        status = dt_array_copy(world, addend, target);
    if (status == DT_OK)
        status = dti_product_compute(world, product, a, b, target);
    if (target != out) {
        if (status == DT_OK)
            status = dt_array_copy(world, target, out);
        dt_array_release(target);
    }
    return status;
}

/* The stride of a dimension in a loop over `extent`: 0 where it is broadcast.
 */
static inline int64_t dti_product_stride(const dt_array *array, int dim)
{
    return array->shape.dims[dim] == 1 ? 0 : array->strides[dim];
}

/*
 * Set the gradient of an input to a contraction of the gradient of the result
 * and the conjugate of another tensor, which may be NULL.
 */
static inline dt_status dti_product_gradient(const dt_backward_call *call,
                                             int input, dt_tensor *other,
                                             const char *equation)
{
    if (other && dt_tensor_dtype(other) == DT_C64) {
        other = dt_conj_physical(other);
        if (!other)
            return dti_failure_of(call->world);
    }
    call->gradients[input] = dt_contract(call->grads[0], other, equation);
    return call->gradients[input] ? DT_OK : dti_failure_of(call->world);
}

#endif
