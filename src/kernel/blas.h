/* kernel/blas.h - products by a BLAS library, if the build has one. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_BLAS_H
#define DTI_KERNEL_BLAS_H

#include <stdbool.h>

#include <dtensor/dtype.h>

/*
 * blas_cblas.c is built where there is a CBLAS, blas_none.c elsewhere.  Only
 * the former knows that header.  Numbers are f32, f64 or c64.
 *
 * Whatever the library is, a call runs in the thread that makes it, and any
 * number of threads may call.
 */

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

/* Tell whether there is one; if not, neither function may be called. */
bool dti_blas_exists(void);

/* What it says it is, with the processor it takes this one for; "" if it does
 * not say.  Static. */
const char *dti_blas_name(void);

void dti_blas_multiply(const dti_blas_product *product);
void dti_blas_apply(const dti_blas_image *image);

#endif
