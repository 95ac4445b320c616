/* kernel/blas_cblas.c - products by CBLAS. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/blas.h"

#include <assert.h>
#include <cblas.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "base/attributes.h"

/* ---- What the library is ------------------------------------------------ */

/* Functions that OpenBLAS alone has. */
#pragma weak openblas_set_num_threads
#pragma weak openblas_get_parallel
#pragma weak openblas_get_config
void openblas_set_num_threads(int count);
int openblas_get_parallel(void);
char *openblas_get_config(void);

/*
 * OpenBLAS has buffers for so many calls at a time, 50 at the least, and fails
 * in bad ways beyond them.  Its serial build takes buffers without a lock: one
 * call at a time, or results are wrong.
 */
enum { MOST_CALLS = 32 };

static sem_t free_calls;

static int calls_at_a_time(void)
{
    const bool serial = openblas_get_parallel && openblas_get_parallel() == 0;
    const bool locks = strstr(dti_blas_name(), "USE_LOCKING") != NULL;
    return serial && !locks ? 1 : MOST_CALLS;
}

static void prepare(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    sem_init(&free_calls, 0, (unsigned)calls_at_a_time());
}

static void begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    while (sem_wait(&free_calls) != 0)
        assert(errno == EINTR);
}

static void end(void)
{
    sem_post(&free_calls);
}

bool dti_blas_exists(void)
{
    return true;
}

const char *dti_blas_name(void)
{
    return openblas_get_config ? openblas_get_config() : "";
}

/* ---- Calls -------------------------------------------------------------- */

static CBLAS_TRANSPOSE turning(const dti_blas_matrix *matrix)
{
    return matrix->turned ? CblasTrans : CblasNoTrans;
}

void dti_blas_multiply(const dti_blas_product *p)
{
    const CBLAS_TRANSPOSE a = turning(&p->a), b = turning(&p->b);
    const float complex_alpha[] = {(float)p->alpha, 0};
    const float complex_beta[] = {(float)p->beta, 0};
    begin();
    switch (p->dtype) {
    case DT_F32:
        cblas_sgemm(CblasRowMajor, a, b, p->m, p->n, p->k, complex_alpha[0],
                    p->a.data, p->a.step, p->b.data, p->b.step, complex_beta[0],
                    p->c, p->c_step);
        break;
    case DT_F64:
        cblas_dgemm(CblasRowMajor, a, b, p->m, p->n, p->k, p->alpha, p->a.data,
                    p->a.step, p->b.data, p->b.step, p->beta, p->c, p->c_step);
        break;
    default:
        assert(p->dtype == DT_C64);
        cblas_cgemm(CblasRowMajor, a, b, p->m, p->n, p->k, complex_alpha,
                    p->a.data, p->a.step, p->b.data, p->b.step, complex_beta,
                    p->c, p->c_step);
    }
    end();
}

void dti_blas_apply(const dti_blas_image *p)
{
    const CBLAS_TRANSPOSE a = turning(&p->a);
    const int rows = p->a.turned ? p->k : p->m;
    const int columns = p->a.turned ? p->m : p->k;
    const float complex_alpha[] = {(float)p->alpha, 0};
    const float complex_beta[] = {(float)p->beta, 0};
    begin();
    switch (p->dtype) {
    case DT_F32:
        cblas_sgemv(CblasRowMajor, a, rows, columns, complex_alpha[0],
                    p->a.data, p->a.step, p->b, p->b_step, complex_beta[0],
                    p->c, p->c_step);
        break;
    case DT_F64:
        cblas_dgemv(CblasRowMajor, a, rows, columns, p->alpha, p->a.data,
                    p->a.step, p->b, p->b_step, p->beta, p->c, p->c_step);
        break;
    default:
        assert(p->dtype == DT_C64);
        cblas_cgemv(CblasRowMajor, a, rows, columns, complex_alpha, p->a.data,
                    p->a.step, p->b, p->b_step, complex_beta, p->c, p->c_step);
    }
    end();
}
