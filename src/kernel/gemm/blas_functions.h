/* kernel/gemm/blas_functions.h - CBLAS's functions, as they were found. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_BLAS_FUNCTIONS_H
#define DTI_KERNEL_GEMM_BLAS_FUNCTIONS_H

#include <stdbool.h>

/* CBLAS's numbers for the order of memory, and for transposition. */
enum {
    DTI_CBLAS_ROW_MAJOR = 101,
    DTI_CBLAS_AS_IT_IS = 111,
    DTI_CBLAS_TRANSPOSED = 112
};

/* In the order of `dti_blas_symbols`. */
typedef struct dti_blas_functions {
    void (*sgemm)(int order, int a_turned, int b_turned, int m, int n, int k,
                  float alpha, const float *a, int a_step, const float *b,
                  int b_step, float beta, float *c, int c_step);
    void (*dgemm)(int order, int a_turned, int b_turned, int m, int n, int k,
                  double alpha, const double *a, int a_step, const double *b,
                  int b_step, double beta, double *c, int c_step);
    void (*cgemm)(int order, int a_turned, int b_turned, int m, int n, int k,
                  const void *alpha, const void *a, int a_step, const void *b,
                  int b_step, const void *beta, void *c, int c_step);
    void (*sgemv)(int order, int turned, int rows, int columns, float alpha,
                  const float *a, int a_step, const float *b, int b_step,
                  float beta, float *c, int c_step);
    void (*dgemv)(int order, int turned, int rows, int columns, double alpha,
                  const double *a, int a_step, const double *b, int b_step,
                  double beta, double *c, int c_step);
    void (*cgemv)(int order, int turned, int rows, int columns,
                  const void *alpha, const void *a, int a_step, const void *b,
                  int b_step, const void *beta, void *c, int c_step);
    int calls; /* that may be under way at a time */
} dti_blas_functions;

/* The functions of a library that was loaded, for the whole process; NULL
 * before, and without one. */
const dti_blas_functions *dti_blas_loaded(void);

/* Wait until a call may begin; say that it has ended. */
void dti_blas_begin(void);
void dti_blas_end(void);

#endif
