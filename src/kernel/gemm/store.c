/* kernel/gemm/store.c - blocks of results that are kept as f32 meanwhile. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/store.h"

#include "base/dtype.h"
#include "kernel/fold/bring.h"

static char *row_of(const dti_store_block *block, int64_t row)
{
    return (char *)block->data +
           row * block->strides.row * (int64_t)dti_dtype_size(block->dtype);
}

static int64_t part_of(int64_t rest)
{
    return rest < DTI_BRING_MOST ? rest : DTI_BRING_MOST;
}

void dti_store_read(const dti_store_block *block, float *to)
{
    const int64_t step =
        block->strides.column * (int64_t)dti_dtype_size(block->dtype);
    for (int64_t i = 0; i < block->rows; i++)
        for (int64_t j = 0; j < block->columns; j += DTI_BRING_MOST)
            dti_bring(row_of(block, i) + j * step, block->dtype,
                      block->strides.column, to + i * block->columns + j,
                      DT_F32, part_of(block->columns - j));
}

void dti_store_write(const dti_store_block *block, const float *from)
{
    const int64_t step =
        block->strides.column * (int64_t)dti_dtype_size(block->dtype);
    for (int64_t i = 0; i < block->rows; i++)
        for (int64_t j = 0; j < block->columns; j += DTI_BRING_MOST)
            dti_spread(from + i * block->columns + j, DT_F32,
                       row_of(block, i) + j * step, block->dtype,
                       block->strides.column, part_of(block->columns - j));
}
