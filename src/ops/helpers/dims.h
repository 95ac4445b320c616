/* ops/helpers/dims.h - the dimensions that an operator reduces. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_DIMS_H
#define DTI_OPS_HELPERS_DIMS_H

#include <stdbool.h>

#include "op/meta.h"
#include "ops/helpers/arguments.h"

static inline unsigned dti_dims_all(int ndim)
{
    return (1u << ndim) - 1;
}

/* The dimensions that the argument `dims` names, a bit each: all of an empty
 * list, none if its count is -1. */
static inline dt_status dti_dims_read(const dt_operation *operation, int ndim,
                                      unsigned *out)
{
    const dt_argument *list = dti_argument(operation, "dims");
    unsigned dims = 0;
    if (list->count < 0 && !(operation->op->flags & DT_OP_NO_DIMS))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dims is DT_NO_DIMS; use DT_DIMS() for all dimensions");
    for (int i = 0; i < list->count; i++) {
        int dim;
        DTI_TRY(dt_operation_dim(operation, list->as.integers[i], ndim, &dim));
        if (dims >> dim & 1)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dimension %d is listed twice in dims",
                                     dim);
        dims |= 1u << dim;
    }
    *out = list->count ? dims & dti_dims_all(ndim) : dti_dims_all(ndim);
    return DT_OK;
}

/* The same of a call that was checked, of the first tensor. */
static inline unsigned dti_dims_of(const dt_operation *operation)
{
    const dt_argument *list = dti_argument(operation, "dims");
    const int ndim = operation->metas[0]->shape.ndim;
    unsigned dims = 0;
    for (int i = 0; i < list->count; i++) {
        int64_t dim = list->as.integers[i];
        dims |= 1u << (dim < 0 ? dim + (ndim ? ndim : 1) : dim);
    }
    return list->count ? dims & dti_dims_all(ndim) : dti_dims_all(ndim);
}

/* The shape without dimensions, or with one element of them. */
static inline dt_shape dti_dims_reduce(dt_shape shape, unsigned dims,
                                       bool keepdim)
{
    dt_shape out = DT_SHAPE();
    for (int i = 0; i < shape.ndim; i++) {
        if (!(dims >> i & 1))
            out.dims[out.ndim++] = shape.dims[i];
        else if (keepdim)
            out.dims[out.ndim++] = 1;
    }
    return out;
}

/* Add the result of reducing `dims` of the first tensor, which stay with one
 * element if `keepdim`. */
static inline dt_status dti_dims_add_reduced(dt_operation *operation,
                                             dt_dtype dtype)
{
    const dt_shape shape = operation->metas[0]->shape;
    unsigned dims = 0;
    DTI_TRY(dti_dims_read(operation, shape.ndim, &dims));
    return dti_meta_add(
        operation, dtype,
        dti_dims_reduce(shape, dims, dti_argument_bool(operation, "keepdim")));
}

/* How many elements of a shape become one. */
static inline int64_t dti_dims_count(dt_shape shape, unsigned dims)
{
    int64_t count = 1;
    for (int i = 0; i < shape.ndim; i++)
        if (dims >> i & 1)
            count *= shape.dims[i];
    return count;
}

#endif
