/* kernel/norm/norm.h - layer norm and its kind: rows brought to one size. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_NORM_NORM_H
#define DTI_KERNEL_NORM_NORM_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

typedef struct dti_norm {
    bool centred; /* the mean is taken off: layer norm; if not, rms norm */
    double eps;   /* added to the mean of squares */
    const dt_array *weight; /* contiguous, one for each element of a row; or */
    const dt_array *bias;   /* NULL */
    void *out;              /* row-major, of the dtype of the array */
    void *mean;             /* one for each row; NULL unless centred */
    void *rstd;             /* one for each row: 1 / sqrt(squares + eps) */
    dt_dtype dtype;         /* of mean and rstd */
} dti_norm;

/*
 * Normalise the rows that the dimensions from `first` on are: halves in f32.
 * Sums are blocks of f32, or f64, that are added up in f64.  These dimensions
 * lie as one, see dti_norm_takes.  An empty row has mean 0 and rstd NaN.
 */
void dti_norm_array(const dti_norm *norm, const dt_array *in, int first);

/* Tell whether the dimensions from `first` on can be stepped through as one. */
bool dti_norm_takes(const dt_array *in, int first);

/* ---- Rows of which other ranks have parts -------------------------------- */

/* Give the mean of each row, or 0 unless centred, and the sum of squares of
 * what its elements differ from that by. */
void dti_norm_measure(const dti_norm *norm, const dt_array *in, int first,
                      double *means, double *squares);

/* Put results and statistics that are known. */
void dti_norm_put(const dti_norm *norm, const dt_array *in, int first,
                  const double *means, const double *rstds);

/* ---- Backward ------------------------------------------------------------ */

/* Rows that lie one behind another, f32 or f64; those of a rank may be parts of
 * longer ones. */
typedef struct dti_norm_grad {
    bool centred;
    dt_dtype dtype;
    int64_t rows;
    int64_t count;      /* of elements of a row */
    int64_t whole;      /* of elements of a whole row */
    const void *g;      /* the gradient of the results */
    const void *x;      /* what was normalised */
    const void *weight; /* may be NULL */
    const double *means;
    const double *rstds;
    dti_cpu_level level;
} dti_norm_grad;

/* Two sums for each row, which whole rows need. */
void dti_norm_grad_sums(const dti_norm_grad *grad, double *sums);

/* The gradient of x, from sums of whole rows. */
void dti_norm_grad_rows(const dti_norm_grad *grad, const double *sums,
                        void *out);

/* The gradients of weight and bias, one number for each element of a row;
 * either may be NULL. */
void dti_norm_grad_factors(const dti_norm_grad *grad, double *weight,
                           double *bias);

#endif
