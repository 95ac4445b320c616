/* kernel/reduce/reduce.h - combining arrays of several ranks element by
 * element. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_REDUCE_REDUCE_H
#define DTI_KERNEL_REDUCE_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/comm.h>
#include <dtensor/dtype.h>

/* Tell whether a reduction is defined for a dtype. */
bool dti_reduce_supports(dt_reduce op, dt_dtype dtype);

/*
 * Combine `inputs[0] op inputs[1] op ...`, in this order, and write the result
 * to every output.
 *
 * An output may be one of the inputs at the same address; otherwise outputs
 * overlap neither inputs nor each other.  `stream` stores past the cache, for
 * results that are not read soon.  f16 and bf16 accumulate in f32 and round
 * once.  DT_AVG divides by the number of inputs.  Results do not depend on
 * alignment, on count or on where the range was cut.
 */
void dti_reduce(dt_reduce op, dt_dtype dtype, const void *const *inputs,
                int input_count, void *const *outputs, int output_count,
                int64_t count, bool stream);

/* Tell whether a sum can be divided afterwards as DT_AVG would have divided it:
 * f16 and bf16 are divided before they are rounded. */
bool dti_reduce_divides(dt_dtype dtype);

/* Divide elements in place. */
void dti_reduce_scale(dt_dtype dtype, void *array, int64_t count, int divisor);

#endif
