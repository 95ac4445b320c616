/* ops/math/cast.h - what a conversion does to partial values. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_MATH_CAST_H
#define DTI_OPS_MATH_CAST_H

#include <dtensor/sys/op.h>

/* Forbid the partial values that do not pass when elements of a dtype become
 * elements of another. */
void dti_cast_factors(dt_dtype from, dt_dtype to, dt_factors *out);

#endif
