/* kernel/pointwise/pointwise_level.h - the loops of pointwise functions, by
 * level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_POINTWISE_LEVEL_H
#define DTI_KERNEL_POINTWISE_POINTWISE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/machine/cpu.h"
#include "kernel/pointwise/pointwise.h"

/*
 * Apply a function to `count` neighbours of the dtype of the loop.  `in` has
 * the inputs, and behind them the numbers, of which there is one each.  An
 * input whose step is 0 is one element for all; at least one has step 1.  False
 * if the function is not defined, whatever the count.
 */
typedef bool (*dti_pointwise_loop)(dti_pointwise function, void *out,
                                   const void *const *in, const int *steps,
                                   int64_t count);

/* The loops of an instruction set; NULL for f16 and bf16, which are computed in
 * f32.  All levels give the same bits, functions from the C library and complex
 * ones apart. */
typedef dti_pointwise_loop dti_pointwise_loops[DT_DTYPE_COUNT];

/* Arithmetic, comparisons and choices. */
extern const dti_pointwise_loops dti_pointwise_portable;
extern const dti_pointwise_loops dti_pointwise_avx2;
extern const dti_pointwise_loops dti_pointwise_avx512;

/* Functions of reals. */
extern const dti_pointwise_loops dti_pointwise_real_portable;
extern const dti_pointwise_loops dti_pointwise_real_avx2;
extern const dti_pointwise_loops dti_pointwise_real_avx512;

/* Activations, and their gradients. */
extern const dti_pointwise_loops dti_pointwise_activation_portable;
extern const dti_pointwise_loops dti_pointwise_activation_avx2;
extern const dti_pointwise_loops dti_pointwise_activation_avx512;

/* The loop of a function and a dtype, which is not f16 or bf16; NULL if the
 * level has none. */
dti_pointwise_loop dti_pointwise_loop_of(dti_cpu_level level,
                                         dti_pointwise function,
                                         dt_dtype dtype);

/* dti_pointwise_apply with an instruction set, which the processor must have.
 */
void dti_pointwise_at(dti_cpu_level level, dti_pointwise function,
                      dt_dtype dtype, const dti_pointwise_input *inputs,
                      dt_array *out);

#endif
