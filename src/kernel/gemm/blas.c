/* kernel/gemm/blas.c - products by CBLAS. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/blas.h"

#include <assert.h>

#include "kernel/gemm/blas_functions.h"

bool dti_blas_exists(void)
{
    return dti_blas_loaded() != NULL;
}

static int turning(const dti_blas_matrix *matrix)
{
    return matrix->turned ? DTI_CBLAS_TRANSPOSED : DTI_CBLAS_AS_IT_IS;
}

void dti_blas_multiply(const dti_blas_product *p)
{
    const dti_blas_functions *blas = dti_blas_loaded();
    const int order = DTI_CBLAS_ROW_MAJOR;
    const int a = turning(&p->a), b = turning(&p->b);
    const float complex_alpha[] = {(float)p->alpha, 0};
    const float complex_beta[] = {(float)p->beta, 0};
    dti_blas_begin();
    switch (p->dtype) {
    case DT_F32:
        blas->sgemm(order, a, b, p->m, p->n, p->k, complex_alpha[0], p->a.data,
                    p->a.step, p->b.data, p->b.step, complex_beta[0], p->c,
                    p->c_step);
        break;
    case DT_F64:
        blas->dgemm(order, a, b, p->m, p->n, p->k, p->alpha, p->a.data,
                    p->a.step, p->b.data, p->b.step, p->beta, p->c, p->c_step);
        break;
    default:
        assert(p->dtype == DT_C64);
        blas->cgemm(order, a, b, p->m, p->n, p->k, complex_alpha, p->a.data,
                    p->a.step, p->b.data, p->b.step, complex_beta, p->c,
                    p->c_step);
    }
    dti_blas_end();
}

void dti_blas_apply(const dti_blas_image *p)
{
    const dti_blas_functions *blas = dti_blas_loaded();
    const int order = DTI_CBLAS_ROW_MAJOR;
    const int a = turning(&p->a);
    const int rows = p->a.turned ? p->k : p->m;
    const int columns = p->a.turned ? p->m : p->k;
    const float complex_alpha[] = {(float)p->alpha, 0};
    const float complex_beta[] = {(float)p->beta, 0};
    dti_blas_begin();
    switch (p->dtype) {
    case DT_F32:
        blas->sgemv(order, a, rows, columns, complex_alpha[0], p->a.data,
                    p->a.step, p->b, p->b_step, complex_beta[0], p->c,
                    p->c_step);
        break;
    case DT_F64:
        blas->dgemv(order, a, rows, columns, p->alpha, p->a.data, p->a.step,
                    p->b, p->b_step, p->beta, p->c, p->c_step);
        break;
    default:
        assert(p->dtype == DT_C64);
        blas->cgemv(order, a, rows, columns, complex_alpha, p->a.data,
                    p->a.step, p->b, p->b_step, complex_beta, p->c, p->c_step);
    }
    dti_blas_end();
}
