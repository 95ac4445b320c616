/* kernel/gemm/shape.h - products in the order that suits what computes them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_SHAPE_H
#define DTI_KERNEL_GEMM_SHAPE_H

#include <stdbool.h>

#include "base/dtype.h"
#include "kernel/gemm/gemm.h"

static inline int64_t dti_shape_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline bool dti_shape_is_zero(dt_number number)
{
    return dt_number_real(number) == 0;
}

static inline const void *dti_shape_in(const dti_gemm *g, const void *from,
                                       int64_t elements)
{
    return (const char *)from + elements * (int64_t)dti_dtype_size(g->dtype);
}

static inline void *dti_shape_out(const dti_gemm *g, void *from,
                                  int64_t elements)
{
    return (char *)from + elements * (int64_t)dti_dtype_size(g->dtype);
}

/* Compute the transposed product instead. */
void dti_shape_transpose(dti_gemm *g);

/* Give dimensions with one index, or none, the strides that suit. */
void dti_shape_settle(dti_gemm *g);

/* Make dimensions of the batch part of m or n where that is possible; a product
 * without terms or with an alpha of 0 has a k of 0 and an alpha of 1. */
dti_gemm dti_shape_fold(const dti_gemm *product);

#endif
