/* kernel/gemm/by_blas.h - products by BLAS, from any strides. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_BY_BLAS_H
#define DTI_KERNEL_GEMM_BY_BLAS_H

#include <stdbool.h>

#include "kernel/gemm/gemm.h"

/* Tell whether BLAS can compute a product (no batch), and write its results. */
bool dti_by_blas_can(const dti_gemm *g);

/* Tell whether it can also read the matrices where they are. */
bool dti_by_blas_reads(const dti_gemm *g);

/* Compute it, if BLAS can read the matrices; no call has a longer extent. */
void dti_by_blas(const dti_gemm *g, int64_t extent);

/* Compute it by blocks that are copied first. */
size_t dti_by_blas_bytes(const dti_gemm *g, const dti_gemm_limits *limits);
void dti_by_blas_blocks(const dti_gemm *g, const dti_gemm_limits *limits,
                        void *scratch);

#endif
