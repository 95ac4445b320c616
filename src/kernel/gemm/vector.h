/* kernel/gemm/vector.h - products of a matrix of halves and a vector. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_VECTOR_H
#define DTI_KERNEL_GEMM_VECTOR_H

#include <stdint.h>

#include "base/machine/cpu.h"

/*
 * Halves are widened on the way: the matrix is read once, and nothing of it is
 * written.  Vectors are f32, of neighbours.  Rows of a matrix are `step`
 * elements apart, each of neighbours.  All levels give the same bits.
 */

/* Give the sum of each row by `x`, which has `columns` elements. */
typedef void (*dti_vector_rows)(const uint16_t *matrix, int64_t step,
                                int64_t rows, int64_t columns, const float *x,
                                float *out);

/* Give the sum of all rows, each by its element of `x`. */
typedef void (*dti_vector_columns)(const uint16_t *matrix, int64_t step,
                                   int64_t rows, int64_t columns,
                                   const float *x, float *out);

typedef struct dti_vector_kernels {
    dti_vector_rows rows_f16, rows_bf16;
    dti_vector_columns columns_f16, columns_bf16;
} dti_vector_kernels;

/* Those of an instruction set, which the processor must have. */
const dti_vector_kernels *dti_vector_at(dti_cpu_level level);

extern const dti_vector_kernels dti_vector_portable;
extern const dti_vector_kernels dti_vector_avx2;
extern const dti_vector_kernels dti_vector_avx512;

#endif
