/* kernel/gemm/blas_core.h - the processor that OpenBLAS shall compute for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_BLAS_CORE_H
#define DTI_KERNEL_GEMM_BLAS_CORE_H

#include <stdbool.h>

/* OpenBLAS's name for the processor whose kernels suit this one, by its
 * instruction sets and DT_CPU; "" if OpenBLAS shall choose.  Static. */
const char *dti_blas_core(void);

/* Tell whether the kernels for a processor of this name use the vectors that
 * this one has: AVX2 at least where it has that. */
bool dti_blas_core_suits(const char *name);

#endif
