/* kernel/gemm/skinny.h - products of few rows with a large matrix. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_SKINNY_H
#define DTI_KERNEL_GEMM_SKINNY_H

#include "kernel/gemm/gemm.h"
#include "kernel/gemm/tile_level.h"

/* As dti_own_scratch and dti_own_run, for up to DTI_OWN_FEW rows and at least
 * one term. */
size_t dti_skinny_scratch(const dti_gemm *product,
                          const dti_tile_kernels *kernels);
void dti_skinny_run(const dti_gemm *product, const dti_tile_kernels *kernels,
                    void *scratch);

#endif
