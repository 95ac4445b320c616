/* ops/helpers/factors.h - writing down the rule of one call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_FACTORS_H
#define DTI_OPS_HELPERS_FACTORS_H

#include <assert.h>

#include <dtensor/sys/op.h>

/* Add a factor; gives its number. */
static inline int dti_factor_add(dt_factors *factors, dt_factor_kind kind,
                                 int64_t size)
{
    assert(factors->count < DT_MAX_FACTORS);
    factors->factors[factors->count] =
        (dt_factor){.size = size, .kind = kind, .reduce = DT_SUM};
    return factors->count++;
}

/* Let a dimension have one more factor, behind those that it has. */
static inline void dti_factor_put(dt_factor_dim *dim, int factor)
{
    assert(dim->count < DT_MAX_NDIM);
    dim->factors[dim->count++] = factor;
}

/* Add a factor for indexes that the kernel moves along a dimension; gives its
 * number. */
static inline int dti_factor_add_moved(dt_factors *factors, int64_t size)
{
    int factor = dti_factor_add(factors, DT_FACTOR_INSIDE, size);
    factors->factors[factor].exchanges = true;
    return factor;
}

/*
 * Write the rule of an operator whose result has dimensions of its only tensor:
 * dimension i is dimension `from[i]` of that; -1: it is another one.
 * Dimensions that nobody names are whole.
 */
static inline dt_status dti_factors_moves(const dt_operation *operation,
                                          const int *from, dt_factors *out)
{
    dt_shape shape = operation->results[0].shape;
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    for (int i = 0; i < shape.ndim; i++) {
        if (from[i] < 0)
            continue;
        int factor = dti_factor_add(out, DT_FACTOR_FREE, shape.dims[i]);
        dti_factor_put(&out->in[0].dims[from[i]], factor);
        dti_factor_put(&out->out[0].dims[i], factor);
    }
    return DT_OK;
}

#endif
