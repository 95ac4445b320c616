/* kernel/gemm/own.h - products of f32 and halves by kernels of our own. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_OWN_H
#define DTI_KERNEL_GEMM_OWN_H

#include "base/machine/cpu.h"
#include "kernel/gemm/gemm.h"

/*
 * One product (no batch) of f32, f16 or bf16, from any strides.  All levels
 * give the same bits, whatever the alignment.
 *
 * An element is the sum of its terms by blocks of DTI_OWN_TERMS: fused
 * multiplications one after the other in a block, then c = fma(alpha, block,
 * beta c) for the first block and fma(alpha, block, c) for the others.  One row
 * by columns of neighbours (a dot, a matrix by a vector) deals the terms of
 * blocks of DTI_OWN_DOT_TERMS to lanes instead: see `dots` in tile_level.h.
 *
 * Up to DTI_OWN_FEW rows are few, if there are not less columns: transpose the
 * product if these are few.
 */
enum { DTI_OWN_TERMS = 512, DTI_OWN_DOT_TERMS = 8192, DTI_OWN_FEW = 16 };

size_t dti_own_scratch(const dti_gemm *product, dti_cpu_level level);
/* For every product with up to these extents. */
size_t dti_own_scratch_most(int64_t m, int64_t n, int64_t k,
                            dti_cpu_level level);

void dti_own_run(const dti_gemm *product, dti_cpu_level level, void *scratch);

#endif
