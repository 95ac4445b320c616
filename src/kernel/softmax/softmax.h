/* kernel/softmax/softmax.h - softmax and its logarithm along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_SOFTMAX_H
#define DTI_KERNEL_SOFTMAX_SOFTMAX_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

/*
 * Work out exp(x - m) / sum or, if `logarithm`, x - m - log(sum) along a
 * dimension, m being its largest element.  The array is one of floats; halves
 * are worked out in f32.  Results are row-major, of a dtype of floats.  A
 * dimension with NaN or infinity in it, or none but -infinity, gives NaN.
 */
void dti_softmax_array(bool logarithm, const dt_array *in, int dim, void *out,
                       dt_dtype dtype);

/* The same with an instruction set, which the processor must have. */
void dti_softmax_array_at(dti_cpu_level level, bool logarithm,
                          const dt_array *in, int dim, void *out,
                          dt_dtype dtype);

#endif
