/* kernel/norm.h - layer norm and its kind: rows brought to one size. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_NORM_H
#define DTI_KERNEL_NORM_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

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
 * Normalise the rows that the dimensions from `first` on are: halves in f32,
 * means and squares summed in f64.  These dimensions lie as one, see
 * dti_norm_takes.  An empty row has mean 0 and rstd NaN.
 */
void dti_norm_array(const dti_norm *norm, const dt_array *in, int first);

/* Tell whether the dimensions from `first` on can be stepped through as one. */
bool dti_norm_takes(const dt_array *in, int first);

#endif
