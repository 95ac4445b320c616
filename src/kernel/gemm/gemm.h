/* kernel/gemm/gemm.h - products of matrices of every dtype, strided, in
 * batches. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_GEMM_H
#define DTI_KERNEL_GEMM_GEMM_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/shape.h>

/* How far apart neighbours lie, in elements; may be 0 in what is only read. */
typedef struct dti_gemm_strides {
    int64_t row;
    int64_t column;
    int64_t batch[DT_MAX_NDIM];
} dti_gemm_strides;

/*
 * c = alpha a b + beta c for each index of the batch: a is (m, k), b is (k, n),
 * c is (m, n).  Any dtype but bool.  c is not read where beta is 0, a and b are
 * not where alpha is; without k, a b is 0.  c overlaps neither of the others.
 *
 * Integers wrap around; f16 and bf16 are computed in f32 and rounded once.  Of
 * integers, alpha and beta are integers too.
 */
typedef struct dti_gemm {
    dt_dtype dtype;
    int64_t m, n, k;
    dt_number alpha, beta;
    const void *a, *b;
    void *c;
    dti_gemm_strides a_strides, b_strides, c_strides;
    int batch_ndim;
    int64_t batch[DT_MAX_NDIM];
} dti_gemm;

/* Bytes of memory, aligned as malloc's, that the product needs beside its
 * operands; often 0. */
size_t dti_gemm_scratch(const dti_gemm *product);

/* Compute it; `scratch` may be NULL if no bytes are needed. */
void dti_gemm_run(const dti_gemm *product, void *scratch);

/* Bytes that suffice for every product (no batch) of the dtype with up to these
 * extents, whatever its strides, by one thread. */
size_t dti_gemm_scratch_most(dt_dtype dtype, int64_t m, int64_t n, int64_t k);

/* Compute one product by the calling thread alone. */
void dti_gemm_run_alone(const dti_gemm *product, void *scratch);

/* ---- For tests ---------------------------------------------------------- */

/* What computes f32: our own kernels, unless BLAS was asked for by name or they
 * would be slow; or always these, or the others. */
typedef enum dti_gemm_f32 {
    DTI_GEMM_F32_USUAL,
    DTI_GEMM_F32_OWN,
    DTI_GEMM_F32_OTHERS
} dti_gemm_f32;

/* Where one way of computing ends and the next begins. */
typedef struct dti_gemm_limits {
    int64_t tiny;   /* m n k up to which plain loops are faster than a call */
    int64_t extent; /* the largest that a call may have */
    int64_t block_m, block_n, block_k; /* of what is copied first */
    dti_gemm_f32 f32;
} dti_gemm_limits;

extern const dti_gemm_limits dti_gemm_usual;

size_t dti_gemm_scratch_with(const dti_gemm *product,
                             const dti_gemm_limits *limits);
void dti_gemm_run_with(const dti_gemm *product, const dti_gemm_limits *limits,
                       void *scratch);

/* The plain loops, of one product (no batch) with any strides; not of f16 and
 * bf16. */
void dti_gemm_loops(const dti_gemm *product);

#endif
