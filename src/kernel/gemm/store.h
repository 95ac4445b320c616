/* kernel/gemm/store.h - blocks of results that are kept as f32 meanwhile. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_STORE_H
#define DTI_KERNEL_GEMM_STORE_H

#include "kernel/gemm/gemm.h"

/* A matrix of f32, f16 or bf16 in memory; batches of the strides aside. */
typedef struct dti_store_block {
    dt_dtype dtype;
    void *data;
    dti_gemm_strides strides;
    int64_t rows, columns;
} dti_store_block;

/* To a dense block of f32, and from it. */
void dti_store_read(const dti_store_block *block, float *to);
void dti_store_write(const dti_store_block *block, const float *from);

#endif
