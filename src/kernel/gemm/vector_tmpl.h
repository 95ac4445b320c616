/* kernel/gemm/vector_tmpl.h - halves and vectors, with one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table, and vectors of
 * WIDTH floats, as array/half_avx2.h has them.
 *
 * Element p of a row is dealt to sum p % LANES; a sum of rows is added up in
 * their order.  So neither depends on WIDTH.
 */
#include "kernel/gemm/vector.h"

enum { LANES = 32, VECTORS = LANES / WIDTH, ROWS = 4 };

static inline int part_of(int64_t count)
{
    return count < WIDTH ? (int)count : WIDTH;
}

static inline float total_of(const vector *sums)
{
    float lanes[LANES];
    for (int v = 0; v < VECTORS; v++)
        store_f32(lanes + v * WIDTH, sums[v], WIDTH);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] += lanes[j + half];
    return lanes[0];
}

#define LOAD load_f16
#define BY_ROWS rows_f16
#define BY_COLUMNS columns_f16
#include "kernel/gemm/vector_loops_tmpl.h"

#define LOAD load_bf16
#define BY_ROWS rows_bf16
#define BY_COLUMNS columns_bf16
#include "kernel/gemm/vector_loops_tmpl.h"

const dti_vector_kernels LOOPS = {
    .rows_f16 = rows_f16,
    .rows_bf16 = rows_bf16,
    .columns_f16 = columns_f16,
    .columns_bf16 = columns_bf16,
};
