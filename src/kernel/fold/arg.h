/* kernel/fold/arg.h - where the largest or the least element lies. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_ARG_H
#define DTI_KERNEL_FOLD_ARG_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

/*
 * Find, along a dimension, the first of the largest or least elements: NaN
 * comes before every number, -0 and 0 are the same.  Values, unless NULL, and
 * indexes lie side by side in row-major order of the other dimensions.  The
 * dimension has one element at least, and numbers are not complex.
 */
void dti_arg_array(bool largest, const dt_array *in, int dim, void *values,
                   int64_t *indexes);

/* The same with an instruction set, which the processor must have. */
void dti_arg_array_at(dti_cpu_level level, bool largest, const dt_array *in,
                      int dim, void *values, int64_t *indexes);

/* Tell whether an element beats another: larger, or less, or NaN where the
 * other is not. */
bool dti_arg_beats(bool largest, dt_dtype dtype, const void *a, const void *b);

#endif
