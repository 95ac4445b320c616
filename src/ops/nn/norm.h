/* ops/nn/norm.h - what norms share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_NN_NORM_H
#define DTI_OPS_NN_NORM_H

#include <stdbool.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>
#include <dtensor/dtype.h>
#include <dtensor/ops.h>
#include <dtensor/sys/op.h>

static inline bool dti_norm_is_half(dt_dtype dtype)
{
    return dtype == DT_F16 || dtype == DT_BF16;
}

/* Whether factors of a dtype go with an input: its own, or f32 with a half. */
static inline bool dti_norm_goes_with(dt_dtype input, dt_dtype factors)
{
    return factors == input || (factors == DT_F32 && dti_norm_is_half(input));
}

/*
 * Make means and rstds of rows of which ranks have parts: of counts, means and
 * sums of squares, a list of each, these one behind another.  In their place
 * come means and rstds.
 *
 * Collective over the group, of which all have as many rows; without one this
 * rank has all of them.
 */
dt_status dti_norm_agree(const dt_operation *operation, dt_group *group,
                         double eps, dt_array *numbers);

/* 1 / sqrt(mean(c^2) + eps) of a centred tensor: the value of rstd, which tells
 * eps, but it follows the input. */
dt_tensor *dti_follow_rstd(dt_tensor *centred, dt_tensor *rstd, dt_dims dims);

/* A gradient in its dtype; one that is not wanted has no elements. */
dt_tensor *dti_norm_result(const dt_tensor *input, bool wanted,
                           dt_tensor *found, dt_dtype dtype);

#endif
