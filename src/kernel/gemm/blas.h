/* kernel/gemm/blas.h - products by a BLAS library that is loaded at run time.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_BLAS_H
#define DTI_KERNEL_GEMM_BLAS_H

#include <stdbool.h>

#include <dtensor/blas.h>
#include <dtensor/dtype.h>
#include <dtensor/status.h>

/*
 * Any library with CBLAS's functions will do.  Numbers are f32, f64 or c64.
 * Whatever the library is, a call runs in the thread that makes it, and any
 * number of threads may call.
 */

/* The setting DT_BLAS: a library, or one of these. */
#define DTI_BLAS_USUAL "openblas"
#define DTI_BLAS_NONE "none"

/*
 * Load the library that DT_BLAS asks for, the first time that this is called in
 * a process.  Without OpenBLAS there is no library, and that is no failure; a
 * library that was asked for by name and cannot be used is DT_ERR_NOT_FOUND,
 * every time.
 */
dt_status dti_blas_load(const char *wanted, dt_error *error);

/* Tell whether a library that was loaded by others does not suit. */
bool dti_blas_refused(void);

/* A matrix in row-major memory. */
typedef struct dti_blas_matrix {
    const void *data;
    int step;    /* elements from row to row, at least as many as a row has */
    bool turned; /* the rows of the memory are columns of the matrix */
} dti_blas_matrix;

/* c = alpha a b + beta c: a is (m, k), b is (k, n), c is (m, n) and is not read
 * where beta is 0.  No extent is 0. */
typedef struct dti_blas_product {
    dt_dtype dtype;
    int m, n, k;
    double alpha, beta;
    dti_blas_matrix a, b;
    void *c;
    int c_step;
} dti_blas_product;

/* The same where b and c are vectors: a is (m, k).  Steps, in elements, are
 * positive. */
typedef struct dti_blas_image {
    dt_dtype dtype;
    int m, k;
    double alpha, beta;
    dti_blas_matrix a;
    const void *b;
    int b_step;
    void *c;
    int c_step;
} dti_blas_image;

/* Tell whether one is loaded; if not, neither function may be called. */
bool dti_blas_exists(void);

/* Tell whether DT_BLAS named the library that is loaded. */
bool dti_blas_named(void);

void dti_blas_multiply(const dti_blas_product *product);
void dti_blas_apply(const dti_blas_image *image);

#endif
